import * as vscode from 'vscode';
import { findStory } from '../../core/backlog/backlog.ts';
import { messageOf, TrackerError } from '../../core/errors.ts';
import { fieldNames } from '../../core/fieldNames.ts';
import { isPendingStory } from '../../core/intents/edit.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { reversedIntent } from '../../core/intents/intentRules.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import { fieldWords } from '../../core/story/storyFields.ts';
import type { App } from '../../host/app.ts';
import type { EntryAbout, EntryValues } from '../../host/story/entryValues.ts';
import { offerUndo, unmadeError, withdrawUndoOffer } from '../../host/story/offerUndo.ts';
import { type StoriesOfProject, storiesOfOneProject } from '../../host/story/storyArgument.ts';
import { waitingText } from '../../host/story/submitIntents.ts';
import type { UndoEntry, UndoWay } from '../../host/story/undoHistory.ts';
import { unsentStoryText } from '../../host/story/unsentStoryText.ts';
import { EditEntry, type EditMeans, placesBefore, refusalIn, waitingEntriesOf } from './editEntry.ts';

/** What the slice's commands need. */
export type WorkNeeds = Pick<
  App,
  | 'accounts'
  | 'backlogs'
  | 'log'
  | 'messages'
  | 'openDrafts'
  | 'restoredStories'
  | 'storiesView'
  | 'storyArgument'
  | 'undoHistory'
  | 'workspaceMemory'
>;

/**
 * The stories to change: the rows clicked or selected, the one a program names, or one picked; `undefined`: turned away.
 * @throws TrackerError when they are of several projects, or no server has one of them yet.
 */
export async function chosenStories(
  { storyArgument }: Pick<WorkNeeds, 'storyArgument'>,
  args: readonly unknown[],
  placeHolder: string,
): Promise<StoriesOfProject | undefined> {
  const found = await storyArgument.several(args, placeHolder, { selectionOf: 'anyone' });
  const severalProjects = vscode.l10n.t('Stories from different projects cannot be changed together.');
  const chosen = storiesOfOneProject(found, severalProjects);
  if (!chosen?.stories.some(isPendingStory)) return chosen;
  throw new TrackerError('input', unsentStoryText(vscode));
}

/** "Story #12", or how many there are: in a title, or where a sentence begins. */
export function nameOfStories([first, ...others]: StoriesOfProject['stories']): string {
  return others.length === 0 ? vscode.l10n.t('Story #{0}', first.id) : vscode.l10n.t('{0} stories', others.length + 1);
}

/** As `nameOfStories`, inside of a sentence: "story #12". */
export function storiesInSentence([first, ...others]: readonly Story[]): string {
  return others.length === 0
    ? vscode.l10n.t('story #{0}', first?.id ?? 0)
    : vscode.l10n.t('{0} stories', others.length + 1);
}

type Needs = Pick<WorkNeeds, 'backlogs' | 'log' | 'messages' | 'restoredStories' | 'undoHistory'>;

/** What is to become of one story; the story as it is shown before. */
export interface WantedEdit {
  readonly story: Story;
  readonly intent: Intent;
}

/**
 * Makes changes, each by itself: one that is refused keeps none of the others from being made. What was made can be undone.
 * `done` says what was. `around` gives the entry that takes more back than the edit. Resolves to the stories with which the server answered where these are not as they were wanted, and to those
 * of the local copy where another window had the answer. @throws TrackerError in the server's words for those that were refused.
 */
export async function applyEdits(
  needs: Needs,
  key: ProjectKey,
  wanted: readonly WantedEdit[],
  done: string,
  around: (edit: UndoEntry) => UndoEntry = (edit) => edit,
): Promise<readonly Story[]> {
  const { backlogs, undoHistory } = needs;
  const intents = wanted.map(({ intent }) => intent);
  const formerly = placesBefore(backlogs.peek(key), intents);
  const storyIds = intents.map(({ storyId }) => storyId);
  const answered = Promise.allSettled(intents.map((intent) => backlogs.submit(key, [intent])));
  const reversible = wanted.map(({ story, intent }) => {
    const back = reversedIntent(story, intent);
    return back && { intent, back };
  });
  const made = answered.then((all) =>
    reversible.flatMap((one, index) =>
      one && !refusalIn(all[index]) ? { ...one, ...waitingEntriesOf(all[index]) } : [],
    ),
  );
  const edit = new EditEntry(editMeans(needs), key, {
    ...{ storyIds, made, formerly },
    likely: reversible.flatMap((one) => one ?? []),
  });
  const entry = around(edit);
  if (reversible.some(Boolean)) undoHistory.add(entry);
  const outcomes = await answered;
  if ((await made).length === 0) undoHistory.remove(entry);
  else undoHistory.noteKnown();
  const refused = outcomes.flatMap((outcome) => refusalIn(outcome) ?? []);
  if (refused.length > 0) throw refusal(refused, wanted.length);
  const [waiting] = outcomes.flatMap((one) => (one.status === 'fulfilled' ? (one.value.waiting ?? []) : []));
  const text = waiting ? waitingText(waiting, backlogs.signInOf(key)) : done;
  needs.log.info(text);
  offerUndo(text);
  const listed = backlogs.peek(key);
  return outcomes.flatMap((one, index) => {
    if (one.status === 'rejected') return [];
    const { answers = [], isElsewhere } = one.value;
    const storyId = storyIds[index];
    const copied = isElsewhere && listed && storyId !== undefined ? findStory(listed, storyId) : undefined;
    return copied ? [copied] : answers;
  });
}

/** Makes edits of an earlier window an entry again. */
export function editAgain(
  needs: Needs,
  { key, storyIds }: EntryAbout,
  { made, formerly }: EntryValues['edit'],
): EditEntry {
  return new EditEntry(editMeans(needs), key, { storyIds, made: Promise.resolve(made), likely: made, formerly });
}

function editMeans({ backlogs, log, messages, restoredStories, undoHistory }: Needs): EditMeans {
  return {
    backlogs,
    log,
    restoredStories,
    undoHistory,
    tellRetraced: (...what) => {
      // What it offers to undo may just have been.
      withdrawUndoOffer();
      messages.status(retracedText(...what));
    },
    unmadeError,
    changedError: (...what) => new TrackerError('conflict', changedSinceText(...what)),
  };
}

function retracedText(way: UndoWay, changes: readonly Intent[], lost: readonly number[]): string {
  const [first = 0, ...others] = new Set(changes.map(({ storyId }) => storyId));
  const count = others.length + 1;
  const what = [...new Set(changes.flatMap(changedWords))].join(', ');
  if (way === 'redo') {
    return count === 1
      ? vscode.l10n.t('Changed story #{0} again: {1}.', first, what)
      : vscode.l10n.t('Changed {0} stories again: {1}.', count, what);
  }
  const text =
    count === 1
      ? vscode.l10n.t('Reverted story #{0}: {1}.', first, what)
      : vscode.l10n.t('Reverted {0} stories: {1}.', count, what);
  return withLostPlaces(text, lost);
}

/** What of a story a change is about: "estimate", "labels". */
function changedWords(intent: Intent): readonly string[] {
  if (intent.kind === 'edit') return fieldNames(intent.edit).map((field) => fieldWords()[field]);
  return [intent.kind === 'labels' ? fieldWords().labels : vscode.l10n.t('a task')];
}

/** What was done, and which stories do not stand where they stood, since others do. */
export function withLostPlaces(text: string, lost: readonly number[]): string {
  if (lost.length === 0) return text;
  const ids = lost.map((id) => `#${id}`).join(', ');
  return `${text} ${vscode.l10n.t('Others have been moved to the former position of {0}.', ids)}`;
}

function changedSinceText(way: UndoWay, storyIds: readonly number[]): string {
  const [first, another] = storyIds;
  if (first !== undefined && another === undefined) {
    return way === 'undo'
      ? vscode.l10n.t('Could not undo because story #{0} has been changed since.', first)
      : vscode.l10n.t('Could not redo because story #{0} has been changed since.', first);
  }
  const ids = storyIds.map((id) => `#${id}`).join(', ');
  return way === 'undo'
    ? vscode.l10n.t('Could not undo because these stories have been changed since: {0}', ids)
    : vscode.l10n.t('Could not redo because these stories have been changed since: {0}', ids);
}

/** Of several, how many, and each of their reasons once. */
function refusal(errors: readonly unknown[], of: number): unknown {
  if (of === 1) return errors[0];
  const reasons = [...new Set(errors.map(messageOf))].join(' ');
  return new TrackerError(
    'refused',
    vscode.l10n.t('Could not change {0} of {1} stories. {2}', errors.length, of, reasons),
  );
}
