import * as vscode from 'vscode';
import { messageOf } from '../../../core/errors.ts';
import type { FilterContext } from '../../../core/filter/filter.ts';
import { filterNamesOf } from '../../../core/filter/filterKeys.ts';
import type { Project } from '../../../core/story/project.ts';
import type { ProjectKey } from '../../../core/story/projectKey.ts';
import { onDidChangeOwnName, ownNames } from '../../../host/accounts/ownNames.ts';
import type { App } from '../../../host/app.ts';
import { setContext } from '../../../host/shell/commands.ts';
import { localDays } from '../../../host/shell/localDays.ts';
import { onDidChangeSavedFilters, savedFilters } from '../filter/savedFilters.ts';
import { searched } from './shownProject.ts';
import { TreeFilter } from './treeFilter.ts';
import {
  type GroupBy,
  isInPriorityOrder,
  type SavedView,
  ShapeMemory,
  type TreeShape,
  wholeTree,
} from './treeShape.ts';

/** How often it is looked whether another day has begun: timers of hours stand still while a machine sleeps. */
const DAY_EVERY_MS = 60_000;

type Needs = Pick<App, 'accounts' | 'backlogs' | 'log' | 'workspaceMemory'>;

type Names = ReturnType<typeof filterNamesOf>;

/** Which stories the tree shows and how: remembered for the workspace. */
export class ShownStories implements vscode.Disposable {
  private readonly needs: Needs;
  private readonly memory: ShapeMemory;
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly found = new vscode.EventEmitter<ProjectKey>();
  private readonly listening: vscode.Disposable;
  private readonly names = new WeakMap<Project, Names>();
  private shape: TreeShape = wholeTree;
  private readonly restoring: Promise<void>;
  private readonly days: NodeJS.Timeout;
  private day = localDays.dayAt(Date.now());

  readonly onDidChange = this.changed.event;

  constructor(needs: Needs) {
    this.needs = needs;
    this.memory = new ShapeMemory(needs.workspaceMemory);
    this.restoring = this.restore();
    this.listening = vscode.Disposable.from(
      onDidChangeSavedFilters(() => void this.resave()),
      onDidChangeOwnName(() => void this.renew(asksForMe)),
    );
    this.days = setInterval(() => this.followDay(), DAY_EVERY_MS);
  }

  /** What was shown last, once it is remembered. */
  async current(): Promise<TreeShape> {
    await this.restoring;
    return this.shape;
  }

  get filterText(): string | undefined {
    return this.shape.filter?.text;
  }

  /** Filters used before, latest first. */
  get history(): readonly string[] {
    return this.memory.history;
  }

  /** @throws TrackerError `input` when the text is no filter; an empty one ends filtering. */
  async filter(text: string): Promise<void> {
    await this.restoring;
    const wanted = text.trim();
    const filter = wanted === '' ? undefined : this.parsed(wanted);
    if (filter && asksForMe(wanted)) await ownNames(this.needs);
    this.become({ ...this.shape, filter });
    await this.memory.keepFilter(filter?.text);
    await this.tell();
  }

  async group(by: GroupBy): Promise<void> {
    await this.restoring;
    this.shape = { ...this.shape, groupBy: by };
    await this.memory.keepGroupBy(by);
    await this.tell();
  }

  /** A project in which a search of done iterations found something, or failed to. */
  get onDidSearch(): vscode.Event<ProjectKey> {
    return this.found.event;
  }

  dispose(): void {
    clearInterval(this.days);
    this.listening.dispose();
    this.changed.dispose();
    this.found.dispose();
    for (const filter of searched(this.shape)) filter.done.dispose();
  }

  private async restore(): Promise<void> {
    this.shape = { ...wholeTree, groupBy: this.memory.groupBy, saved: this.savedViews() };
    const text = this.memory.filter;
    if (text === undefined) return this.tellKeys();
    try {
      this.shape = { ...this.shape, filter: this.parsed(text) };
      if (asksForMe(text)) this.learnNames();
    } catch (thrown) {
      this.needs.log.warn(messageOf(thrown));
    }
    await this.tellKeys();
  }

  /** Those whose text is the same keep what they found. */
  private async resave(): Promise<void> {
    await this.restoring;
    this.become({ ...this.shape, saved: this.savedViews() });
    await this.tell();
  }

  /** Such filters ask each story again: `me` is called otherwise now, or `today` is another day. */
  private async renew(isMeant: (text: string) => boolean): Promise<void> {
    await this.restoring;
    const { filter, saved } = this.shape;
    if (![filter, ...saved].some((one) => one && isMeant(one.text))) return;
    this.become({
      ...this.shape,
      filter: filter && isMeant(filter.text) ? this.parsed(filter.text) : filter,
      saved: saved.map((one) => (isMeant(one.text) ? { ...one, filter: this.parsedOrWhy(one.text) } : one)),
    });
    await this.tell();
  }

  private followDay(): void {
    const day = localDays.dayAt(Date.now());
    if (day === this.day) return;
    this.day = day;
    void this.renew(asksForDay);
  }

  /** Those that are not known yet come later. */
  private learnNames(): void {
    ownNames(this.needs).catch((thrown: unknown) => this.needs.log.warn(messageOf(thrown)));
  }

  private savedViews(): readonly SavedView[] {
    const all = savedFilters();
    if (all.some(({ filter }) => asksForMe(filter))) this.learnNames();
    const known = new Map(this.shape.saved.map((view) => [view.text, view.filter]));
    return all.map(({ name, filter: text }) => ({ name, text, filter: known.get(text) ?? this.parsedOrWhy(text) }));
  }

  private become(shape: TreeShape): void {
    const kept = searched(shape);
    for (const filter of searched(this.shape)) if (!kept.includes(filter)) filter.done.dispose();
    this.shape = shape;
  }

  private async tell(): Promise<void> {
    await this.tellKeys();
    this.changed.fire();
  }

  private async tellKeys(): Promise<void> {
    await setContext('storyTracker.isFiltered', this.shape.filter !== undefined);
    await setContext('storyTracker.isOutOfOrder', !isInPriorityOrder(this.shape));
  }

  private parsed(text: string): TreeFilter {
    const { backlogs } = this.needs;
    return new TreeFilter(text, (key) => this.contextOf(key), {
      list: (key, query, options) => backlogs.tracker(key).listStories(key.projectId, query, options),
      changed: (key) => this.found.fire(key),
    });
  }

  private parsedOrWhy(text: string): TreeFilter | string {
    try {
      return this.parsed(text);
    } catch (thrown) {
      return messageOf(thrown);
    }
  }

  private contextOf(key: ProjectKey): FilterContext {
    const project = this.needs.backlogs.peekSome(key)?.project;
    const me = this.memory.ownName(key.accountId);
    return {
      now: Date.now(),
      ...(me === undefined ? {} : { me }),
      ...(project ? this.namesIn(project) : {}),
    };
  }

  private namesIn(project: Project): Names {
    const known = this.names.get(project);
    if (known) return known;
    const names = filterNamesOf(project);
    this.names.set(project, names);
    return names;
  }
}

function asksForDay(text: string): boolean {
  return /_since:/i.test(text);
}

function asksForMe(text: string): boolean {
  return /\bme\b/i.test(text);
}
