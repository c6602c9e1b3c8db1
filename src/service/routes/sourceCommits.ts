import type { Note } from '../../core/story/story.ts';
import type { SourceCommit } from '../../core/story/storyAddress.ts';
import { HOSTED_PAYLOAD_FIELD, replacedCharacters } from '../../v3/assumptions.ts';
import { refuseWideJson } from '../../v3/jsonBody.ts';
import { notesElement } from '../../v3/note.ts';
import { readSourceCommit } from '../../v3/sourceCommit.ts';
import { requireToken } from '../auth/projectAccess.ts';
import { looksLikeJson, readBytes, readElement } from '../call/bodies.ts';
import type { Call, Exchange } from '../call/exchange.ts';
import { badRequest } from '../ground/errors.ts';
import { elementReply, type Reply } from '../http/reply.ts';
import { withForm } from '../http/target.ts';
import { type CommitLinks, type Linked, linkCommits, madeNotes, partsOfLinks } from '../useCases/linkCommit.ts';

/** Endpoint 6. */
export async function postSourceCommit(call: Call): Promise<Reply> {
  const commit = await readElement(call, 'source_commit', readSourceCommit);
  return reply(call, partsOfLinks([commit]));
}

/** Endpoint 7. */
export async function postHostedCommits(call: Call): Promise<Reply> {
  return reply(call, partsOfLinks(await readHostedCommits(call)));
}

async function reply(call: Call, parts: Iterable<readonly CommitLinks[]>): Promise<Reply> {
  return elementReply(notesElement(await linkedNotes(call, parts)));
}

/**
 * Links commits and gives the comments that this made. A commit that was linked to some of its stories before something failed is linked to the
 * others when it is sent again.
 */
export async function linkedNotes(call: Call, parts: Iterable<readonly CommitLinks[]>): Promise<readonly Note[]> {
  const linked: Linked[] = [];
  for (const part of parts) {
    for (let left = part; left.length > 0; ) {
      const some = await call.service.database.write(async (tx) => {
        const made = await linkCommits(tx, call, left);
        await requireToken(tx, call.tokenHash); // Behind the locks of the projects, for which it may have waited.
        return made;
      });
      linked.push(some.linked);
      left = some.left;
    }
  }
  return madeNotes(linked);
}

/** Far more than a host of code tells of 2,048 commits and their files in as many bytes as a body may have. */
const MAX_VALUES = 200_000;

/**
 * The commits of a hosted service's post-commit payload: JSON as the body, or in a form field (protocol.md). None of one
 * that tells of something else, as when a hook is tried out.
 */
async function readHostedCommits(
  asking: Pick<Exchange, 'service' | 'request' | 'body' | 'query'>,
): Promise<SourceCommit[]> {
  const bytes = await readBytes(asking);
  const json = looksLikeJson(bytes)
    ? bytes.toString('utf8')
    : (withForm(asking.query, bytes).getAll(HOSTED_PAYLOAD_FIELD).at(-1) ?? '');
  const commits = field(parsed(json), 'commits') ?? [];
  if (!Array.isArray(commits)) throw badRequest('The payload has no list of commits.');
  return commits.map(sourceCommit).filter(({ commitId, message }) => commitId !== '' && message.trim() !== '');
}

function parsed(json: string): unknown {
  refuseWideJson(json, MAX_VALUES);
  try {
    return JSON.parse(json);
  } catch {
    throw badRequest(`The body must be a JSON payload, or a form with it in the field "${HOSTED_PAYLOAD_FIELD}".`);
  }
}

function sourceCommit(commit: unknown): SourceCommit {
  const url = textOf(commit, 'url');
  return {
    commitId: textOf(commit, 'id').trim(),
    message: textOf(commit, 'message'),
    author: textOf(field(commit, 'author'), 'name'),
    ...(url !== '' && { url }),
  };
}

function textOf(value: unknown, name: string): string {
  const text = field(value, name);
  return typeof text === 'string' ? replacedCharacters(text) : '';
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
