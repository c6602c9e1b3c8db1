/** What one round gives; milliseconds, operations a second, or whatever the contestants agree on. */
export type Contestant = () => number | Promise<number>;

/**
 * Lets the contestants take turns, `count` rounds long, each round beginning with another, so that whatever else the machine does
 * meets all of them. One unmeasured round goes before, unless `warmUp` is off.
 */
export async function rounds<N extends string>(
  count: number,
  contestants: Readonly<Record<N, Contestant>>,
  { warmUp = true } = {},
): Promise<Readonly<Record<N, readonly number[]>>> {
  const names = Object.keys(contestants) as N[];
  const samples = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<N, number[]>;
  for (let round = warmUp ? -1 : 0; round < count; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + names.length) % names.length];
      if (name === undefined) continue;
      const sample = await contestants[name]();
      if (round >= 0) samples[name].push(sample);
    }
  }
  return samples;
}
