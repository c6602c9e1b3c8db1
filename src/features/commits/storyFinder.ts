import * as vscode from 'vscode';
import { findStory } from '../../core/backlog/backlog.ts';
import { TrackerError } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';

/** The stories that a commit is linked to, and those it names that nobody knows. */
export interface LinkTargets {
  readonly stories: readonly FoundStory[];
  readonly unknown: readonly number[];
}

/**
 * Finds stories by id for one run of linking. Ids are unique on a server only: where several accounts have one, the
 * account of `chosen` is meant, else the person is asked, once for each id.
 */
export class StoryFinder {
  private readonly app: Pick<App, 'backlogs' | 'accounts'>;
  private readonly chosen: FoundStory | undefined;
  private readonly asked = new Map<number, Promise<FoundStory | undefined>>();

  constructor(app: Pick<App, 'backlogs' | 'accounts'>, chosen: FoundStory | undefined) {
    this.app = app;
    this.chosen = chosen;
  }

  async targets(ids: readonly number[]): Promise<LinkTargets> {
    const stories: FoundStory[] = [];
    const unknown: number[] = [];
    for (const id of ids) {
      const found = await this.find(id);
      if (found) stories.push(found);
      else unknown.push(id);
    }
    return { stories, unknown };
  }

  private find(id: number): Promise<FoundStory | undefined> {
    const finding = this.asked.get(id) ?? this.search(id);
    this.asked.set(id, finding);
    return finding;
  }

  private async search(id: number): Promise<FoundStory | undefined> {
    if (this.chosen?.story.id === id) return this.chosen;
    const found = await this.loaded(id);
    const near = found.find(({ key }) => key.accountId === this.chosen?.key.accountId);
    if (near) return near;
    return found.length > 1 ? this.ask(id, found) : (found[0] ?? this.app.backlogs.story(id));
  }

  /** The story of that id in each account that has one among what was loaded. */
  private async loaded(id: number): Promise<readonly FoundStory[]> {
    const { backlogs } = this.app;
    const byAccount = new Map<string, FoundStory>();
    for (const { key } of await backlogs.projects()) {
      const backlog = backlogs.peek(key);
      const story = backlog && findStory(backlog, id);
      if (story) byAccount.set(key.accountId, { key, story });
    }
    return [...byAccount.values()];
  }

  private async ask(id: number, found: readonly FoundStory[]): Promise<FoundStory> {
    const accounts = await this.app.accounts.list();
    const items = found.map((one) => ({
      label: withoutIcons(`#${id} ${storyLabel(one.story)}`),
      description: accounts.find((account) => account.id === one.key.accountId)?.label ?? '',
      found: one,
    }));
    const placeHolder = vscode.l10n.t('Several servers have a story #{0}. Which one do the commits mean?', id);
    const picked = await vscode.window.showQuickPick(items, { placeHolder });
    if (!picked) throw new TrackerError('cancelled', vscode.l10n.t('Cancelled.'));
    return picked.found;
  }
}
