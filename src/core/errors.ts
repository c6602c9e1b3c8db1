/**
 * What went wrong, in the one word that decides what to do next:
 * `unreachable` no answer (network, DNS, refused, cut off) · `timeout` · `cancelled` by the caller · `unauthorized` 401 ·
 * `forbidden` 403 · `notFound` 404 and 410 · `refused` 422 and 400, the server's own sentences in `message` · `tooLarge` 413 ·
 * `busy` 429 and 503 · `server` other 5xx · `protocol` an answer that is not v3 (HTML, cut XML, redirect to another origin) ·
 * `conflict` someone else changed what was to be changed, so that it was not (also 412) ·
 * `input` something given to us that cannot be sent (a folder as file, an unreadable file).
 */
export type TrackerErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'cancelled'
  | 'unauthorized'
  | 'forbidden'
  | 'notFound'
  | 'refused'
  | 'tooLarge'
  | 'busy'
  | 'server'
  | 'protocol'
  | 'conflict'
  | 'input';

/** What a server refused about one field of what it was sent. */
export interface FieldError {
  readonly field: string;
  readonly sentence: string;
}

export interface TrackerErrorDetails {
  /** Method and path, never the query: it may hold a token. */
  readonly request?: string;
  readonly status?: number;
  /** Milliseconds the server asked us to wait. */
  readonly retryAfter?: number;
  /** Those fields of which the server said what is wrong with them. */
  readonly fields?: readonly FieldError[];
  readonly cause?: unknown;
}

/** The one error that leaves the client. `message` is a sentence for a person and names the mend where there is one. */
export class TrackerError extends Error {
  override readonly name = 'TrackerError';
  readonly kind: TrackerErrorKind;
  readonly request: string | undefined;
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;
  readonly fields: readonly FieldError[];

  constructor(kind: TrackerErrorKind, message: string, details: TrackerErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.kind = kind;
    this.request = details.request;
    this.status = details.status;
    this.retryAfter = details.retryAfter;
    this.fields = details.fields ?? [];
  }
}

/** The error in other words, with all else that is known of it. */
export function retold(error: TrackerError, message: string): TrackerError {
  const { kind, request, status, retryAfter, fields } = error;
  return new TrackerError(kind, message, {
    cause: error,
    fields,
    ...(request === undefined ? {} : { request }),
    ...(status === undefined ? {} : { status }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** The same error, with other names for the fields it is about. */
export function withFieldNames(error: TrackerError, nameOf: (field: string) => string): TrackerError {
  const { kind, message, request, status, fields } = error;
  return new TrackerError(kind, message, {
    cause: error,
    fields: fields.map(({ field, sentence }) => ({ field: nameOf(field), sentence })),
    ...(request === undefined ? {} : { request }),
    ...(status === undefined ? {} : { status }),
  });
}

/** The sentence to show for anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function isCancelled(error: unknown): boolean {
  return error instanceof TrackerError
    ? error.kind === 'cancelled'
    : error instanceof Error && error.name === 'AbortError';
}

/** No server answered, so that the same call may go well later. */
export function isAway(error: unknown): boolean {
  return failureMeans(kindOf(error), 'away');
}

/**
 * What follows from a failure:
 * `final` asking again as it is would bring the same answer · `away` no server answered, so that the same call may go well later ·
 * `signIn` someone has to sign in first · `denied` this person may not · `undone` the server certainly did not do it ·
 * `unsettled` it may have done it (neither of the two for `busy`: a gateway may have passed the request on before) ·
 * `serverFault` the server failed at it, which is not the same as refusing it · `everyProject` whatever else is asked of this
 * server fails in the same way · `sameStory` whatever else is sent to the same story does · `thisCallOnly` the server does not
 * answer this question and may answer others · `notOffered` it has nothing of the kind, or its answer is not one of the protocol.
 */
type FailureMeaning =
  | 'final'
  | 'away'
  | 'signIn'
  | 'denied'
  | 'undone'
  | 'unsettled'
  | 'serverFault'
  | 'everyProject'
  | 'sameStory'
  | 'thisCallOnly'
  | 'notOffered';

const MEANINGS: Readonly<Record<TrackerErrorKind, readonly FailureMeaning[]>> = {
  unreachable: ['away', 'unsettled', 'everyProject', 'sameStory'],
  timeout: ['away', 'unsettled', 'everyProject'],
  cancelled: ['unsettled'],
  unauthorized: ['signIn', 'denied', 'undone', 'everyProject', 'sameStory'],
  forbidden: ['final', 'denied', 'undone', 'sameStory', 'thisCallOnly'],
  notFound: ['final', 'undone', 'sameStory', 'thisCallOnly', 'notOffered'],
  refused: ['final', 'undone', 'thisCallOnly'],
  tooLarge: ['final', 'undone'],
  busy: ['everyProject'],
  server: ['unsettled', 'serverFault', 'thisCallOnly'],
  protocol: ['unsettled', 'serverFault', 'thisCallOnly', 'notOffered'],
  conflict: ['final', 'undone', 'thisCallOnly'],
  input: ['final', 'undone'],
};

/** What a newer version left in a file may be of a kind that has no meaning here yet. */
const KNOWN_MEANINGS: ReadonlyMap<string, readonly FailureMeaning[]> = new Map(Object.entries(MEANINGS));

/** Whether something follows from a failure of this kind; nothing does from what is not an error of the tracker's. */
export function failureMeans(kind: TrackerErrorKind | undefined, meaning: FailureMeaning): boolean {
  return kind !== undefined && KNOWN_MEANINGS.get(kind)?.includes(meaning) === true;
}

/** `undefined` for what is no error of the tracker's. */
export function kindOf(error: unknown): TrackerErrorKind | undefined {
  return error instanceof TrackerError ? error.kind : undefined;
}
