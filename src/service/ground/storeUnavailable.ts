const NAME = 'StoreUnavailable';

interface Circumstances {
  readonly cause?: unknown;
  /** Whether the log has been told: what lasts is said once, not with each request. */
  readonly isTold?: boolean;
}

/** The store cannot be asked at the moment; trying again later is right. The message is for the caller. */
export class StoreUnavailable extends Error {
  override readonly name = NAME;
  readonly isTold: boolean;

  constructor(message: string, { isTold = false, cause }: Circumstances = {}) {
    super(message, { cause });
    this.isTold = isTold;
  }
}

/** By name, since the PostgreSQL part is a bundle with a class of its own. */
export function isStoreUnavailable(error: unknown): error is Pick<StoreUnavailable, 'message' | 'cause' | 'isTold'> {
  return error instanceof Error && error.name === NAME;
}

/** Whether an error is one of a store of which the log has been told. */
export function isToldAlready(error: unknown): boolean {
  return isStoreUnavailable(error) && error.isTold;
}
