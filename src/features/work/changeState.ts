import * as vscode from 'vscode';
import { isEstimatable, nextActions, type StoryAction, type WorkflowRules } from '../../core/backlog/workflow.ts';
import { TrackerError } from '../../core/errors.ts';
import type { Story } from '../../core/story/story.ts';
import { programArguments } from '../../host/shell/commands.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import { estimatedEdit } from '../../host/story/estimatedEdit.ts';
import type { StoriesOfProject } from '../../host/story/storyArgument.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import { applyEdits, type WantedEdit } from './applyEdits.ts';
import { chosenStories, nameOfStories } from './chosenStories.ts';
import type { WorkNeeds } from './editsMade.ts';

/**
 * Moves stories to another state: the one named by `state`, beside the story or after its row, else one of the next that
 * is picked. An estimate that the state needs is taken from `estimate` or asked for.
 */
export async function changeState(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const chosen = await chosenStories(needs, args, vscode.l10n.t('Change the state of which story?'));
  if (!chosen) return;
  const wanted = wish(args);
  const { project } = await needs.backlogs.backlog(chosen.key);
  const state = wanted.state ?? (await askState(chosen.stories, project));
  if (state === undefined) return;
  const edits: WantedEdit[] = [];
  for (const story of chosen.stories) {
    const edit = await estimatedEdit(state, wanted.estimate, story, project);
    if (!edit) return;
    edits.push({ story, intent: { kind: 'edit', storyId: story.id, edit } });
  }
  await applyEdits(needs, chosen.key, edits, doneText(chosen, state));
}

function doneText({ stories: [first, ...others] }: StoriesOfProject, state: string): string {
  return others.length === 0
    ? vscode.l10n.t('Story #{0} is now {1}.', first.id, state)
    : vscode.l10n.t('{0} stories are now {1}.', others.length + 1, state);
}

interface Wish {
  readonly state?: string;
  readonly estimate?: number;
}

function wish(args: readonly unknown[]): Wish {
  const { state, estimate } = programArguments(args);
  if (state !== undefined && (typeof state !== 'string' || state === '')) {
    throw new TrackerError('input', vscode.l10n.t('Pass the state as { state: string }.'));
  }
  return { ...(state === undefined ? {} : { state }), ...(typeof estimate === 'number' ? { estimate } : {}) };
}

/**
 * The state that a person picks among the sensible next ones, of several stories those that all have.
 * @throws TrackerError `input` when there is none.
 */
async function askState(stories: StoriesOfProject['stories'], project: WorkflowRules): Promise<string | undefined> {
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
        ? vscode.l10n.t('Story #{0} has no known next state.', first.id)
        : vscode.l10n.t('These stories have no common next state.'),
    );
  }
  const title = nameOfStories(stories);
  const placeHolder = others.length === 0 ? `${title} · ${withoutIcons(storyLabel(first))}` : title;
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.state;
}

function commonActions(
  [first, ...others]: StoriesOfProject['stories'],
  project: WorkflowRules,
): readonly StoryAction[] {
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
