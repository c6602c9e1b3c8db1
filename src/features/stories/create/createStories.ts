import * as vscode from 'vscode';
import { type Backlog, findStory } from '../../../core/backlog/backlog.ts';
import { messageOf } from '../../../core/errors.ts';
import { placeOfNew, type ShownPlace, shownPlace, type WantedPlace } from '../../../core/moves/newPlaces.ts';
import { keyText, type ProjectKey } from '../../../core/story/projectKey.ts';
import type { NewStory } from '../../../core/story/story.ts';
import type { App } from '../../../host/app.ts';
import { callerOf } from '../../../host/shell/commands.ts';
import { storyTemplate } from '../../../host/shell/featureSettings.ts';
import type { MadeStory, WantedStory } from '../../../host/story/newStories.ts';
import { type CreatedStories, makeReversibly } from '../../../host/story/reversibleStories.ts';
import { plannedCopy } from '../../../host/story/storyCopies.ts';
import { waitingText } from '../../../host/story/submitIntents.ts';

export type CreateNeeds = Pick<
  App,
  'backlogs' | 'log' | 'messages' | 'openDrafts' | 'restoredStories' | 'storiesView' | 'undoHistory'
>;

/** What a new story that a program asked for has become: the server has it, or it waits for the server. */
export type NewStoryAnswer = { readonly storyId: number } | { readonly waiting: true };

/**
 * Makes stories at a place, in their order, and says where the first is. Those without a description get the
 * template of their type. @throws TrackerError in the server's words when it refuses all of them.
 */
export async function createStories(
  needs: CreateNeeds,
  key: ProjectKey,
  stories: readonly NewStory[],
  place: WantedPlace,
): Promise<CreatedStories> {
  const { state, beside, isBackwards } = placeOfNew(await knownBacklog(needs, key), place);
  const wanted = stories.map(
    (story): WantedStory => ({
      story: { ...withTemplate(story), state },
      ...(beside && { beside }),
    }),
  );
  const made = await makeReversibly(needs, key, isBackwards ? wanted.toReversed() : wanted);
  const created = isBackwards ? { made: made.made.toReversed(), refused: made.refused.toReversed() } : made;
  tellCreated(needs, key, created.made, place);
  return created;
}

/**
 * Copies the rows clicked or selected, the story a program names, or one picked: what was planned of it, with its tasks to be
 * done again, right behind it. Its comments, files, commits and ticket stay its own.
 */
export async function duplicateStory(
  needs: CreateNeeds & Pick<App, 'storyArgument'>,
  ...args: readonly unknown[]
): Promise<NewStoryAnswer | undefined> {
  const placeHolder = vscode.l10n.t('Duplicate which story?');
  const found = await needs.storyArgument.several(args, placeHolder, { selectionOf: 'person' });
  let answer: NewStoryAnswer | undefined;
  for (const ofProject of Map.groupBy(found, ({ key }) => keyText(key)).values()) {
    const [first] = ofProject;
    if (!first) continue;
    const { key } = first;
    const backlog = await knownBacklog(needs, key);
    const wanted = ofProject.map(({ story }): WantedStory => {
      const { state, beside } = placeOfNew(backlog, { behind: story });
      const tasks = story.tasks.map(({ description }) => ({ description, complete: false }));
      const copy = plannedCopy(story, vscode.l10n.t('Copy of {0}', story.name), backlog?.project);
      return { story: { ...copy, state }, tasks, ...(beside && { beside }) };
    });
    const { made, refused } = await makeReversibly(needs, key, wanted);
    tellCreated(needs, key, made);
    if (callerOf(args) === 'person') await revealFirst(needs, key, made);
    const [copy] = made;
    if (copy) answer ??= answerFor(copy);
    if (refused[0]) throw refused[0].problem;
  }
  return answer;
}

export function answerFor({ storyId, waiting }: MadeStory): NewStoryAnswer {
  return waiting ? { waiting: true } : { storyId };
}

/** `undefined` while nothing is known of it: a story can be made all the same. */
async function knownBacklog({ backlogs, log }: CreateNeeds, key: ProjectKey): Promise<Backlog | undefined> {
  return backlogs.backlog(key).catch((thrown: unknown) => {
    log.debug(messageOf(thrown));
    return undefined;
  });
}

function withTemplate(story: NewStory): NewStory {
  const template = story.description === undefined ? storyTemplate(story.type ?? 'feature') : undefined;
  return template === undefined ? story : { ...story, description: template };
}

/** Shows the first to the person who made it, as long as `isWanted` has it so. */
export async function revealFirst(
  { storiesView }: Pick<CreateNeeds, 'storiesView'>,
  { accountId, projectId }: ProjectKey,
  [first]: readonly MadeStory[],
  isWanted = () => true,
): Promise<void> {
  if (first) await storiesView.reveal(first.storyId, projectId, { focus: true, accountId, isWanted });
}

/** Tells where the first went. */
function tellCreated(
  { backlogs, messages }: CreateNeeds,
  key: ProjectKey,
  made: readonly MadeStory[],
  place?: WantedPlace,
): void {
  const [first, ...others] = made;
  if (!first) return;
  const { storyId, waiting } = first;
  if (waiting) {
    messages.status(waitingText(waiting, backlogs.signInOf(key)));
    return;
  }
  const backlog = backlogs.peek(key);
  const shown = backlog && findStory(backlog, storyId) ? shownPlace(backlog, storyId) : undefined;
  messages.status(createdText(storyId, others.length + 1, shown, place));
}

function createdText(
  storyId: number,
  count: number,
  shown: ShownPlace | undefined,
  wanted: WantedPlace | undefined,
): string {
  const where = shown && placeText(shown);
  const what =
    count === 1
      ? where
        ? vscode.l10n.t('Created story #{0} in {1}.', storyId, where)
        : vscode.l10n.t('Created story #{0}.', storyId)
      : where
        ? vscode.l10n.t('Created {0} stories, the first in {1}.', count, where)
        : vscode.l10n.t('Created {0} stories.', count);
  const missed = missedIteration(shown, wanted);
  return missed === undefined ? what : `${what} ${vscode.l10n.t('Iteration {0} has no room.', missed)}`;
}

function missedIteration(shown: ShownPlace | undefined, wanted: WantedPlace | undefined): number | undefined {
  if (typeof wanted !== 'object' || !('iteration' in wanted)) return undefined;
  return shown && 'number' in shown && shown.number !== wanted.iteration ? wanted.iteration : undefined;
}

/** A place as its row is called. */
export function placeText(place: ShownPlace): string {
  switch (place.list) {
    case 'icebox':
      return vscode.l10n.t('Icebox');
    case 'done':
      return vscode.l10n.t('Done');
    case 'current':
      return vscode.l10n.t('Current {0}', place.number);
    case 'backlog':
      return vscode.l10n.t('Backlog {0}', place.number);
  }
}
