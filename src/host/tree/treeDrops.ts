import type * as vscode from 'vscode';
import type { StoryNode, TreeNode } from './nodes.ts';

/** What a slice does with something dropped on the story tree. */
export interface DropHandler {
  readonly mimeTypes: readonly string[];
  /** `target` is absent for the empty space below the rows. */
  drop(target: TreeNode | undefined, data: vscode.DataTransfer, token: vscode.CancellationToken): Promise<void>;
}

/** The mime type under which VS Code carries rows of the story tree: the view's id in lower case. */
export const STORY_ROWS = 'application/vnd.code.tree.storytracker.stories';

/** VS Code's name for files that are dragged from outside of it, each of which comes under its own type. */
export const SYSTEM_FILES = 'files';

/**
 * The mime type under which dragged stories go to editors: a JSON array of their ids. The rows themselves would mean nothing
 * in another window, which may just have dragged others.
 */
export const STORY_IDS = 'application/vnd.story-tracker.stories';

/** Who takes drops on the story tree. Slices register before the tree is made, since VS Code asks for the types once. */
export class TreeDrops {
  private readonly handlers: DropHandler[] = [];
  private dragged: readonly StoryNode[] = [];

  register(handler: DropHandler): void {
    this.handlers.push(handler);
  }

  get mimeTypes(): string[] {
    return this.handlers.flatMap(({ mimeTypes }) => mimeTypes);
  }

  /** The rows that are being dragged: VS Code hands them over only as opaque data. */
  get draggedStories(): readonly StoryNode[] {
    return this.dragged;
  }

  drag(stories: readonly StoryNode[]): void {
    this.dragged = stories;
  }

  async drop(target: TreeNode | undefined, data: vscode.DataTransfer, token: vscode.CancellationToken): Promise<void> {
    const isThere = (type: string) =>
      type === SYSTEM_FILES ? [...data].some(([, item]) => item.asFile() !== undefined) : data.get(type) !== undefined;
    const handler = this.handlers.find(({ mimeTypes }) => mimeTypes.some(isThere));
    await handler?.drop(target, data, token);
  }
}

/** VS Code's handle for a row with an `id` of its own is that id behind this. */
const HANDLE = /^1\/(.+)$/;

/**
 * The ids of the rows that are dragged, as VS Code tells them in what it carries for a tree; `undefined` when that cannot be
 * read. `handleDrag` alone does not do: VS Code leaves it out for rows that are painted again just then.
 */
export function draggedIds(carried: unknown): readonly string[] | undefined {
  const handles = handlesIn(carried);
  const ids = handles?.map((handle) => (typeof handle === 'string' ? HANDLE.exec(handle)?.[1] : undefined));
  return ids?.every((id) => id !== undefined) ? ids : undefined;
}

function handlesIn(carried: unknown): readonly unknown[] | undefined {
  if (typeof carried !== 'string') return undefined;
  try {
    const told: unknown = JSON.parse(carried);
    const isTold = typeof told === 'object' && told !== null && 'itemHandles' in told;
    return isTold && Array.isArray(told.itemHandles) && told.itemHandles.length > 0 ? told.itemHandles : undefined;
  } catch {
    return undefined;
  }
}
