/** One of the suites of `npm test`. */
export interface Suite {
  readonly name: 'unit' | 'service' | 'vscode' | 'ui';
  /** Milliseconds after which it is ended and counted as failed. */
  readonly limit: number;
}

const minutes = 60_000;

export const suites: readonly Suite[] = [
  { name: 'unit', limit: 4 * minutes },
  { name: 'service', limit: 8 * minutes },
  { name: 'vscode', limit: 6 * minutes },
  { name: 'ui', limit: 12 * minutes },
];
