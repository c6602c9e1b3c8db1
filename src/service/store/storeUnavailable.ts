const NAME = 'StoreUnavailable';

/** The store cannot be asked at the moment; trying again later is right. The message is for the caller. */
export class StoreUnavailable extends Error {
  override readonly name = NAME;
}

/** By name, since the PostgreSQL part is a bundle with a class of its own. */
export function isStoreUnavailable(error: unknown): error is Error {
  return error instanceof Error && error.name === NAME;
}
