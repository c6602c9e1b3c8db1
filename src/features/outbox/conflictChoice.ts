import * as vscode from 'vscode';
import { messageOf, TrackerError } from '../../core/errors.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { type Conflict, conflictWith } from '../../core/intents/intentRules.ts';
import type { OutboxEntry } from '../../core/outbox/outbox.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import { visibleLine } from '../../core/text.ts';
import type { App } from '../../host/app.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import { conflictTexts } from '../../host/story/fieldLabels.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';

type ReadNeeds = Pick<App, 'backlogs' | 'log'>;

/** What deciding a conflict takes. */
export interface ConflictNeeds extends ReadNeeds, Pick<App, 'messages'> {
  /** Makes changes that the one undo takes back, as the tab of a story does; rejects in the server's words. */
  readonly applyEdits: (
    key: ProjectKey,
    wanted: readonly { readonly story: Story; readonly intent: Intent }[],
    done: string,
  ) => Promise<unknown>;
  readonly addTask: (found: FoundStory, description: string) => Promise<void>;
}

/** As `register` names it. */
const CONFLICT_SCHEME = 'story-tracker-conflict';
/** Characters of each text in a row. */
const LENGTH = 100;
/** Characters above which both texts are worth comparing side by side. */
const SHORT = 60;

/** Whether an entry was not sent because someone else has written to the same place, and both can be shown. */
export function isConflict({ intent, problem, state }: OutboxEntry): boolean {
  if (state !== 'failed') return false;
  const isOverwriting = intent.kind === 'edit' || intent.kind === 'editTask';
  return (
    isOverwriting && (problem?.kind === 'conflict' || (intent.kind === 'editTask' && problem?.kind === 'notFound'))
  );
}

/**
 * Shows what the person wrote and what is there now, and has them choose. `false` where that cannot be shown, the story being
 * gone. Nothing is lost when they turn away.
 */
export async function chooseInConflict(needs: ConflictNeeds, entry: OutboxEntry): Promise<boolean> {
  const conflict = await conflictNow(needs, entry);
  if (!conflict) return false;
  const { texts } = conflict;
  if (texts.length === 0) {
    await needs.backlogs.discard(entry.id);
    needs.messages.status(vscode.l10n.t('Story #{0} is already as you want it.', entry.intent.storyId));
    return true;
  }
  const { keepMine: keep, takeTheirs: take, compare } = conflictTexts(vscode);
  const isLong = texts.some(({ mine, theirs = '' }) => mine.length > SHORT || theirs.length > SHORT);
  const items = [
    { label: keep, detail: sideText(conflict, 'mine') },
    { label: take, detail: sideText(conflict, 'theirs') },
    ...(isLong ? [{ label: compare, detail: vscode.l10n.t('Show both in the diff editor') }] : []),
  ];
  const placeHolder = withoutIcons(entry.problem?.message ?? '');
  const chosen = (await vscode.window.showQuickPick(items, { placeHolder }))?.label;
  if (chosen === compare) await compareBoth(needs, entry, keep, take);
  else if (chosen === keep) await keepMine(needs, entry);
  else if (chosen === take) await takeTheirs(needs, entry);
  return true;
}

async function compareBoth(needs: ConflictNeeds, entry: OutboxEntry, keep: string, take: string): Promise<void> {
  const title = conflictTexts(vscode).comparison(entry.intent.storyId);
  await vscode.commands.executeCommand('vscode.diff', sideUri(entry, 'theirs'), sideUri(entry, 'mine'), title);
  const chosen = await needs.messages.offer(entry.problem?.message ?? title, keep, take);
  if (chosen === keep) await keepMine(needs, entry);
  else if (chosen === take) await takeTheirs(needs, entry);
}

/** On top of what is there by now, as the one undo takes it back; on disk before the entry that it takes the place of goes. */
async function keepMine(needs: ConflictNeeds, entry: OutboxEntry): Promise<void> {
  const conflict = await conflictNow(needs, entry);
  if (!conflict) throw new TrackerError('notFound', vscode.l10n.t('Story #{0} cannot be read.', entry.intent.storyId));
  const { keepMine: intent, story } = conflict;
  const done = vscode.l10n.t('Kept your version of story #{0}.', story.id);
  if (intent.kind === 'newTask') await needs.addTask({ key: entry.project, story }, intent.description);
  else await needs.applyEdits(entry.project, [{ story, intent }], done);
  await needs.backlogs.discard(entry.id);
}

async function takeTheirs({ backlogs, messages }: ConflictNeeds, { id, intent }: OutboxEntry): Promise<void> {
  if (!(await backlogs.discard(id))) return;
  messages.status(vscode.l10n.t('Discarded your version of story #{0}.', intent.storyId));
}

/** By what the server says now, or by what is known where it cannot be asked. */
async function conflictNow({ backlogs, log }: ReadNeeds, { intent, project }: OutboxEntry) {
  const { storyId } = intent;
  const story = await backlogs.refreshStory(project, storyId).catch((thrown: unknown) => {
    log.warn(messageOf(thrown));
    return backlogs.peekStory(storyId, project)?.story;
  });
  const conflict = story && conflictWith(story, intent);
  return conflict && { ...conflict, story };
}

type Side = 'mine' | 'theirs';

/** In one line, each field with its name where there are several. */
function sideText({ texts }: Conflict, side: Side): string {
  const parts = texts.map((text) => {
    const value = visibleLine(text[side] ?? vscode.l10n.t('deleted'), LENGTH) || vscode.l10n.t('empty');
    return texts.length === 1 ? value : `${text.what}: ${value}`;
  });
  return withoutIcons(parts.join(' · '));
}

function sideUri({ id, intent }: OutboxEntry, side: Side): vscode.Uri {
  return vscode.Uri.from({
    scheme: CONFLICT_SCHEME,
    path: `/story-${intent.storyId}.md`,
    query: JSON.stringify({ id, side }),
  });
}

/** One of the two texts, to be compared with the other; each field under its name where there are several. */
export async function sideDocument(
  needs: ReadNeeds & Pick<App, 'accounts'>,
  { query }: Pick<vscode.Uri, 'query'>,
): Promise<string> {
  const { id, side } = JSON.parse(query) as { readonly id?: unknown; readonly side?: unknown };
  const entry = (await needs.accounts.outbox.entries()).find((one) => one.id === id);
  const conflict = entry && (await conflictNow(needs, entry));
  if (!conflict) return '';
  const texts = conflict.texts.map((text) => [text.what, (side === 'mine' ? text.mine : text.theirs) ?? ''] as const);
  return texts.length === 1 ? (texts[0]?.[1] ?? '') : texts.map(([what, text]) => `# ${what}\n\n${text}\n`).join('\n');
}
