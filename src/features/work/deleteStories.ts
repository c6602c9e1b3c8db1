import * as vscode from 'vscode';
import { isPendingStory } from '../../core/intents/edit.ts';
import { keyText } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import { programArguments } from '../../host/shell/commands.ts';
import { commentDraft, type DraftStore, draftsAbout, fieldDrafts } from '../../host/story/draftFiles.ts';
import { partsNames, partsTexts } from '../../host/story/existenceTexts.ts';
import { offerUndo } from '../../host/story/offerUndo.ts';
import { doReversibly } from '../../host/story/reversibleEntry.ts';
import { StoryExistence } from '../../host/story/storyExistence.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import { waitingText } from '../../host/story/submitIntents.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { selectNeighbor } from '../../host/tree/selectedRow.ts';
import type { WorkNeeds } from './applyEdits.ts';

/**
 * Deletes the rows clicked or selected, the story a program names, or one picked; asks once for all of them unless
 * `confirmed`. Taken back, they are made again with new numbers.
 */
export async function deleteStory(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const found = await needs.storyArgument.several(args, vscode.l10n.t('Delete which story?'), {
    selectionOf: 'person',
  });
  if (found.length === 0) return;
  const { confirmed } = programArguments(args);
  if (confirmed !== true && !(await isConfirmed(needs, found))) return;
  const { selectAgain, selectNext } = await selectNeighbor(needs, args[0], found, args[2]);
  try {
    for (const ofProject of Map.groupBy(found, ({ key }) => keyText(key)).values()) await deleteOf(needs, ofProject);
  } catch (thrown) {
    await selectAgain();
    throw thrown;
  }
  await selectNext();
}

async function isConfirmed(needs: WorkNeeds, found: readonly FoundStory[]): Promise<boolean> {
  const stories = found.map(({ story }) => story);
  const question =
    stories.length === 1
      ? vscode.l10n.t('Delete {0}?', stories.map(called).join())
      : vscode.l10n.t('Delete {0} stories?', stories.length);
  const answer = vscode.l10n.t('Delete');
  const detail = detailOf(stories, await unsavedIn(needs, found));
  return (await needs.messages.ask(question, detail, answer)) === answer;
}

/** What the person has written about the stories and not saved, in words; it comes back with them. */
async function unsavedIn({ openDrafts }: WorkNeeds, found: readonly FoundStory[]): Promise<readonly string[]> {
  const drafts = await openDrafts();
  return [...new Set(found.flatMap((one) => unsavedTexts(drafts, one)))];
}

function unsavedTexts(drafts: DraftStore, { key, story }: FoundStory): readonly string[] {
  const [comment, fields] = [commentDraft(key, story.id), fieldDrafts(key, story.id)];
  const [name, description] = [`${fields}/name`, `${fields}/description`];
  const texts = new Map([
    [comment, vscode.l10n.t('your unsaved comment')],
    [name, vscode.l10n.t('your unsaved name')],
    [description, vscode.l10n.t('your unsaved description')],
  ]);
  const other = vscode.l10n.t('other unsaved text of yours');
  const stored = new Map([
    [name, story.name],
    [description, story.description ?? ''],
  ]);
  const isStored = (one: string) => stored.has(one) && Object(drafts.get(one)).text === stored.get(one);
  const kept = draftsAbout(drafts, { ...key, storyId: story.id }).filter((one) => !isStored(one));
  const named = [...texts].flatMap(([one, text]) => (kept.includes(one) ? [text] : []));
  return kept.every((one) => texts.has(one)) ? named : [...named, other];
}

/** Names that are listed. */
const LISTED = 10;

function detailOf(stories: readonly Story[], unsaved: readonly string[]): string {
  const more = stories.length - LISTED;
  const names = stories.length === 1 ? [] : stories.slice(0, LISTED).map(called);
  const parts = listed([...partsTexts(stories, ['comments', 'tasks', 'files', 'commits']), ...unsaved]);
  const lines = [
    ...names,
    ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : []),
    ...(names.length > 0 ? [''] : []),
    ...(parts === '' ? [] : [vscode.l10n.t('This also deletes {0}.', parts)]),
    undoText(stories),
  ];
  return lines.join('\n');
}

function undoText(stories: readonly Story[]): string {
  if (stories.every(isPendingStory)) return unsentText(stories);
  const lost = listed(partsNames(stories, ['comments', 'files', 'commits']));
  if (stories.length === 1) {
    return lost === ''
      ? vscode.l10n.t('Undo restores the story with a new ID.')
      : vscode.l10n.t('Undo restores the story with a new ID, but not its {0}.', lost);
  }
  return lost === ''
    ? vscode.l10n.t('Undo restores the stories with new IDs.')
    : vscode.l10n.t('Undo restores the stories with new IDs, but not their {0}.', lost);
}

/** They go from the outbox, and come back into it. */
function unsentText({ length }: readonly Story[]): string {
  return length === 1
    ? vscode.l10n.t('It has not been sent to the server yet. Undo restores it.')
    : vscode.l10n.t('They have not been sent to the server yet. Undo restores them.');
}

function listed(parts: readonly string[]): string {
  return new Intl.ListFormat(vscode.env.language, { type: 'conjunction' }).format(parts);
}

function called(story: Story): string {
  return isPendingStory(story) ? `“${storyLabel(story)}”` : `#${story.id} “${storyLabel(story)}”`;
}

async function deleteOf(needs: WorkNeeds, found: readonly FoundStory[]): Promise<void> {
  const [first, ...others] = found;
  if (!first) return;
  const { key } = first;
  const { remove, removing, restoring } = new StoryExistence(needs, key);
  const there = found.map(({ story }) => ({ storyId: story.id }));
  const storyIds = there.map(({ storyId }) => storyId);
  const gone = await doReversibly(needs.undoHistory, { key, storyIds }, remove(there), {
    undo: restoring,
    redo: removing,
  });
  const waiting = gone?.stories.find((story) => story.waiting)?.waiting;
  const done =
    others.length > 0
      ? vscode.l10n.t('Deleted {0} stories.', found.length)
      : vscode.l10n.t('Deleted {0}.', called(first.story));
  const text = waiting ? waitingText(waiting, needs.backlogs.signInOf(key)) : done;
  needs.log.info(text);
  offerUndo(text);
}
