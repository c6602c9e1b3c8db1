import * as vscode from 'vscode';
import { type Backlog, storiesOf } from '../../../core/backlog/backlog.ts';
import { messageOf } from '../../../core/errors.ts';
import { isSameProject } from '../../../core/story/projectKey.ts';
import type { Story } from '../../../core/story/story.ts';
import type { App } from '../../../host/app.ts';
import type { ProjectEntry } from '../../../host/projects/projectList.ts';
import { withoutIcons } from '../../../host/shell/plainText.ts';
import { activeAndOwnStories, type LikelyNeeds } from '../../../host/story/likelyStories.ts';
import { type PickOrder, pickRank } from '../../../host/story/pickOrder.ts';
import { projectDetail } from '../../../host/story/pickStory.ts';
import { storyPickItem } from '../../../host/story/storyLabel.ts';
import type { FoundStory } from '../../../host/tree/nodes.ts';
import { StorySearch, searchedId } from './storySearch.ts';

type Needs = LikelyNeeds;

interface FoundItem extends vscode.QuickPickItem {
  readonly found?: FoundStory;
}

/** So many rows are shown: more would only slow the list down, and one word more finds the rest. */
const LIMIT = 100;
const ASK_AFTER_MS = 300;

/** A list of stories that searches as one types, over all projects, and asks the servers for an id that is not there. */
class StoryQuickPick implements vscode.Disposable {
  private readonly needs: Needs;
  private readonly projects: readonly ProjectEntry[];
  private readonly pick = vscode.window.createQuickPick<FoundItem>();
  private readonly stories = new StorySearch();
  private readonly order: Promise<PickOrder>;
  private searching = new AbortController();
  private reading: number;

  constructor(needs: Needs, projects: readonly ProjectEntry[]) {
    this.needs = needs;
    this.projects = projects;
    this.order = activeAndOwnStories(needs);
    this.reading = projects.length;
    this.pick.title = vscode.l10n.t('Find Story');
    this.pick.placeholder = vscode.l10n.t('ID such as #12, or words from the name or labels');
    // Not in the typings; without it VS Code would put its own order over ours.
    if ('sortByLabel' in this.pick) Object.assign(this.pick, { sortByLabel: false });
    this.pick.onDidChangeValue(() => void this.search());
  }

  /** `undefined` when the person turned away. */
  async ask(): Promise<FoundStory | undefined> {
    const answered = new Promise<FoundStory | undefined>((resolve) => {
      this.pick.onDidAccept(() => {
        const [item] = this.pick.selectedItems;
        if (item?.found) resolve(item.found);
      });
      this.pick.onDidHide(() => resolve(undefined));
    });
    this.pick.busy = true;
    this.pick.show();
    for (const entry of this.projects) void this.read(entry);
    void this.readFormerIds();
    return answered;
  }

  dispose(): void {
    this.searching.abort();
    this.pick.dispose();
  }

  /** A project that cannot be read hides no story of another. */
  private async read({ key }: ProjectEntry): Promise<void> {
    try {
      const [backlog, order] = await Promise.all([this.needs.backlogs.backlog(key), this.order]);
      const found = latestAcceptedFirst(backlog).map((story) => ({ key, story }));
      this.stories.add(found, (one) => pickRank(one, order));
    } catch (thrown) {
      this.needs.log.warn(messageOf(thrown));
    }
    this.reading -= 1;
    await this.search();
  }

  private async readFormerIds(): Promise<void> {
    await this.needs.backlogs.readFormerIds();
    await this.search();
  }

  private async search(): Promise<void> {
    this.searching.abort();
    this.searching = new AbortController();
    const { signal } = this.searching;
    const query = this.pick.value;
    const found = await this.stories.find(query, LIMIT, signal);
    if (signal.aborted) return;
    const id = searchedId(query);
    const former = id === undefined ? [] : this.needs.backlogs.peekStories(id).filter(({ story }) => story.id !== id);
    const ids = new Set(former.map(({ story }) => story.id));
    const others = found.filter(({ story }) => !ids.has(story.id));
    const near =
      others[0]?.story.id === id ? [...others.slice(0, 1), ...former, ...others.slice(1)] : [...former, ...others];
    this.show(near.map((one) => this.item(one, former.includes(one) ? id : undefined)));
    const isKnown = former.length > 0 || found[0]?.story.id === id;
    if (id !== undefined && this.reading === 0 && !isKnown) await this.askServers(id, found, signal);
  }

  /** After a pause, so that no server is asked for the first digits of a longer id. */
  private async askServers(id: number, near: readonly FoundStory[], signal: AbortSignal): Promise<void> {
    this.pick.busy = true;
    await new Promise((resolve) => setTimeout(resolve, ASK_AFTER_MS));
    if (signal.aborted) return;
    const answer = await this.needs.backlogs.story(id).catch((thrown: unknown) => messageOf(thrown));
    if (signal.aborted) return;
    const none = vscode.l10n.t('Could not find story #{0} in your projects.', id);
    const [first, rest] =
      typeof answer === 'object'
        ? [this.item(answer, answer.story.id === id ? undefined : id), near.filter(({ story }) => story.id !== id)]
        : [undefined, near];
    const said = first ?? {
      label: `$(info) ${withoutIcons(typeof answer === 'string' ? answer : none)}`,
      alwaysShow: true,
    };
    this.show([said, ...rest.map((one) => this.item(one))]);
  }

  private show(items: readonly FoundItem[]): void {
    this.pick.items = items;
    this.pick.busy = this.reading > 0;
  }

  /** `formerId`: by which the story was found, if it had it before its project was moved. */
  private item(found: FoundStory, formerId?: number): FoundItem {
    const project = this.projects.find(({ key }) => isSameProject(key, found.key))?.project;
    const isOneOfSeveral = this.projects.length > 1 && project;
    const detail = isOneOfSeveral ? { detail: projectDetail(this.needs.backlogs, found.key, project) } : {};
    const item = storyPickItem(found.story);
    const formerly = formerId !== undefined && vscode.l10n.t('formerly #{0}', formerId);
    const description = [item.description, formerly].filter((part) => part).join(' · ');
    return { ...item, ...detail, description, alwaysShow: true, found };
  }
}

/** In priority order, with the icebox, then what is accepted, latest first. */
function latestAcceptedFirst(backlog: Backlog): readonly Story[] {
  const seen = new Set<number>();
  const stories = storiesOf(backlog).filter(({ id }) => !seen.has(id) && seen.add(id));
  const isAccepted = ({ state }: Story) => state === 'accepted';
  return [...stories.filter((story) => !isAccepted(story)), ...stories.filter(isAccepted).toReversed()];
}

/** Lets a person look for a story in all projects and shows its row. */
export async function findStory(needs: Needs & Pick<App, 'storiesView'>): Promise<void> {
  const { backlogs, storiesView } = needs;
  const pick = new StoryQuickPick(needs, await backlogs.requireProjects());
  try {
    const found = await pick.ask();
    if (!found) return;
    const { accountId, projectId } = found.key;
    await vscode.commands.executeCommand('storyTracker.stories.focus');
    await storiesView.reveal(found.story.id, projectId, { focus: true, accountId });
  } finally {
    pick.dispose();
  }
}
