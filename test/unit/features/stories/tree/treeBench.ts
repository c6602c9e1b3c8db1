import type { Backlog } from '../../../../../src/core/backlog/backlog.ts';
import { messageOf } from '../../../../../src/core/errors.ts';
import type { Project } from '../../../../../src/core/story/project.ts';
import { StoryTree } from '../../../../../src/features/stories/tree/storyTree.ts';
import {
  DoneSearchNode,
  GroupNode,
  IterationNode,
  type NoticeAccount,
  NoticeNode,
  ProjectNode,
  SavedFilterNode,
  StoryNode,
  type TreeNode,
} from '../../../../../src/host/tree/nodes.ts';
import { aBakery, aBakeryBacklog } from '../../../../support/builders/bakery.ts';

export const key = { accountId: 'home', projectId: 7 };

/** A tree over values that a test replaces. */
export class Bench {
  backlog: Backlog | Error;
  projects: readonly Project[] = [aBakery()];
  /** In place of `projects`, where they are of several accounts. */
  listed: Awaited<ReturnType<ConstructorParameters<typeof StoryTree>[0]['projects']>> | undefined;
  /** Whose servers do not accept the sign-in any more. */
  signedOut: readonly NoticeAccount[] = [];
  /** That projects could not be read. */
  unread: string | undefined;
  /** The stories that are worked on. */
  readonly active = new Set<number>();
  readonly tree: StoryTree;

  constructor(backlog: Backlog | Error = aBakeryBacklog()) {
    this.backlog = backlog;
    this.tree = new StoryTree(
      {
        projects: async () =>
          this.listed ?? this.projects.map((project) => ({ key: { ...key, projectId: project.id }, project })),
        backlog: async () => this.loaded(),
        peek: () => (this.backlog instanceof Error ? undefined : this.backlog),
        isActive: (_, storyId) => this.active.has(storyId),
        signedOut: () => this.signedOut,
        unread: () => this.unread,
      },
      {
        sentenceOf: messageOf,
        nothingFits: 'No matching stories',
        noProjectFits: 'No matching projects',
        hiddenProjects: (count) => `${count} hidden`,
        signedOut: ({ label }) => `${label} signed out`,
        noStories: 'No stories yet',
      },
    );
  }

  /** Paints as VS Code does: the row, then, when it is expanded, all below it. */
  async paint(isExpanded: (row: TreeNode) => boolean = () => true, row?: TreeNode): Promise<readonly Painted[]> {
    const rows = await this.tree.childrenOf(row);
    const painted: Painted[] = [];
    for (const child of rows) {
      this.tree.noticePainted(child);
      const below = isExpanded(child) ? await this.paint(isExpanded, child) : [];
      painted.push(below.length > 0 ? [name(child), below] : name(child));
    }
    return painted;
  }

  /** What rows say in place of others, and where each leads. */
  async notices(row?: TreeNode): Promise<readonly (readonly [string | undefined, string | undefined])[]> {
    const rows = await this.tree.childrenOf(row);
    const below = await Promise.all(
      rows.map(async (child) =>
        child instanceof NoticeNode ? [[child.text, child.action] as const] : this.notices(child),
      ),
    );
    return below.flat();
  }

  async changes(): Promise<readonly string[]> {
    return (await this.tree.changesIn(key)).map(name);
  }

  private loaded(): Backlog {
    if (this.backlog instanceof Error) throw this.backlog;
    return this.backlog;
  }
}

export type Painted = string | readonly [string, readonly Painted[]];

export function name(row: TreeNode): string {
  if (row instanceof ProjectNode) return row.project.name;
  if (row instanceof IterationNode) return [row.group, row.iteration?.number].join(' ').trim();
  if (row instanceof GroupNode) return row.value ?? 'none';
  if (row instanceof StoryNode) return row.story.name;
  if (row instanceof NoticeNode) return row.text ?? 'loading';
  if (row instanceof SavedFilterNode) return row.name;
  if (row instanceof DoneSearchNode) return row.progress.state;
  return 'kind' in row ? `${row.kind} ${row.id}` : 'more';
}
