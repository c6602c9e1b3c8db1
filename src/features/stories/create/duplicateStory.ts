import * as vscode from 'vscode';
import { plannedCopy } from '../../../core/backlog/plannedCopy.ts';
import { placeOfNew } from '../../../core/moves/newPlaces.ts';
import { keyText } from '../../../core/story/projectKey.ts';
import type { App } from '../../../host/app.ts';
import { callerOf } from '../../../host/shell/commands.ts';
import type { WantedStory } from '../../../host/story/newStories.ts';
import { makeReversibly } from '../../../host/story/reversibleStories.ts';
import {
  answerFor,
  type CreateNeeds,
  knownBacklog,
  type NewStoryAnswer,
  revealFirst,
  tellCreated,
} from './createStories.ts';

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
