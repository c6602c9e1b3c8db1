import { isSameProject } from '../../core/story/projectKey.ts';
import type { NamedStory, TreeNode } from '../tree/nodes.ts';

interface TabStory {
  /** Tells the tab from others. */
  readonly tab: object;
  readonly story: NamedStory;
  /** The rows of the tree that were selected when a person came to the tab. */
  readonly selected: readonly TreeNode[];
}

let shown: TabStory | undefined;
let awaited: Pick<TabStory, 'tab' | 'selected'> | undefined;

/** A person asks for this tab now, which VS Code shows in a moment; what they select until then, they select after it. */
export function awaitTab(tab: object, selected: readonly TreeNode[]): void {
  awaited = { tab, selected };
}

/** A person sees this story in the active editor now. */
export function noticeTab(tab: object, story: NamedStory, selected: readonly TreeNode[]): void {
  const before = awaited?.tab === tab ? awaited.selected : selected;
  awaited = undefined;
  if (shown?.tab === tab && shown.story.storyId === story.storyId && isSameProject(shown.story.key, story.key)) return;
  shown = { tab, story, selected: before };
}

/** The tab is not the active editor any more. */
export function forgetTab(tab: object): void {
  if (shown?.tab === tab) shown = undefined;
}

/** The story of the active editor, unless another row was selected since a person came to it. */
export function storyOfTab(selected: readonly TreeNode[]): NamedStory | undefined {
  const before = shown?.selected ?? [];
  // While the tree is painted again, VS Code tells of no selection.
  const isAsBefore = selected.length === before.length && selected.every((row) => before.includes(row));
  return isAsBefore || selected.length === 0 ? shown?.story : undefined;
}
