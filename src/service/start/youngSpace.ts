import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes for young objects; the engine would take four times as much. */
const ENOUGH = 32 * 1024 * 1024;

/**
 * Ends the growth of the memory for young objects where more of it hardly makes anything faster. The engine doubles it again and
 * again while much is asked for, and gives nothing back while that goes on: a hundred megabytes that whoever sends many requests
 * could have, whatever else is bounded. For the whole process; to be called once.
 */
export function limitYoungSpace(): void {
  const observer = new PerformanceObserver(() => {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
    if (young === undefined || young.space_size < ENOUGH) return;
    observer.disconnect();
    setFlagsFromString('--semi-space-growth-factor=1'); // Read each time that it would grow.
  });
  observer.observe({ entryTypes: ['gc'] });
}
