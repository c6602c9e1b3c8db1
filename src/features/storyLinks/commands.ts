import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { TrackerError } from '../../core/errors.ts';
import { shortHash } from '../../core/text.ts';
import type { App } from '../../host/app.ts';
import { requireTrust } from '../../host/git/chooseRepository.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { mentionedStories, readBacklogs } from '../../host/story/mentionedStories.ts';
import { pickServerOf } from '../../host/story/pickServer.ts';
import { storyNameIn } from '../../host/story/storyArgument.ts';
import { storyPickItem } from '../../host/story/storyLabel.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { type CommitMention, type MentionNeeds, storiesOfMessage } from './mentionLinks.ts';

export type OpenNeeds = MentionNeeds & Pick<App, 'accounts' | 'messages'>;

/**
 * Opens the story that a text mentions: by its number alone, by its full name, or the one that a commit mentions, of which VS Code
 * gives the hash behind the arguments of our button.
 */
export async function openMentionedStory(needs: OpenNeeds, ...[argument, hash]: readonly unknown[]): Promise<void> {
  await needs.accounts.requireAny();
  if (typeof argument === 'number') return openNumber(needs, argument);
  const name = storyNameIn(argument);
  if (name) return openNamed(name);
  const root = isPlainObject(argument) ? argument.repository : undefined;
  if (typeof root === 'string' && typeof hash === 'string')
    return openOfCommit(needs, vscode.Uri.parse(root, true), hash);
  throw new TrackerError('input', vscode.l10n.t('Pass the story as { storyId: number, projectId?: number }.'));
}

/** Opens one of the stories that a number may mean, after asking which where there are several. */
export async function openOneOf(
  { accounts }: Pick<App, 'accounts'>,
  number: number,
  found: CommitMention['found'],
): Promise<void> {
  const [first, ...others] = found;
  const question = found.every(({ story }) => story.id === number)
    ? vscode.l10n.t('Several accounts have a story #{0}. Which one do you want to open?', number)
    : vscode.l10n.t('Several stories have or had the ID #{0}. Which one do you want to open?', number);
  const one = others.length > 0 ? await pickServerOf(accounts, found, question) : first;
  if (one) await openNamed({ storyId: one.story.id, ...one.key });
}

async function openNumber(needs: OpenNeeds, id: number): Promise<void> {
  await readBacklogs(needs);
  const [first, ...others] = (await mentionedStories(needs, [id], 'anywhere')).get(id) ?? [];
  if (first) await openOneOf(needs, id, [first, ...others]);
  else await openNamed({ storyId: id });
}

async function openNamed(name: object): Promise<void> {
  await vscode.commands.executeCommand(commandIds.openStory, { ...name, caller: 'person' });
}

async function openOfCommit(needs: OpenNeeds, repository: vscode.Uri, hash: string): Promise<void> {
  requireTrust();
  const [commit] = await needs.history.commitsNamed(repository.fsPath, [hash]);
  await readBacklogs(needs);
  const known = await storiesOfMessage(needs, repository, commit?.message ?? '');
  const byId = new Map(known.map(({ mention, found }) => [mention.id, found]));
  const [first, ...others] = byId;
  if (!first) return offerToLink(needs, repository, hash);
  const one = others.length > 0 ? await pickOf([first, ...others]) : first;
  if (one) await openOneOf(needs, ...one);
}

type Numbered = readonly [number, CommitMention['found']];

async function pickOf(all: readonly Numbered[]): Promise<Numbered | undefined> {
  const items = all.map((one) => ({ ...storyPickItem(storyOf(one[1])), one }));
  const placeHolder = vscode.l10n.t('Which story do you want to open?');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.one;
}

function storyOf([{ story }]: CommitMention['found']): FoundStory['story'] {
  return story;
}

async function offerToLink({ messages }: OpenNeeds, repository: vscode.Uri, hash: string): Promise<void> {
  const link = vscode.l10n.t('Link to Story…');
  const text = vscode.l10n.t('Commit {0} does not mention a story of your projects.', shortHash(hash));
  if ((await messages.info(text, link)) !== link) return;
  const argument = { commits: [hash], repository: repository.toString(), caller: 'person' };
  await vscode.commands.executeCommand(commandIds.linkCommits, argument);
}
