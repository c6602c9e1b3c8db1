import * as vscode from 'vscode';
import { isEstimatable } from '../../../core/backlog/workflow.ts';
import { MAX_STORY_NAME } from '../../../core/limits.ts';
import { placeOfNew } from '../../../core/moves/newPlaces.ts';
import { keyText } from '../../../core/story/projectKey.ts';
import type { NewStory, Story } from '../../../core/story/story.ts';
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
      const isEstimated = !backlog || isEstimatable(story.type, backlog.project);
      return { story: { ...copyOf(story, isEstimated), state }, tasks, ...(beside && { beside }) };
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

function copyOf(
  { name, type, estimate = -1, description, ownedBy, deadline, labels }: Story,
  isEstimated: boolean,
): NewStory {
  return {
    ...{ name: vscode.l10n.t('Copy of {0}', name).slice(0, MAX_STORY_NAME), type, labels },
    ...(isEstimated && estimate >= 0 && { estimate }),
    // An empty one is no invitation to fill in the template of its type.
    description: description ?? null,
    ...(ownedBy !== undefined && { ownedBy }),
    ...(deadline !== undefined && { deadline }),
  };
}
