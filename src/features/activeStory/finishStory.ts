import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { isSameStory } from '../../core/activeStory/storyBinding.ts';
import { stateWord } from '../../core/backlog/stateWords.ts';
import { finishedState } from '../../core/backlog/workflow.ts';
import { messageOf, TrackerError } from '../../core/errors.ts';
import { isSameProject } from '../../core/story/projectKey.ts';
import type { StoryEdit } from '../../core/story/story.ts';
import type { App } from '../../host/app.ts';
import { askedRepository } from '../../host/git/chooseRepository.ts';
import { type Caller, callerOf, isPlainObject, programArguments } from '../../host/shell/commands.ts';
import { openAddress } from '../../host/shell/messages.ts';
import { estimatedEdit } from '../../host/story/estimatedEdit.ts';
import { offerUndo } from '../../host/story/offerUndo.ts';
import { storyOfTab } from '../../host/story/tabStory.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { askChanges } from './askChanges.ts';
import { FinishedWork } from './finishedWork.ts';
import { type StoryBranch, storyBranch } from './finishPlace.ts';
import type { FollowedStories } from './followedStories.ts';
import type { ChangesWish } from './switchBranch.ts';
import { type EditNeeds, editWithWork, entryOf } from './workEntry.ts';
import { workPlace } from './workPlace.ts';
import { askSteps, type FinishStep, finishSteps, titleOf } from './workSteps.ts';

type FinishNeeds = EditNeeds &
  Pick<App, 'backlogs' | 'engine' | 'git' | 'history' | 'log' | 'storiesView' | 'storyArgument' | 'workspaceMemory'>;

/** What is to be done, once everything has been asked. */
interface Finish {
  readonly steps: ReadonlySet<FinishStep>;
  readonly changes: ChangesWish;
}

/**
 * Finish Story (contract.md): the story is finished, or accepted where its type knows no other end, and commits of its branch are linked
 * to it, unless `link` is `false`; with `push` the branch is pushed, with `backToBase` the base is checked out, and with `deleteBranch` the
 * branch is deleted where it is merged. A person chooses what of it to do. Nothing is changed before everything has been asked, and one undo takes back what
 * can be.
 */
export async function finishStory(
  needs: FinishNeeds,
  stories: FollowedStories,
  ...args: readonly unknown[]
): Promise<void> {
  const isElsewhere = args[0] !== undefined || storyOfTab(needs.storiesView.selection()) !== undefined;
  const meant = isElsewhere ? args[0] : stories.shown?.story;
  const found = await needs.storyArgument.ofSelection(meant, vscode.l10n.t('Finish which story?'));
  if (!found) return;
  const there = await branchPlace(needs, stories, found, args);
  if (there === 'turnedAway') return;
  const place = there && programArguments(args).link === false ? { ...there, unlinked: [] } : there;
  const finish =
    callerOf(args) === 'program' ? programFinish(found, place, args) : await askFinish(needs, found, place);
  const edit = finish && (await finishingEdit(needs, found, finish));
  if (finish && edit) await finishThere(needs, stories, { found, place, finish, edit, caller: callerOf(args) });
}

/** The story's branch, in the repository that is named, else where the story is worked on. */
async function branchPlace(
  needs: FinishNeeds,
  stories: FollowedStories,
  found: FoundStory,
  args: readonly unknown[],
): Promise<StoryBranch | undefined | 'turnedAway'> {
  const asked = askedRepository(args.find(isPlainObject)).repository;
  const active = { ...found.key, storyId: found.story.id };
  const worked = stories.all.find(({ story }) => isSameStory(story, active))?.repository;
  const place = worked && !asked ? { repository: worked } : await workPlace(needs, asked);
  if (!place) return 'turnedAway';
  return place.repository && storyBranch(needs, stories, place.repository, found);
}

/** @throws TrackerError `input` where a step is named that needs the story's branch. */
function programFinish({ story }: FoundStory, place: StoryBranch | undefined, args: readonly unknown[]): Finish {
  const { push, backToBase, deleteBranch, link } = programArguments(args);
  for (const [name, value] of Object.entries({ push, backToBase, deleteBranch, link })) {
    if (value === undefined || typeof value === 'boolean') continue;
    throw new TrackerError('input', vscode.l10n.t('Pass {0} as true or false.', name));
  }
  const back = backToBase === true || deleteBranch === true;
  if (!place && (push === true || back)) {
    throw new TrackerError('input', vscode.l10n.t('Check out the branch of story #{0} first.', story.id));
  }
  if (back && place && !place.base) {
    throw new TrackerError('input', vscode.l10n.t('Set "storyTracker.baseBranch" to the branch to return to.'));
  }
  const steps: readonly FinishStep[] = [
    'state',
    'link',
    ...(push === true && (place?.isUnpushed || place?.remote === undefined) ? (['push'] as const) : []),
    ...(back && !place?.isBase ? (['base'] as const) : []),
    ...(deleteBranch === true ? (['delete'] as const) : []),
  ];
  return { steps: new Set(steps), changes: 'carry' };
}

const MEMORY_KEY = 'storyTracker.finishSteps';

/** Ticks for each step, where there are several, and what becomes of uncommitted work. `undefined`: the person turned away. */
async function askFinish(
  { messages, workspaceMemory }: FinishNeeds,
  { story }: FoundStory,
  place: StoryBranch | undefined,
): Promise<Finish | undefined> {
  const steps = finishSteps(story, place && offered(place));
  if (steps.length === 0) {
    const already = vscode.l10n.t('Story #{0} is already {1}.', story.id, stateWord(story.state));
    messages.status([already, ...leftTexts(place)].join(' '));
    return undefined;
  }
  const taken =
    steps.length === 1
      ? new Set(steps.map(({ name }) => name))
      : await askSteps(workspaceMemory, steps, {
          title: titleOf(story, 'finish'),
          placeHolder: vscode.l10n.t('Choose what to do, then press Enter'),
          memoryKey: MEMORY_KEY,
        });
  if (!taken) return undefined;
  const base = taken.has('base') ? place?.base : undefined;
  const changes = place && base ? await askChanges(place.repository, base.branch, 'stay') : 'carry';
  if (changes === undefined) return undefined;
  if (changes !== 'leave') return { steps: taken, changes };
  return { steps: new Set([...taken].filter((step) => step !== 'base')), changes: 'carry' };
}

function offered(place: StoryBranch) {
  const { branch, base, isBase, isBaseTaken, remote, isUnpushed, pullRequest, unlinked } = place;
  return {
    branch,
    ...(isUnpushed && remote !== undefined && { pushTo: remote }),
    ...(base && !isBase && !isBaseTaken && { base: base.branch }),
    unlinked: unlinked.length,
    hasPullRequestPage: pullRequest !== undefined,
  };
}

/** Why nobody can be taken back from the branch of a story. */
function leftTexts(place: StoryBranch | undefined): readonly string[] {
  if (!place || place.isBase) return [];
  const { branch, base, isBaseTaken } = place;
  if (!base) {
    return [
      vscode.l10n.t('{0} is still checked out. Set "storyTracker.baseBranch" to the branch to return to.', branch),
    ];
  }
  return isBaseTaken
    ? [vscode.l10n.t('{0} is still checked out because another folder has {1}.', branch, base.branch)]
    : [];
}

/** `undefined`: the person turned away. */
async function finishingEdit(
  { backlogs }: FinishNeeds,
  { key, story }: FoundStory,
  { steps }: Finish,
): Promise<StoryEdit | undefined> {
  const state = steps.has('state') ? finishedState(story) : undefined;
  if (state === undefined) return {};
  const { project } = await backlogs.backlog(key);
  return estimatedEdit(state, undefined, story, project);
}

interface There {
  readonly found: FoundStory;
  readonly place: StoryBranch | undefined;
  readonly finish: Finish;
  readonly edit: StoryEdit;
  readonly caller: Caller;
}

/** First what is done with Git, which hooks, the remote and what is not committed may stop, then the story. */
async function finishThere(needs: FinishNeeds, stories: FollowedStories, there: There): Promise<void> {
  const { found, place, finish, edit, caller } = there;
  const { steps, changes } = finish;
  const failed = (done: FinishedWork) => needs.undoHistory.add(entryOf(needs, found, done));
  const wanted = place && {
    ...{ place, story: { ...found.key, storyId: found.story.id } },
    pushes: steps.has('push'),
    ...(steps.has('base') && { back: changes }),
    deletes: steps.has('delete'),
    caller,
  };
  const done = wanted && (await FinishedWork.finish(needs, stories, wanted, failed));
  const state = edit.state ?? found.story.state;
  const left = caller === 'person' ? leftTexts(place) : [];
  const finished = vscode.l10n.t('Story #{0} is {1}.', found.story.id, stateWord(state));
  const text = [finished, ...(done?.notes ?? []), ...left].join(' ');
  const git = done?.hasChanged ? done : undefined;
  await editWithWork(needs, found, edit, git, text);
  const linked = place && steps.has('link') && place.unlinked.length > 0 ? await link(found, place) : undefined;
  const isThere = place && (steps.has('push') || !place.isUnpushed);
  const page = isThere && steps.has('pullRequest') ? place.pullRequest : undefined;
  if (page !== undefined) await openAddress(page);
  const opened = page === undefined ? [] : [vscode.l10n.t('Opened the page to create a pull request.')];
  const results = [...(done?.steps ?? []), ...(linked === undefined ? [] : [linked]), ...opened];
  tellDone(needs, there, { text, results, canUndo: git !== undefined || Object.keys(edit).length > 0 });
}

interface Done {
  readonly text: string;
  /** Of each step but the story's own state. */
  readonly results: readonly string[];
  readonly canUndo: boolean;
}

/** In one place, whatever was done: the steps one by one behind the sentence that says it all. */
function tellDone({ backlogs, log, messages }: FinishNeeds, { found }: There, { text, results, canUndo }: Done): void {
  if (results.length === 0) return;
  for (const result of results) log.info(result);
  const { key, story } = found;
  const waits = backlogs.unsent.some(
    ({ intent, project }) => intent.storyId === story.id && isSameProject(project, key),
  );
  const said = waits ? vscode.l10n.t('{0} Not sent yet.', text) : text;
  if (canUndo) offerUndo(said, 'edit', results);
  else messages.status([said, ...results].join(' '));
}

/** Commits that do not mention the story leave its state alone: that is a step of its own. Tells what became of them. */
async function link({ key, story }: FoundStory, { repository, unlinked }: StoryBranch): Promise<string | undefined> {
  try {
    const linked: unknown = await vscode.commands.executeCommand(commandIds.linkCommits, {
      ...{ ...key, storyId: story.id, commits: unlinked, verb: '' },
      ...{ repository: repository.rootUri.toString(), isPart: true },
    });
    return typeof linked === 'string' ? linked : undefined;
  } catch (thrown) {
    const sentence = vscode.l10n.t(
      'Story #{0} is finished, but its commits are not linked. {1}',
      story.id,
      messageOf(thrown),
    );
    throw new TrackerError('refused', sentence, { cause: thrown });
  }
}
