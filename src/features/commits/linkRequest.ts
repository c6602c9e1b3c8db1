import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { askedRepository } from '../../host/git/chooseRepository.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { type FoundStory, StoryNode } from '../../host/tree/nodes.ts';

/** What Link Existing Commits was asked to do. */
export interface LinkRequest {
  /** Hashes or revisions; absent: to be picked. */
  readonly commits?: readonly string[];
  readonly repository?: vscode.Uri;
  /** The story that every commit is to be linked to, whatever its message names. */
  readonly story?: FoundStory;
}

/**
 * Reads the argument: a row of the tree, a source control, the form of contract.md, or none.
 * @throws TrackerError `input` or `notFound`.
 */
export async function linkRequest(
  { storyArgument }: Pick<App, 'storyArgument'>,
  argument: unknown,
): Promise<LinkRequest> {
  const named = argument instanceof StoryNode || (isPlainObject(argument) && argument.storyId !== undefined);
  const story = named ? await storyArgument.of(argument, '') : undefined;
  return { ...(story ? { story } : {}), ...commitsOf(argument), ...askedRepository(argument) };
}

function commitsOf(argument: unknown): { readonly commits?: readonly string[] } {
  const commits = isPlainObject(argument) ? argument.commits : undefined;
  if (commits === undefined) return {};
  if (Array.isArray(commits) && commits.every((commit) => typeof commit === 'string')) return { commits };
  throw new TrackerError('input', vscode.l10n.t('Commits are meant by a list of hashes.'));
}
