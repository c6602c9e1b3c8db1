import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { FilterContext } from '../../core/filter.ts';
import type { Project } from '../../core/project.ts';
import type { App } from '../../host/app.ts';
import { setContext } from '../../host/contextKeys.ts';
import type { ProjectKey } from '../../host/nodes.ts';
import { ShapeMemory } from './shapeMemory.ts';
import { type GroupBy, type TreeShape, wholeTree } from './treeShape.ts';

type Needs = Pick<App, 'backlogs' | 'log' | 'workspaceMemory'>;

/** Which stories the tree shows and how: remembered for the workspace. */
export class ShownStories implements vscode.Disposable {
  private readonly needs: Needs;
  private readonly memory: ShapeMemory;
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly initials = new WeakMap<Project, ReadonlyMap<string, string>>();
  private shape: TreeShape = wholeTree;
  private readonly restoring: Promise<void>;

  readonly onDidChange = this.changed.event;

  constructor(needs: Needs) {
    this.needs = needs;
    this.memory = new ShapeMemory(needs.workspaceMemory);
    this.restoring = this.restore();
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
    const filter = wanted === '' ? undefined : await this.parsed(wanted);
    if (filter && /\bme\b/i.test(wanted)) await this.learnNames();
    this.shape = { ...this.shape, filter };
    await this.memory.keepFilter(filter?.text);
    await this.tell();
  }

  async group(by: GroupBy): Promise<void> {
    await this.restoring;
    this.shape = { ...this.shape, groupBy: by };
    await this.memory.keepGroupBy(by);
    await this.tell();
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async restore(): Promise<void> {
    this.shape = { ...this.shape, groupBy: this.memory.groupBy };
    const text = this.memory.filter;
    if (text === undefined) return this.tellKeys();
    try {
      this.shape = { ...this.shape, filter: await this.parsed(text) };
    } catch (thrown) {
      this.needs.log.warn(messageOf(thrown));
    }
    await this.tellKeys();
  }

  private async tell(): Promise<void> {
    await this.tellKeys();
    this.changed.fire();
  }

  private async tellKeys(): Promise<void> {
    await setContext('storyTracker.isFiltered', this.shape.filter !== undefined);
    await setContext('storyTracker.isGrouped', this.shape.groupBy !== 'iteration');
  }

  /** Loaded when a filter is used: most windows never do. */
  private async parsed(text: string) {
    const { TreeFilter } = await import('./treeFilter.ts');
    return new TreeFilter(text, (key) => this.contextOf(key));
  }

  private contextOf(key: ProjectKey): FilterContext {
    const project = this.needs.backlogs.peek(key)?.project;
    const me = this.memory.names[key.accountId];
    return {
      now: Date.now(),
      ...(me === undefined ? {} : { me }),
      ...(project ? { initials: this.initialsIn(project) } : {}),
    };
  }

  private initialsIn(project: Project): ReadonlyMap<string, string> {
    const known = this.initials.get(project);
    if (known) return known;
    const initials = new Map(project.memberships.map(({ person }) => [person.name, person.initials ?? '']));
    this.initials.set(project, initials);
    return initials;
  }

  /** Finds out what `me` means on each server. One that does not answer keeps no other filter from working. */
  private async learnNames(): Promise<void> {
    const { ownNames } = await import('../../host/ownNames.ts');
    await ownNames(this.needs);
  }
}
