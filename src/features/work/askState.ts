import * as vscode from 'vscode';
import { isEstimatable, nextActions, type StoryAction, type WorkflowRules } from '../../core/backlog/workflow.ts';
import { TrackerError } from '../../core/errors.ts';
import type { Story } from '../../core/story/story.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import { type ChosenStories, nameOfStories } from './chosenStories.ts';

/**
 * The state that a person picks among the sensible next ones, of several stories those that all have.
 * @throws TrackerError `input` when there is none.
 */
export async function askState(stories: ChosenStories['stories'], project: WorkflowRules): Promise<string | undefined> {
  const names = {
    start: vscode.l10n.t('Start'),
    finish: vscode.l10n.t('Finish'),
    deliver: vscode.l10n.t('Deliver'),
    accept: vscode.l10n.t('Accept'),
    reject: vscode.l10n.t('Reject'),
    restart: vscode.l10n.t('Restart'),
  };
  const items = commonActions(stories, project).map(({ action, state }) => ({
    label: names[action],
    description: state,
    state,
  }));
  const [first, ...others] = stories;
  if (items.length === 0) {
    throw new TrackerError(
      'input',
      others.length === 0
        ? vscode.l10n.t('Story #{0} has no next state that we know.', first.id)
        : vscode.l10n.t('These stories have no next state in common.'),
    );
  }
  const title = nameOfStories(stories);
  const placeHolder = others.length === 0 ? `${title} · ${withoutIcons(storyLabel(first))}` : title;
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.state;
}

function commonActions([first, ...others]: ChosenStories['stories'], project: WorkflowRules): readonly StoryAction[] {
  const restOf = others.map((story) => actionsOf(story, project));
  return actionsOf(first, project).filter(({ state }) =>
    restOf.every((actions) => actions.some((action) => action.state === state)),
  );
}

/** Those that want an estimate first too: it is asked for. */
function actionsOf(story: Story, project: WorkflowRules): readonly StoryAction[] {
  const estimate = Math.max(0, story.estimate ?? 0);
  return nextActions(isEstimatable(story.type, project) ? { ...story, estimate } : story, project);
}
