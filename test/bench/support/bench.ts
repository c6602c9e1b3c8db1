/** What a measured value should be; goals are those of the project's design. */
export interface Goal {
  readonly bound: '≥' | '≤';
  readonly value: number;
}

/** One line of the table. */
export interface Row {
  readonly what: string;
  readonly value: number;
  /** `×` is a ratio of two things measured in the same run. */
  readonly unit: '×' | 'ms' | 'MB' | 'KiB' | '/s';
  /** None where only the figure is of interest. */
  readonly goal?: Goal;
  /** The absolute figures behind the value. */
  readonly detail: string;
}

/** One subject that is measured by itself; nothing in it depends on another. */
export interface Bench {
  readonly name: string;
  run(): Promise<readonly Row[]>;
}

export function atLeast(value: number): Goal {
  return { bound: '≥', value };
}

export function atMost(value: number): Goal {
  return { bound: '≤', value };
}

export function falls(row: Row): boolean {
  if (row.goal === undefined) return false;
  return row.goal.bound === '≥' ? row.value < row.goal.value : row.value > row.goal.value;
}
