import type { SourceCommit } from '../../core/sourceCommit.ts';
import { notesElement } from '../../v3/note.ts';
import { readSourceCommit } from '../../v3/sourceCommit.ts';
import { requireToken } from '../auth/tokenAccess.ts';
import { readElement } from '../http/bodies.ts';
import type { Call } from '../http/exchange.ts';
import { elementReply, type Reply } from '../http/reply.ts';
import { linkCommits } from '../useCases/linkCommit.ts';
import { readHostedCommits } from './hostedCommits.ts';

/** Endpoint 6. */
export async function postSourceCommit(call: Call): Promise<Reply> {
  return reply(call, [readSourceCommit(await readElement(call, 'source_commit'))]);
}

/** Endpoint 7. */
export async function postHostedCommits(call: Call): Promise<Reply> {
  return reply(call, await readHostedCommits(call));
}

async function reply(call: Call, commits: readonly SourceCommit[]): Promise<Reply> {
  const notes = await call.service.database.write(async (tx) => {
    const linked = await linkCommits(tx, call, commits);
    await requireToken(tx, call.tokenHash); // Behind the locks of the projects, for which it may have waited.
    return linked;
  });
  return elementReply(notesElement(notes));
}
