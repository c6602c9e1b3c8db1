import { constants as osConstants } from 'node:os';
import { type PerformanceEntry, PerformanceObserver, constants as perfConstants } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import type { ServiceEvent, ServiceLog } from '../ground/background.ts';

/** What is printed to. */
interface Printed {
  readonly writableLength: number;
  write(text: string): unknown;
}

/** Bytes that nobody has read; more would fill the memory while a reader sleeps. */
const MOST_UNREAD = 8 * 1024 * 1024;

/**
 * Prints events: as JSON lines with their time for programs, or the address on standard output and the rest on standard error for
 * people. Where too much was not read, events are left out, and told of by number once there is room.
 */
export function eventPrinter(
  json: boolean,
  { stdout, stderr }: { readonly stdout: Printed; readonly stderr: Printed } = process,
): ServiceLog {
  let lost = 0;
  const print = (event: ServiceEvent): void => {
    if (json) stdout.write(`${JSON.stringify({ ...event, time: new Date().toISOString() })}\n`);
    else (event.event === 'listening' ? stdout : stderr).write(`${stripVTControlCharacters(sentence(event))}\n`);
  };
  return (event) => {
    if (stdout.writableLength + stderr.writableLength > MOST_UNREAD) {
      lost += 1;
      return;
    }
    if (lost > 0) print({ event: 'unread', lost });
    lost = 0;
    print(event);
  };
}

/** Holds back what is heard until it is released: who starts a service waits for its address as the first line. */
export function afterFirst(print: ServiceLog): { readonly hear: ServiceLog; readonly release: () => void } {
  let held: ServiceEvent[] | undefined = [];
  return {
    hear: (event) => void (held ? held.push(event) : print(event)),
    release: () => {
      const events = held ?? [];
      held = undefined;
      for (const event of events) print(event);
    },
  };
}

function sentence({ event, ...details }: ServiceEvent): string {
  if (event === 'listening') {
    const token = details.token === undefined ? '' : `\nAPI token: ${details.token}`;
    const replies = details.replies === undefined ? '' : `\nReplies to mails at ${details.replies}`;
    return `Story Tracker answers at ${details.url} with the data in ${details.data}.${token}${replies}`;
  }
  if (event === 'newDatabase')
    return `New, empty database: ${details.file}. If you expected your projects, check --data and --database.`;
  if (event === 'warning' && typeof details.message === 'string') return `Warning: ${details.message}`;
  const parts = Object.entries(details).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [event, ...parts].join(' ');
}

/** Milliseconds in which signals are one: a terminal sends its to a program, and who started the program passes it on. */
const ONE_AND_THE_SAME = 1_000;

/**
 * Settles when the process is told to stop: by a signal, or, where asked, by its standard input closing. Who then tells it
 * again does not want to wait: it ends at once, as if the signal had ended it.
 */
export function stopSignal(watchInput: boolean): Promise<void> {
  return new Promise((resolve) => {
    let toldAt: number | undefined;
    const stop = (): void => {
      toldAt ??= performance.now();
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (toldAt !== undefined && performance.now() - toldAt > ONE_AND_THE_SAME) {
          process.exit(128 + osConstants.signals[signal]);
        }
        stop();
      });
    }
    if (!watchInput) return;
    process.stdin.on('end', stop).on('close', stop).on('error', stop);
    process.stdin.resume();
  });
}

/** Milliseconds that a start has to come to its end once it is not wanted any more. */
const START_PATIENCE = 5_000;

/** What a start gives. Throws when it is told to stop and does not come to its end, as before a database that says nothing. */
export function startOrStop<T>(started: Promise<T>, stopped: Promise<void>, patience = START_PATIENCE): Promise<T> {
  const givenUp = stopped.then(async (): Promise<never> => {
    await wait(patience, undefined, { ref: false });
    throw new Error('The service was stopped before it started.');
  });
  return Promise.race([started, givenUp]);
}

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
const MUCH_SLACK = 96 * 1024 * 1024;
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
      if (tries < TRIES && slack > kept + MUCH_SLACK / 4) return;
      kept = slack;
      next = performance.now() + PAUSE_MS;
    } else if (slack < kept + MUCH_SLACK || performance.now() < next) return;
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
    detail.kind === perfConstants.NODE_PERFORMANCE_GC_MAJOR
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
