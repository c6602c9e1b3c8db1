/** The value below which the share `part` (0 to 1) of the samples lies. */
export function quantile(samples: readonly number[], part: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export function median(samples: readonly number[]): number {
  return quantile(samples, 0.5);
}

/** The median of each round's ratio: what disturbs a round disturbs both of its sides. */
export function medianRatio(over: readonly number[], under: readonly number[]): number {
  return median(over.map((value, round) => value / (under[round] ?? Number.NaN)));
}
