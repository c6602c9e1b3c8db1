import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { TrackerError } from '../../core/errors.ts';
import type { Intent, IntentRequest } from '../../core/intents/intent.ts';
import type { OutboxEntry } from '../../core/outbox/outbox.ts';
import type { LinkedCommit } from '../../core/replica/replica.ts';
import type { App } from '../../host/app.ts';
import type { Backlogs } from '../../host/projects/backlogs.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import { waitingText } from '../../host/story/submitIntents.ts';
import { storyOfRow } from '../../host/tree/nodes.ts';
import { type ConflictNeeds, chooseInConflict, isConflict } from './conflictChoice.ts';
import { entryTexts } from './entryTexts.ts';

type Needs = ConflictNeeds & RetryNeeds & Pick<App, 'engine'>;

interface EntryItem extends vscode.QuickPickItem {
  readonly chosen?: () => Promise<unknown>;
}

/**
 * Lists what servers have not taken, and the commits that they took lately; what is chosen, or named by `{ entryId }` or by the row of
 * a new story, can be tried again, looked at or discarded.
 */
export async function showOutbox(needs: Needs, asked?: unknown): Promise<void> {
  const { accounts, backlogs, messages } = needs;
  await backlogs.projects().catch(() => []);
  // Before that the outbox knows of nobody who is signed in.
  await backlogs.attend();
  const entries = await accounts.outbox.entries();
  const named = entries.find(({ id, intent }) =>
    isPlainObject(asked)
      ? id === asked.entryId
      : intent.kind === 'newStory' && intent.storyId === storyOfRow(asked)?.story.id,
  );
  if (named) return askWhatToDo(needs, named);
  const linked = linkedItems(await linkedLately(needs, Date.now()), needs);
  if (entries.length + linked.length === 0) {
    messages.status(vscode.l10n.t('No unsent changes.'));
    return;
  }
  const chosen = await vscode.window.showQuickPick<EntryItem>([...unsentItems(entries, needs), ...linked], {
    placeHolder:
      entries.length === 0 ? vscode.l10n.t('No unsent changes') : vscode.l10n.t('Changes not sent to a server yet'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  await chosen?.chosen?.();
}

function unsentItems(entries: readonly OutboxEntry[], needs: Needs): readonly EntryItem[] {
  if (entries.length === 0) return [];
  const { backlogs } = needs;
  const now = Date.now();
  const items = entries.map((entry): EntryItem => {
    const { intent, project, state } = entry;
    const icon = { waiting: 'clock', sending: 'sync', failed: 'error' }[state];
    return {
      label: `$(${icon}) ${withoutIcons(wishText(backlogs, entry))}`,
      description: withoutIcons([...numberOf(intent), backlogs.signInOf(project)].join(' · ')),
      detail: withoutIcons(texts.state(entry, now)),
      chosen: () => askWhatToDo(needs, entry),
    };
  });
  return [{ label: `$(refresh) ${vscode.l10n.t('Retry All')}`, chosen: () => retryOutbox(needs) }, ...items];
}

function linkedItems(linked: readonly LatelyLinked[], { backlogs }: Needs): readonly EntryItem[] {
  if (linked.length === 0) return [];
  const now = Date.now();
  const items = linked.map(({ commit: { account, hash, linkedAt, projectId, storyId }, storyIds }): EntryItem => {
    const key = { accountId: account.accountId, projectId };
    const name = (id: number) => backlogs.peekStory(id, key)?.story.name;
    const host = backlogs.signInOf(key);
    return {
      label: `$(check) ${withoutIcons(texts.linked(hash, storyIds, name))}`,
      description: withoutIcons([...storyIds.map((id) => `#${id}`), host].join(' · ')),
      detail: texts.age(now - linkedAt),
      chosen: async () => vscode.commands.executeCommand(commandIds.openStory, { storyId, ...key }),
    };
  });
  return [{ label: vscode.l10n.t('Recently linked'), kind: vscode.QuickPickItemKind.Separator }, ...items];
}

/** A new story has none yet. */
const numberOf = ({ kind, storyId }: Intent) => (kind === 'newStory' ? [] : [`#${storyId}`]);

async function askWhatToDo(needs: Needs, entry: OutboxEntry): Promise<void> {
  if (isConflict(entry) && (await chooseInConflict(needs, entry))) return;
  const retry = vscode.l10n.t('Retry Now');
  const preview = vscode.l10n.t('Preview Request');
  const discard = vscode.l10n.t('Discard…');
  const parts = [wishText(needs.backlogs, entry), entry.problem?.message];
  const placeHolder = withoutIcons(parts.filter((part) => part).join(' · '));
  const chosen = await vscode.window.showQuickPick([retry, preview, discard], { placeHolder });
  if (chosen === retry) await retryOutbox(needs, [entry.id]);
  else if (chosen === preview) await openPreview(entry);
  else if (chosen === discard) await askToDiscard(needs, entry);
}

async function askToDiscard({ backlogs, messages }: Needs, entry: OutboxEntry): Promise<void> {
  const { id, intent } = entry;
  const discard = vscode.l10n.t('Discard');
  const detail = intent.kind === 'comment' ? intent.text : wishText(backlogs, entry);
  const answer = await messages.ask(vscode.l10n.t('Discard this change? It will not be sent.'), detail, discard);
  if (answer !== discard) return;
  if (await backlogs.discard(id)) return;
  messages.info(vscode.l10n.t('This change cannot be discarded because it is being sent.'));
}

/** One linked commit, once for each server. */
interface LatelyLinked {
  readonly commit: LinkedCommit;
  readonly storyIds: readonly number[];
}

const MOST = 10;
const DAY = 24 * 60 * 60 * 1000;

/** The commits that servers one is signed in to took in the last day, the latest first. */
async function linkedLately(
  { backlogs, engine }: Pick<App, 'backlogs' | 'engine'>,
  now: number,
): Promise<readonly LatelyLinked[]> {
  const projects = await backlogs.projects().catch(() => []);
  const isKnown = ({ account: { accountId }, projectId }: LinkedCommit) =>
    projects.some(({ account, project }) => account.id === accountId && project.id === projectId);
  const linked = (await engine.linkedCommits.linked()).filter((one) => now - one.linkedAt < DAY && isKnown(one));
  const commits = Map.groupBy(linked.toReversed(), ({ account, hash }) => JSON.stringify([account.accountId, hash]));
  return [...commits.values()].slice(0, MOST).flatMap((links) => {
    const [commit] = links;
    return commit ? [{ commit, storyIds: links.map(({ storyId }) => storyId) }] : [];
  });
}

export interface RetryNeeds extends Pick<App, 'accounts' | 'backlogs' | 'messages'> {
  /** Entries whose refusal is told by the command that tries them again. */
  readonly asked: Set<string>;
}

/**
 * Tries what waits or was refused again, all of it when no ids are given. Resolves when it is known what became of it.
 * @throws TrackerError in the words of a server that refuses.
 */
export async function retryOutbox(
  { accounts, backlogs, messages, asked }: RetryNeeds,
  ids?: readonly string[],
): Promise<void> {
  const { outbox } = accounts;
  await backlogs.attend();
  const entries = (await outbox.entries()).filter(({ id }) => ids?.includes(id) ?? true);
  if (entries.length === 0) {
    messages.status(vscode.l10n.t('No unsent changes.'));
    return;
  }
  for (const { id } of entries) asked.add(id);
  await outbox.retry(entries.map(({ id }) => id));
  const outcomes = await Promise.all(entries.map(({ id }) => outbox.outcome(id)));
  for (const [at, { id }] of entries.entries()) if (outcomes[at]?.kind !== 'failed') asked.delete(id);
  const failed = outcomes.find((outcome) => outcome.kind === 'failed');
  if (failed) throw new TrackerError(failed.problem.kind, failed.problem.message);
  const index = outcomes.findIndex((outcome) => outcome.kind === 'waiting');
  const [outcome, entry] = [outcomes[index], entries[index]];
  if (outcome?.kind === 'waiting' && entry) {
    messages.status(waitingText(outcome.problem, backlogs.signInOf(entry.project)));
  } else messages.status(sentText(entries.length));
}

function sentText(count: number): string {
  return count === 1 ? vscode.l10n.t('Sent 1 change.') : vscode.l10n.t('Sent {0} changes.', count);
}

/** As `register` names it. */
const PREVIEW_SCHEME = 'story-tracker-unsent';

type PreviewNeeds = Pick<App, 'accounts' | 'engine'>;

/** Opens what would be sent for an entry, to be read only. */
async function openPreview({ id, intent }: OutboxEntry): Promise<void> {
  const name = intent.kind === 'newStory' ? 'newStory.xml' : `${intent.kind}-${intent.storyId}.xml`;
  const document = await vscode.workspace.openTextDocument(
    vscode.Uri.from({ scheme: PREVIEW_SCHEME, path: `/${name}`, query: id }),
  );
  await vscode.window.showTextDocument(document, { preview: true });
}

/** The text of such a document: the body to the letter, or what stands in its place. */
export async function previewText({ accounts, engine }: PreviewNeeds, { query: id }: vscode.Uri): Promise<string> {
  const entry = (await accounts.outbox.entries()).find((one) => one.id === id);
  if (!entry) return xmlComment(vscode.l10n.t('This change is no longer unsent.'));
  return previewOf(await engine.intentRequests.requestFor(entry.project.projectId, entry.intent));
}

function previewOf({ method, path, body }: IntentRequest): string {
  return body ?? xmlComment(vscode.l10n.t('This request has no body: {0}', `${method} ${decodeURIComponent(path)}`));
}

function xmlComment(text: string): string {
  return `<!-- ${text.replaceAll('--', '- -')} -->\n`;
}

/** Says what was refused and why, and offers to look at it. */
export async function offerRefused(
  { backlogs, messages }: Pick<App, 'backlogs' | 'messages'>,
  refused: readonly OutboxEntry[],
): Promise<void> {
  const [first] = refused;
  if (!first) return;
  const why = first.problem?.message ?? '';
  const text =
    refused.length === 1
      ? vscode.l10n.t('Could not send a saved change: {0}. {1}', wishText(backlogs, first), why)
      : vscode.l10n.t('Could not send {0} saved changes. {1}', refused.length, why);
  const isChoice = refused.length === 1 && isConflict(first);
  const show = isChoice ? vscode.l10n.t('Show Both…') : vscode.l10n.t('Show Unsent Changes');
  const chosen = await messages.offer(text, show);
  if (chosen !== show) return;
  await vscode.commands.executeCommand(commandIds.showOutbox, ...(isChoice ? [{ entryId: first.id }] : []));
}

export { sideDocument } from './conflictChoice.ts';

const texts = entryTexts(vscode);

/** What an entry is to do, with the names that its project's stories have now. */
function wishText(backlogs: Backlogs, { intent, project }: Pick<OutboxEntry, 'intent' | 'project'>): string {
  return texts.intent(intent, (storyId) => backlogs.peekStory(storyId, project)?.story.name);
}
