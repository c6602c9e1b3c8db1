import type { SourceCommit } from '../../core/sourceCommit.ts';
import { notesElement } from '../../v3/note.ts';
import { readSourceCommit } from '../../v3/sourceCommit.ts';
import { requireToken } from '../auth/tokenAccess.ts';
import { readElement } from '../call/bodies.ts';
import type { Call } from '../call/exchange.ts';
import { elementReply, type Reply } from '../http/reply.ts';
import { type Linked, linkCommits, madeNotes, partsOfLinks } from '../useCases/linkCommit.ts';
import { readHostedCommits } from './hostedCommits.ts';

/** Endpoint 6. */
export async function postSourceCommit(call: Call): Promise<Reply> {
  return reply(call, [readSourceCommit(await readElement(call, 'source_commit'))]);
}

/** Endpoint 7. */
export async function postHostedCommits(call: Call): Promise<Reply> {
  return reply(call, await readHostedCommits(call));
}

/** A commit that was linked to some of its stories before something failed is linked to the others when it is sent again. */
async function reply(call: Call, commits: readonly SourceCommit[]): Promise<Reply> {
  const linked: Linked[] = [];
  for (const part of partsOfLinks(commits)) {
    linked.push(
      await call.service.database.write(async (tx) => {
        const made = await linkCommits(tx, call, part);
        await requireToken(tx, call.tokenHash); // Behind the locks of the projects, for which it may have waited.
        return made;
      }),
    );
  }
  return elementReply(notesElement(madeNotes(linked)));
}
