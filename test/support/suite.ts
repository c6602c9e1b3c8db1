/** One of the suites of `npm test`. */
export interface Suite {
  readonly name: 'unit' | 'service' | 'vscode' | 'ui';
  /** Milliseconds after which it hangs, also on a machine that is busy with other things: it is ended and counted as failed. */
  readonly limit: number;
}

const minutes = 60_000;

export const suites: readonly Suite[] = [
  { name: 'unit', limit: 10 * minutes },
  { name: 'service', limit: 15 * minutes },
  { name: 'vscode', limit: 15 * minutes },
  { name: 'ui', limit: 30 * minutes },
];
