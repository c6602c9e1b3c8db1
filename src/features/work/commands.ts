import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { stateWord, typeWord } from '../../core/backlog/stateWords.ts';
import {
  isEstimatable,
  isStarted,
  nextActions,
  type StoryAction,
  statesOf,
  type WorkflowRules,
} from '../../core/backlog/workflow.ts';
import { TrackerError } from '../../core/errors.ts';
import type { LabelChange } from '../../core/intents/intent.ts';
import type { Project } from '../../core/story/project.ts';
import type { Story } from '../../core/story/story.ts';
import { type Caller, programArguments } from '../../host/shell/commands.ts';
import { withoutIcons, withoutLinks } from '../../host/shell/plainText.ts';
import { commentDraft } from '../../host/story/draftFiles.ts';
import { countedPoints, estimatedEdits } from '../../host/story/estimatedEdit.ts';
import type { StoriesOfProject } from '../../host/story/storyArgument.ts';
import { isPoints } from '../../host/story/storyFieldsArgument.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import { submitIntents } from '../../host/story/submitIntents.ts';
import type { EntryMakers } from '../../host/story/undoHistory.ts';
import { GivenStory } from '../../host/tree/nodes.ts';
import {
  applyEdits,
  chosenStories,
  editAgain,
  nameOfStories,
  storiesInSentence,
  type WantedEdit,
  type WorkNeeds,
} from './applyEdits.ts';
import { askLabels } from './askLabels.ts';
import { projectMoveMakers } from './moveToProject.ts';
import { taskMakers } from './taskCommands.ts';

/** What the commands of this slice do; loaded when the first of them is used. */
export { deleteStory } from './deleteStories.ts';
export { changeType, editStory, renameStory } from './editStory.ts';
export { linkTicket, openTicket, unlinkTicket } from './linkTicket.ts';
export { moveToProject } from './moveToProject.ts';
export { assignStory, giveStoryUp, ownStory } from './ownStory.ts';
export { addTask, addTaskTo, deleteTask, editTask, moveTask, tickTask } from './taskCommands.ts';

/** Makes what was done in an earlier window entries of the undo history again. */
export function workMakers(needs: WorkNeeds): Omit<EntryMakers, 'goneStories' | 'move' | 'thereStories'> {
  return {
    edit: async (...entry) => editAgain(needs, ...entry),
    ...taskMakers(needs),
    ...projectMoveMakers(needs),
  };
}

/**
 * Moves stories to another state: the one named by `state`, beside the story or after its row, else one of the next that
 * is picked. An estimate that the state needs is taken from `estimate` or asked for.
 */
export async function changeState(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const chosen = await chosenStories(needs, args, vscode.l10n.t('Change the state of which story?'));
  if (!chosen) return;
  const wanted = stateArguments(args);
  const { project } = await needs.backlogs.backlog(chosen.key);
  const choice = wanted.state === undefined ? await askState(chosen.stories, project) : { state: wanted.state };
  if (choice?.command !== undefined) {
    const story = new GivenStory({ key: chosen.key, story: chosen.stories[0] });
    await vscode.commands.executeCommand(choice.command, story, { caller: 'person' satisfies Caller });
  }
  if (!choice || choice.command !== undefined) return;
  const { state } = choice;
  const moved = await estimatedEdits(state, wanted.estimate, chosen.stories, project);
  if (!moved) return;
  const edits = chosen.stories.flatMap((story, index): readonly WantedEdit[] => {
    const edit = moved[index];
    return edit ? [{ story, intent: { kind: 'edit', storyId: story.id, edit } }] : [];
  });
  await applyEdits(needs, chosen.key, edits, doneText(chosen, state));
}

function doneText({ stories: [first, ...others] }: StoriesOfProject, state: string): string {
  return others.length === 0
    ? vscode.l10n.t('Story #{0} is now {1}.', first.id, stateWord(state))
    : vscode.l10n.t('{0} stories are now {1}.', others.length + 1, stateWord(state));
}

interface Wish {
  readonly state?: string;
  readonly estimate?: number;
}

function stateArguments(args: readonly unknown[]): Wish {
  const { state } = programArguments(args);
  const estimate = estimateArgument(args);
  if (state !== undefined && (typeof state !== 'string' || state === '')) {
    throw new TrackerError('input', vscode.l10n.t('Pass the state as { state: string }.'));
  }
  return { ...(state === undefined ? {} : { state }), ...(typeof estimate === 'number' && { estimate }) };
}

interface StateItem extends vscode.QuickPickItem {
  readonly state: string;
  /** What gets the story there with all that belongs to it. */
  readonly command?: string | undefined;
}

/**
 * What a person picks among the sensible next steps, of several stories those that all have, and all states. One story is started and
 * finished by the commands for it. @throws TrackerError `input` when there is none.
 */
async function askState(
  stories: StoriesOfProject['stories'],
  project: WorkflowRules,
): Promise<Pick<StateItem, 'state' | 'command'> | undefined> {
  const names = {
    start: vscode.l10n.t('Start'),
    finish: vscode.l10n.t('Finish'),
    deliver: vscode.l10n.t('Deliver'),
    accept: vscode.l10n.t('Accept'),
    reject: vscode.l10n.t('Reject'),
    restart: vscode.l10n.t('Restart'),
  };
  const start = { label: vscode.l10n.t('Start Story…'), command: commandIds.startStory };
  const finish = { label: vscode.l10n.t('Finish Story…'), command: commandIds.finishStory };
  const wholes: Partial<Record<string, typeof start | typeof finish>> = { start, restart: start, finish };
  const [first, ...others] = stories;
  const next = commonActions(stories, project).map(({ action, state }): StateItem => {
    const whole = others.length === 0 ? wholes[action] : undefined;
    return { label: names[action], description: stateWord(state), state, ...whole };
  });
  const isNext = (state: string) => next.some((item) => item.command === undefined && item.state === state);
  const rest = commonStates(stories).filter((state) => !isNext(state));
  const separator: StateItem = {
    label: vscode.l10n.t('All States'),
    kind: vscode.QuickPickItemKind.Separator,
    state: '',
  };
  const items =
    rest.length > 0 ? [...next, separator, ...rest.map((state) => ({ label: stateWord(state), state }))] : next;
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
  return vscode.window.showQuickPick(items, { placeHolder });
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

/** The states that stories of all their types can be in, but for the one that all of them have: a mistaken step has a way back. */
function commonStates(stories: StoriesOfProject['stories']): readonly string[] {
  const [first, ...others] = stories;
  const shared = statesOf(first.type).filter((state) =>
    others.every(({ type }) => statesOf(type).some((one) => one === state)),
  );
  return shared.filter((state) => stories.some((story) => story.state !== state));
}

/** Those that want an estimate first too: it is asked for. */
function actionsOf(story: Story, project: WorkflowRules): readonly StoryAction[] {
  const estimate = Math.max(0, story.estimate ?? 0);
  return nextActions(isEstimatable(story.type, project) ? { ...story, estimate } : story, project);
}

/** Gives stories the points named by `estimate`, `null` for none, else those picked from the project's scale. */
export async function estimateStory(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const chosen = await chosenStories(needs, args, vscode.l10n.t('Estimate which story?'));
  if (!chosen) return;
  const { project } = await needs.backlogs.backlog(chosen.key);
  const stories = estimatable(chosen.stories, project);
  const wanted = estimateArgument(args);
  const estimate = wanted === undefined ? await askPoints(stories, project) : wanted;
  if (estimate === undefined) return;
  const edits = stories.map((story) => ({
    story,
    intent: { kind: 'edit', storyId: story.id, edit: { estimate } } as const,
  }));
  const points = estimate === null ? vscode.l10n.t('unestimated') : countedPoints(estimate);
  await applyEdits(needs, chosen.key, edits, vscode.l10n.t('{0}: {1}.', nameOfStories(stories), points));
}

/** Those that are estimated in this project. @throws TrackerError `input` when there is none. */
function estimatable(stories: readonly Story[], project: Project): StoriesOfProject['stories'] {
  const [first, ...others] = stories.filter(({ type }) => isEstimatable(type, project));
  if (first) return [first, ...others];
  const type = stories[0]?.type ?? '';
  throw new TrackerError(
    'input',
    vscode.l10n.t('Stories of type {0} are not estimated in this project.', typeWord(type)),
  );
}

interface PointsItem extends vscode.QuickPickItem {
  readonly points: number | null;
}

async function askPoints(
  stories: StoriesOfProject['stories'],
  { pointScale }: Project,
): Promise<number | null | undefined> {
  const [{ estimate: now }] = stories;
  const current = (points: number) => (stories.every(({ estimate }) => estimate === points) ? isNow : {});
  const isNow = { description: vscode.l10n.t('now') };
  const scale = pointScale.map((points): PointsItem => ({ label: countedPoints(points), points, ...current(points) }));
  // Work that has begun has to have one.
  const mayGo = stories.every(({ state }) => !isStarted(state)) && now !== undefined && now >= 0;
  const none: PointsItem = { label: vscode.l10n.t('No Estimate'), points: null };
  const items = mayGo ? [...scale, none] : scale;
  const placeHolder = vscode.l10n.t('How big is it? ({0})', storiesInSentence(stories));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.points;
}

function estimateArgument(args: readonly unknown[]): number | null | undefined {
  const { estimate } = programArguments(args);
  if (estimate === undefined || estimate === null || isPoints(estimate)) return estimate;
  throw new TrackerError('input', vscode.l10n.t('Pass the estimate as { estimate: number | null }.'));
}

/** Puts labels on stories and takes them off: those of `add` and `remove`, else those picked. */
export async function editLabels(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const chosen = await chosenStories(needs, args, vscode.l10n.t('Edit the labels of which story?'));
  if (!chosen) return;
  const { key, stories } = chosen;
  const { project } = await needs.backlogs.backlog(key);
  const wanted = labelsArgument(args);
  const answer = wanted ? { change: wanted, unused: '' } : await askLabels(stories, project.labels);
  if (!answer) return;
  const { change, unused } = answer;
  if (change.add.length + change.remove.length === 0) {
    if (unused !== '') needs.messages.status(vscode.l10n.t('No labels changed. Select a label to add it.'));
    return;
  }
  const edits = stories.map((story) => ({
    story,
    intent: { kind: 'labels', storyId: story.id, change, known: story.labels } as const,
  }));
  await applyEdits(needs, key, edits, vscode.l10n.t('Changed the labels of {0}.', storiesInSentence(stories)));
}

function labelsArgument(args: readonly unknown[]): LabelChange | undefined {
  const { add = [], remove = [] } = programArguments(args);
  if (isTexts(add) && isTexts(remove)) {
    return add.length + remove.length > 0 ? { add, remove } : undefined;
  }
  throw new TrackerError('input', vscode.l10n.t('Pass the labels as { add?: string[], remove?: string[] }.'));
}

function isTexts(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) && value.every((one) => typeof one === 'string' && one.trim() !== '' && !one.includes(','))
  );
}

/** Adds the comment `text`, else the one that is typed, which is kept until the server has it or it is safe on disk. */
export async function addComment(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const found = await needs.storyArgument.ofSelection(args[0], vscode.l10n.t('Which story do you want to comment on?'));
  if (!found) return;
  const { key, story } = found;
  const wanted = commentArguments(args);
  const draft = commentDraft(key, story.id);
  const drafts = await needs.openDrafts();
  const begun = drafts.get(draft);
  const text =
    wanted ??
    (await vscode.window.showInputBox({
      title: vscode.l10n.t('Comment on Story #{0}', story.id),
      prompt: withoutLinks(storyLabel(story)),
      value: typeof begun === 'string' ? begun : '',
      ignoreFocusOut: true,
      validateInput: (typed) => (typed.trim() === '' ? vscode.l10n.t('Enter a comment.') : undefined),
    }));
  if (text === undefined) return;
  if (wanted === undefined) await drafts.update(draft, text);
  const { waiting } = await submitIntents(needs, key, [{ kind: 'comment', storyId: story.id, text }]);
  if (wanted === undefined) await drafts.update(draft, undefined);
  if (!waiting) needs.messages.status(vscode.l10n.t('Added a comment to story #{0}.', story.id));
}

function commentArguments(args: readonly unknown[]): string | undefined {
  const { text } = programArguments(args);
  if (text === undefined || (typeof text === 'string' && text.trim() !== '')) return text;
  throw new TrackerError('input', vscode.l10n.t('Pass the comment as { text: string }.'));
}
