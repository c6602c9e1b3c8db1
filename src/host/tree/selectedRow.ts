import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { isSameProject, type ProjectKey } from '../../core/story/projectKey.ts';
import { BY_KEY, DetailNode, type FoundStory, SavedFilterNode, StoryNode, type TreeNode } from './nodes.ts';
import type { RevealOptions, StoriesView } from './storiesView.ts';

type SelectStory = (key: ProjectKey, storyId: number, options?: RevealOptions) => Promise<void>;

interface Needs {
  readonly storiesView: StoriesView;
  readonly log: Log;
}

/** Whether a command was called in the tree, which has the focus then: by a row's menu or by a key. */
export function isFromTree(argument: unknown): boolean {
  return argument instanceof StoryNode || argument instanceof DetailNode || argument === BY_KEY;
}

/** Milliseconds for which we may say that a person waits where they called something. */
const WAIT_MS = 3000;

/** Tells later whether a person is still where they are now: VS Code does not say which view has the focus. */
export function watchFocus(): () => boolean {
  const { activeTerminal, activeTextEditor } = vscode.window;
  const selection = activeTextEditor?.selection;
  const since = performance.now();
  return () => {
    const { window } = vscode;
    const isSameEditor = window.activeTextEditor === activeTextEditor && activeTextEditor?.selection === selection;
    const isHere = window.state.focused && window.activeTerminal === activeTerminal && isSameEditor;
    return isHere && performance.now() - since < WAIT_MS;
  };
}

/** The rows of stories that are selected. */
function selectedStories({ storiesView }: Needs): readonly StoryNode[] {
  return storiesView.selection().filter((row) => row instanceof StoryNode);
}

function isAmong(stories: readonly FoundStory[], { key, story }: FoundStory): boolean {
  return stories.some((one) => one.story.id === story.id && isSameProject(one.key, key));
}

/** Whether those that are selected are among the ones that go; the row of a menu is not always selected. */
function areSelected(needs: Needs, going: readonly FoundStory[]): boolean {
  const rows = selectedStories(needs);
  return rows.length > 0 && rows.every((row) => isAmong(going, row));
}

/** What is to be done once it is known what became of the rows that were to go. */
interface Afterwards {
  /** They stay. */
  selectAgain(): Promise<void>;
  /** They are gone, and nothing is selected: VS Code can select no row while it paints the tree anew. */
  selectNext(): Promise<void>;
  /** One of them is elsewhere. */
  readonly selectMoved: SelectStory;
}

/** A row that is about to go, and the one that takes its place. */
interface Going {
  readonly row: TreeNode;
  readonly next: TreeNode;
  /** Whether the row is that one, or goes with it. */
  readonly goes: (row: TreeNode) => boolean;
  readonly focus: boolean;
}

const none = async () => undefined;
const NOTHING: Afterwards = { selectAgain: none, selectNext: none, selectMoved: none };

/**
 * Selects the row behind those that are about to go, else the one before, else the one above them, as long as they are there:
 * afterwards VS Code would have none. A row that has the focus need not be selected: then only the focus goes on.
 */
export async function selectNeighbor(
  needs: Needs,
  argument: unknown,
  going: readonly FoundStory[],
  key?: unknown,
): Promise<Afterwards> {
  const [row] = selectedStories(needs);
  if (!row || !areSelected(needs, going)) {
    if (key === BY_KEY && argument instanceof StoryNode) await focusOn(needs, neighborOf(argument, going));
    return NOTHING;
  }
  const goes = (one: TreeNode) => one instanceof StoryNode && isAmong(going, one);
  return selectInPlace(needs, { row, goes, next: neighborOf(row, going), focus: isFromTree(argument) });
}

/** As `selectNeighbor`, for the row of a task. */
export async function selectNeighborTask(needs: Needs, row: DetailNode, key?: unknown): Promise<Afterwards> {
  const next = neighborTaskOf(row);
  const [selected, another] = needs.storiesView.selection();
  if (selected === row && !another) return selectInPlace(needs, { row, next, goes: (one) => one === row, focus: true });
  if (key === BY_KEY) await focusOn(needs, next);
  return NOTHING;
}

async function selectInPlace(needs: Needs, { row, next, goes, focus }: Going): Promise<Afterwards> {
  await select(needs, next, { focus });
  const selectAgain = async () => {
    const [now, another] = needs.storiesView.selection();
    const isNext = now === undefined || isSameRow(now, next);
    if (isNext && !another) await select(needs, row, { focus });
  };
  const isHere = watchFocus();
  const selectNext = async () => {
    if (needs.storiesView.selection().every(goes)) await select(needs, next, { focus: () => focus && isHere() });
  };
  return { selectAgain, selectNext, selectMoved: selectingLater(needs, next) };
}

function focusOn(needs: Needs, row: TreeNode): Promise<void> {
  return select(needs, row, { focus: true, select: false });
}

function isSameRow(one: TreeNode, other: TreeNode): boolean {
  if (one instanceof DetailNode && other instanceof DetailNode) {
    return one.kind === other.kind && one.id === other.id && isSameRow(one.parent, other.parent);
  }
  if (!(one instanceof StoryNode && other instanceof StoryNode)) return one === other;
  return one.parent === other.parent && isAmong([one], other);
}

function neighborTaskOf({ parent, kind, id }: DetailNode): TreeNode {
  const ids = parent.story.tasks.map((task) => task.id);
  const at = ids.indexOf(id);
  const next = ids[at + 1] ?? ids[at - 1];
  return next === undefined ? parent : new DetailNode(parent, kind, next);
}

function neighborOf({ parent }: StoryNode, going: readonly FoundStory[]): TreeNode {
  const siblings: readonly FoundStory[] =
    parent instanceof SavedFilterNode ? parent.found : parent.stories.map((story) => ({ key: parent.key, story }));
  const goes = siblings.map((one) => isAmong(going, one));
  const last = goes.lastIndexOf(true);
  const behind = siblings[last + 1];
  const before = siblings[goes.slice(0, last).lastIndexOf(false)];
  const next = behind ?? before;
  return next ? new StoryNode(next.key, next.story, parent) : parent;
}

async function select({ storiesView, log }: Needs, row: TreeNode, options: RevealOptions): Promise<void> {
  const [id, projectId] = row instanceof StoryNode ? [row.story.id, row.key.projectId] : [0, 0];
  await storiesView.reveal(id, projectId, { ...options, row, onlyIfVisible: true }).catch((thrown: unknown) => {
    log.debug(`row not selected: ${messageOf(thrown)}`);
  });
}

/**
 * To be called before a story comes to stand elsewhere, or comes back: what it gives selects its row there, unless another row
 * has been selected since then than those of now, or the one that was `selected` just now.
 */
export function selectingLater(needs: Needs, selected?: TreeNode): SelectStory {
  const { storiesView, log } = needs;
  const before = storiesView.selection();
  return async ({ accountId, projectId }, storyId, options = {}) => {
    const isSelected = (row: TreeNode) => row instanceof StoryNode && row.story.id === storyId;
    const isFormer = (row: TreeNode) => before.includes(row) || (selected !== undefined && isSameRow(row, selected));
    const isWanted = () => storiesView.selection().every((row) => isFormer(row) || isSelected(row));
    try {
      const always = { accountId, onlyIfVisible: true, onlyIfListed: true };
      await storiesView.reveal(storyId, projectId, { isWanted, ...options, ...always });
    } catch (thrown) {
      log.debug(`row of story ${storyId} not selected: ${messageOf(thrown)}`);
    }
  };
}
