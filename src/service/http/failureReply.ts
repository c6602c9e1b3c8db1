import { messageOf } from '../../core/errors.ts';
import { errorListElement, errorMessageElement } from '../../v3/errorList.ts';
import { writeDocument } from '../../v3/write.ts';
import { XmlError } from '../../v3/xmlError.ts';
import { isStoreUnavailable, Refusal } from '../ground/errors.ts';
import { diskTrouble, isBusy } from '../store/sqlite/sqliteErrors.ts';
import { type Reply, xmlReply } from './reply.ts';

const BUSY = 'Another program is using the data of this service. Nothing was changed. Try again in a moment.';

const DISK = {
  'no room': 'No space is left for the data of this service. Nothing was changed. Try again later.',
  'not writable': 'The service could not read or write its disk. Try again later.',
} as const;

const DENIED_PAGE = { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' };

/** What the caller is told of an error. Only bugs are 500; their stack goes to the log, never into the reply. */
export function failureReply(error: unknown, log: (message: string) => void): Reply {
  if (error instanceof Refusal) return refusalReply(error);
  if (error instanceof XmlError) return errorsReply(400, [error.message]);
  if (isBusy(error)) return errorsReply(503, [BUSY], { 'Retry-After': '2' });
  if (isStoreUnavailable(error)) {
    if (!error.isTold) log(`${error.message} ${messageOf(error.cause)}`);
    return errorsReply(503, [error.message], { 'Retry-After': error.isTold ? '30' : '2' });
  }
  const disk = diskTrouble(error);
  if (disk) {
    log(`${DISK[disk]} ${messageOf(error)}`);
    return errorsReply(503, [DISK[disk]], { 'Retry-After': '30' });
  }
  log(error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error));
  return errorsReply(500, ['The service failed to handle this request. See its log for details.']);
}

/** In the shapes that clients of v3 know (protocol.md, Proven since). */
function refusalReply({ status, sentences, headers, apiMessage }: Refusal): Reply {
  if (status === 401) return { status, headers: { ...DENIED_PAGE, ...headers }, body: 'Access denied.\n' };
  if (apiMessage === undefined) return errorsReply(status, sentences, headers);
  return xmlReply(writeDocument(errorMessageElement(apiMessage)), status, headers);
}

function errorsReply(
  status: number,
  sentences: readonly string[],
  headers: Readonly<Record<string, string>> = {},
): Reply {
  return xmlReply(writeDocument(errorListElement(sentences)), status, headers);
}
