import type { SourceCommit } from '../../core/sourceCommit.ts';
import { HOSTED_PAYLOAD_FIELD, replacedCharacters } from '../../v3/assumptions.ts';
import { refuseWideJson } from '../../v3/jsonBody.ts';
import { looksLikeJson, readBytes } from '../call/bodies.ts';
import type { Exchange } from '../call/exchange.ts';
import { badRequest } from '../ground/errors.ts';
import { withForm } from '../http/parameters.ts';

/** Far more than a host of code tells of 2,048 commits and their files in as many bytes as a body may have. */
const MAX_VALUES = 200_000;

/**
 * The commits of a hosted service's post-commit payload: JSON as the body, or in a form field (protocol.md). None of one
 * that tells of something else, as when a hook is tried out.
 */
export async function readHostedCommits(
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
