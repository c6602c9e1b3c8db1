import * as vscode from 'vscode';
import { findStory } from '../../core/backlog/backlog.ts';
import { TrackerError } from '../../core/errors.ts';
import { isAsLeft } from '../../core/intents/intentRules.ts';
import { isSameProject, type ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import type { UndoWay } from '../../host/story/undoHistory.ts';
import { refusalIn } from './applyEdits.ts';
import { type EditEntry, entryOf, type MadeEdit, type WorkNeeds } from './editsMade.ts';

type Needs = Pick<WorkNeeds, 'backlogs' | 'history' | 'messages'>;

/**
 * Takes the last change of this window back; stories that someone else has changed since stay as they are.
 * @throws TrackerError when that is so for some, or in the server's words when it refuses.
 */
export function undoEdit(needs: Needs): Promise<void> {
  const texts = {
    nothing: vscode.l10n.t('No edit to undo.'),
    changed: (ids: string) => vscode.l10n.t('Could not undo because these stories have been changed since: {0}', ids),
    one: (id: number) => vscode.l10n.t('Reverted story #{0}.', id),
    several: (count: number) => vscode.l10n.t('Reverted {0} stories.', count),
  };
  return retraceEdit(needs, needs.history.undoing, texts);
}

/** Makes the change again that was taken back last, as long as no new one was made. @throws TrackerError as `undoEdit`. */
export function redoEdit(needs: Needs): Promise<void> {
  const texts = {
    nothing: vscode.l10n.t('No edit to redo.'),
    changed: (ids: string) => vscode.l10n.t('Could not redo because these stories have been changed since: {0}', ids),
    one: (id: number) => vscode.l10n.t('Changed story #{0} again.', id),
    several: (count: number) => vscode.l10n.t('Changed {0} stories again.', count),
  };
  return retraceEdit(needs, needs.history.redoing, texts);
}

interface RetraceTexts {
  readonly nothing: string;
  readonly changed: (ids: string) => string;
  readonly one: (id: number) => string;
  readonly several: (count: number) => string;
}

async function retraceEdit(
  { backlogs, messages }: Needs,
  { from, onto }: UndoWay<EditEntry>,
  texts: RetraceTexts,
): Promise<void> {
  const entry = from.last();
  if (!entry) {
    messages.status(texts.nothing);
    return;
  }
  from.remove(entry);
  const { key } = entry;
  const { open, changed } = await sorted(backlogs, entry);
  const outcomes = await Promise.allSettled(open.map(({ back }) => backlogs.submit(key, [back])));
  // What could not be undone can be another time; what was is not undone twice.
  const left = entryOf(
    key,
    open.filter((_, index) => refusalIn(outcomes[index])),
  );
  if (left) from.put(left);
  const made = open.filter((_, index) => !refusalIn(outcomes[index]));
  const inverse = entryOf(
    key,
    made.map(({ intent, back }) => ({ intent: back, back: intent })),
  );
  if (inverse) onto.put(inverse);
  const refused = outcomes.map(refusalIn).find(Boolean);
  if (refused) throw refused;
  if (changed.length > 0) {
    const ids = changed.map(({ intent }) => `#${intent.storyId}`).join(', ');
    throw new TrackerError('refused', texts.changed(ids));
  }
  messages.status(open.length === 1 && open[0] ? texts.one(open[0].intent.storyId) : texts.several(open.length));
}

/** Which are as they were left, and which are not. */
async function sorted(backlogs: Needs['backlogs'], { key, edits }: EditEntry) {
  const stories = await Promise.all(edits.map(({ intent }) => storyNow(backlogs, key, intent.storyId)));
  const isOpen = (_: MadeEdit, index: number) => {
    const [story, edit] = [stories[index], edits[index]];
    return !story || !edit || isAsLeft(story, edit.intent);
  };
  return { open: edits.filter(isOpen), changed: edits.filter((edit, index) => !isOpen(edit, index)) };
}

/**
 * As its server says, since what is shown may be older than what someone else did; as it is shown while a change of it waits
 * or the server cannot be asked. `undefined` when neither can be had: what waits is told by its answer then.
 */
async function storyNow(backlogs: Needs['backlogs'], key: ProjectKey, storyId: number): Promise<Story | undefined> {
  const shown = () => {
    const backlog = backlogs.peek(key);
    return backlog && findStory(backlog, storyId);
  };
  const waits = backlogs.unsent.some(
    ({ project, intent }) => isSameProject(project, key) && intent.storyId === storyId,
  );
  return (waits && shown()) || backlogs.refreshStory(key, storyId).catch(shown);
}
