import type { SourceCommit } from '../../core/sourceCommit.ts';
import { notesElement } from '../../v3/note.ts';
import { readSourceCommit } from '../../v3/sourceCommit.ts';
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
  const notes = await call.service.database.write((tx) => linkCommits(tx, call, commits));
  return elementReply(notesElement(notes));
}
