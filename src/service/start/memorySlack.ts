import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * What Linux' C library is told, so that it returns memory that is freed: two arenas instead of eight a processor, and pages of their own
 * for pieces from 256 KiB on, also after larger ones were freed.
 */
const ALLOCATOR: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: String(256 * 1024),
  MALLOC_TRIM_THRESHOLD_: String(1024 * 1024),
};

/**
 * Begins the program anew, as the same process, with `ALLOCATOR` in its environment, where that is read only at the beginning. What
 * an operator has set there stays. Does nothing the second time, and where there is no such library or no way to begin anew.
 */
export function restartWithAllocator(): void {
  const environment = { ...ALLOCATOR, ...process.env };
  if (process.platform !== 'linux' || Object.keys(ALLOCATOR).every((name) => name in process.env)) return;
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], environment);
}

/** Bytes that hold nothing, beyond those that could not be given back before, from which they are given back. */
const MUCH = 96 * 1024 * 1024;
/** Whole collections of garbage for which the engine saves memory, at most: some work takes twice the processor's time then. */
const TRIES = 3;
/** Bytes for young objects from which more of them hardly make anything faster; the engine would take four times as much. */
const ENOUGH_YOUNG = 32 * 1024 * 1024;
/** Milliseconds until it does so again. */
const PAUSE_MS = 250;
/** The first major version of the engine that can be told so while it runs. */
const FIRST_ENGINE = 13;

/**
 * Has the engine give memory back to the system that it keeps for objects to come: after a rush of requests, each of which left garbage
 * behind, that is more than all that the service holds, and stays so for as long as requests come. Looked at after collections of
 * garbage only, so that a service without requests does nothing. For the whole process; to be called once.
 */
export function giveBackSlack(): void {
  if (Number.parseInt(process.versions.v8, 10) < FIRST_ENGINE) return;
  const base = bytesBeside('heapTotal');
  let kept = Number.POSITIVE_INFINITY;
  let isSaving = false;
  let tries = 0;
  let next = 0;
  let isYoungGrowing = true;
  const look = (collections: readonly PerformanceEntry[]): void => {
    if (isYoungGrowing && youngSpace() >= ENOUGH_YOUNG) {
      isYoungGrowing = false;
      setFlagsFromString('--semi-space-growth-factor=1');
    }
    const slack = bytesBeside('heapUsed') - base;
    kept = Math.min(kept, slack);
    if (isSaving) {
      tries += collections.filter(isWhole).length;
      if (tries < TRIES && slack > kept + MUCH / 4) return;
      kept = slack;
      next = performance.now() + PAUSE_MS;
    } else if (slack < kept + MUCH || performance.now() < next) return;
    isSaving = !isSaving;
    tries = 0;
    setFlagsFromString(isSaving ? '--memory-saver-mode' : '--no-memory-saver-mode');
  };
  new PerformanceObserver((list) => look(list.getEntries())).observe({ entryTypes: ['gc'] });
}

function isWhole({ detail }: PerformanceEntry & { readonly detail?: unknown }): boolean {
  return (
    typeof detail === 'object' &&
    detail !== null &&
    'kind' in detail &&
    detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
  );
}

/** Bytes that are held for objects that were made since the last collection. */
function youngSpace(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}

/** Of what the process has in memory, what the engine counts neither as its heap nor as bytes of buffers. */
function bytesBeside(heap: 'heapTotal' | 'heapUsed'): number {
  const { rss, external, [heap]: counted } = process.memoryUsage();
  return rss - counted - external;
}
