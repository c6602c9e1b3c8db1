/** A handler cannot begin a job yet, through no fault of its receiver: it is tried again soon, as if it had not been. */
export class Postponement extends Error {
  override readonly name = 'Postponement';
  /** Milliseconds. */
  readonly pause: number;

  constructor(pause: number) {
    super('Others are before it.');
    this.pause = pause;
  }
}
