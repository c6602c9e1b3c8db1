import * as vscode from 'vscode';
import { isMeant } from '../../../core/story/projectKey.ts';
import type { App } from '../../../host/app.ts';
import type { StoryNode } from '../../../host/tree/nodes.ts';
import type { ShownStories } from './shownStories.ts';
import type { StoryTree } from './storyTree.ts';

type Needs = Pick<App, 'backlogs' | 'messages'>;

/** Finds the row of a story below its project, whatever must be read or shown for it. */
export class StoryFinder {
  private readonly needs: Needs;
  private readonly tree: StoryTree;
  private readonly shown: ShownStories;

  constructor(needs: Needs, tree: StoryTree, shown: ShownStories) {
    this.needs = needs;
    this.tree = tree;
    this.shown = shown;
  }

  /** `accountId`: whose project is meant, else the first that has this id. A filter that hides the story ends. */
  async shownRowOf(storyId: number, projectId: number, accountId: string | undefined): Promise<StoryNode | undefined> {
    await this.shown.current();
    if (this.shown.filterText === undefined) return this.rowOf(storyId, projectId, accountId);
    const entry = await this.entryOf(projectId, accountId);
    const row = entry && (await this.tree.findStory(entry.key, storyId));
    if (row || !entry) return row;
    await this.shown.filter('');
    this.needs.messages.status(vscode.l10n.t('The filter hid this story, so it was cleared.'));
    return this.rowOf(storyId, projectId, accountId);
  }

  /** Only where it is among the rows as they are shown. */
  async listedRowOf(storyId: number, projectId: number, accountId: string | undefined): Promise<StoryNode | undefined> {
    await this.shown.current();
    const entry = await this.entryOf(projectId, accountId);
    return entry && this.tree.findStory(entry.key, storyId);
  }

  /** Older done iterations are loaded until one has it. */
  private async rowOf(
    storyId: number,
    projectId: number,
    accountId: string | undefined,
  ): Promise<StoryNode | undefined> {
    const { backlogs } = this.needs;
    const entry = await this.entryOf(projectId, accountId);
    if (!entry) return undefined;
    await this.tree.reshape(await this.shown.current());
    for (let shown = -1; ; ) {
      const row = await this.tree.findStory(entry.key, storyId);
      const { length } = (await backlogs.backlog(entry.key)).done;
      if (row || length <= shown) return row;
      shown = length;
      await backlogs.loadMoreDone(entry.key);
    }
  }

  private async entryOf(projectId: number, accountId: string | undefined) {
    const projects = await this.needs.backlogs.projects();
    return projects.find(({ key }) => isMeant(key, { projectId, ...(accountId !== undefined && { accountId }) }));
  }
}
