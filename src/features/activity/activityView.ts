import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { ReplicaAccount } from '../../core/replica/replica.ts';
import type { Project } from '../../core/story/project.ts';
import { keyText } from '../../core/story/projectKey.ts';
import { replicaAccount } from '../../host/accounts/accounts.ts';
import { type OwnNames, rememberedNames } from '../../host/accounts/ownNames.ts';
import type { App } from '../../host/app.ts';
import { silencedProjects } from '../../host/projects/projectOrder.ts';
import { plainLine } from '../../host/shell/plainText.ts';
import { onDidChangeProjectWishes, projectWishes } from '../../host/story/projectWishes.ts';
import { activityItem } from './activityItem.ts';
import { type ActivityRow, OlderRow, rowsBelow, rowsOf, StoryActivityRow } from './threads.ts';

type Needs = Pick<App, 'accounts' | 'backlogs' | 'engine' | 'log' | 'workspaceMemory'>;

interface Shown {
  readonly unread: number;
  readonly rows: readonly ActivityRow[];
  /** Those whose activity is shown. */
  readonly projects: ReadonlyMap<string, Project>;
  /** How many there are besides. */
  readonly hidden: number;
  /** What the person is called, on all servers. */
  readonly who: string | undefined;
}

const PAGE = 100;
const AGES_EVERY_MS = 60_000;
/** So long the rows must be on screen, in a window that has the focus, to count as looked at. */
const LOOKED_AT_AFTER_MS = 4000;

/** The view *Activity*: what the replica was told, newest first, by story. */
export class ActivityView implements vscode.Disposable {
  private readonly needs: Needs;
  private readonly view: vscode.TreeView<ActivityRow>;
  private readonly changed: vscode.EventEmitter<ActivityRow[] | undefined>;
  private readonly listening: vscode.Disposable;
  private readonly ages: NodeJS.Timeout;
  private readonly painted = new Map<ActivityRow, unknown>();
  private limit = PAGE;
  private reading: Promise<Shown> | undefined;
  private shown: Shown | undefined;
  private looking: NodeJS.Timeout | undefined;

  /** `changed` is what the tree's provider tells VS Code by. */
  constructor(
    needs: Needs,
    view: vscode.TreeView<ActivityRow>,
    changed: vscode.EventEmitter<ActivityRow[] | undefined>,
  ) {
    this.needs = needs;
    this.view = view;
    this.changed = changed;
    this.ages = setInterval(() => this.repaintAges(), AGES_EVERY_MS);
    this.listening = vscode.Disposable.from(
      needs.accounts.onDidChange(() => void this.follow()),
      onDidChangeProjectWishes(() => void this.follow()),
      view.onDidChangeVisibility(() => this.look()),
      vscode.window.onDidChangeWindowState(() => this.look()),
    );
  }

  async children(row?: ActivityRow): Promise<ActivityRow[]> {
    if (row) return row instanceof StoryActivityRow ? [...rowsBelow(row)] : [];
    if (!this.shown) await this.read();
    return [...(this.shown?.rows ?? [])];
  }

  item(row: ActivityRow): vscode.TreeItem {
    const projects = this.shown?.projects ?? new Map<string, Project>();
    const item = activityItem(row, { now: Date.now(), language: vscode.env.language, projects });
    this.painted.set(row, item.description);
    return item;
  }

  /** Reads again what the replica was told. */
  async follow(): Promise<void> {
    await this.read();
    this.changed.fire(undefined);
  }

  async showOlder(): Promise<void> {
    this.limit += PAGE;
    await this.follow();
  }

  async markRead(): Promise<void> {
    await this.needs.engine.activityLog.markRead(await this.accounts());
    await this.follow();
  }

  dispose(): void {
    clearInterval(this.ages);
    clearTimeout(this.looking);
    this.listening.dispose();
  }

  private async read(): Promise<void> {
    const mine = this.answer();
    this.reading = mine;
    try {
      const shown = await mine;
      // An answer that was overtaken is not shown.
      if (this.reading === mine) this.show(shown);
    } catch (thrown) {
      this.needs.log.error(thrown instanceof Error ? thrown : String(thrown));
      this.view.message = messageOf(thrown);
    }
  }

  private async answer(): Promise<Shown> {
    const { backlogs, engine, workspaceMemory } = this.needs;
    const accounts = await this.accounts();
    if (accounts.length === 0) return { unread: 0, rows: [], projects: new Map(), hidden: 0, who: undefined };
    const entries = await backlogs.knownProjects();
    const silenced = silencedProjects(entries, projectWishes());
    const without = silenced.map(({ key }) => key);
    const [told, unread] = await Promise.all([
      engine.activityLog.told({ accounts, limit: this.limit + 1, without }),
      engine.activityLog.unread(accounts, without),
    ]);
    const heard = entries.filter((entry) => !silenced.includes(entry));
    const projects = new Map(heard.map((one) => [keyText(one.key), namedProject(backlogs, one)]));
    const rows = rowsOf(told.slice(0, this.limit));
    const who = whoText(accounts, rememberedNames(workspaceMemory));
    const hidden = silenced.length;
    return { unread, projects, hidden, who, rows: told.length > this.limit ? [...rows, new OlderRow()] : rows };
  }

  private show(shown: Shown): void {
    this.shown = shown;
    this.painted.clear();
    const { unread } = this;
    this.view.badge = unread === 0 ? undefined : { value: unread, tooltip: unreadText(unread) };
    Object.assign(this.view, { message: emptyText(shown), description: shown.who });
    this.look();
  }

  private get unread(): number {
    return this.shown?.unread ?? 0;
  }

  /** What stays on screen for a moment while the window has the focus is looked at. */
  private look(): void {
    clearTimeout(this.looking);
    if (this.unread === 0 || !this.view.visible || !vscode.window.state.focused) return;
    this.looking = setTimeout(() => {
      this.markRead().catch((thrown: unknown) => this.needs.log.warn(messageOf(thrown)));
    }, LOOKED_AT_AFTER_MS);
  }

  private repaintAges(): void {
    if (!this.view.visible) return;
    const older = [...this.painted].filter(([row, text]) => this.item(row).description !== text);
    if (older.length > 0) this.changed.fire(older.map(([row]) => row));
  }

  private async accounts() {
    return (await this.needs.accounts.list()).map(replicaAccount);
  }
}

/** Where no row says anything; who has no project is welcomed in its place. */
function emptyText({ rows, projects, hidden }: Shown): string | undefined {
  if (rows.length > 0) return undefined;
  if (projects.size > 0) return vscode.l10n.t('No activity yet. What you and others do in your projects appears here.');
  return hidden > 0
    ? vscode.l10n.t('Activity of hidden projects is not shown. Run "Show Hidden Projects…" to choose from them.')
    : undefined;
}

/** Called as in lists to pick from: two people on one server see the same project. */
function namedProject(
  backlogs: Needs['backlogs'],
  { key, project }: Awaited<ReturnType<Needs['backlogs']['knownProjects']>>[number],
): Project {
  const signIn = backlogs.signInAmongSeveral(key);
  return signIn === undefined ? project : { ...project, name: `${project.name} · ${signIn}` };
}

function whoText(accounts: readonly ReplicaAccount[], names: OwnNames): string | undefined {
  const own = new Set(accounts.flatMap(({ accountId }) => names[accountId] ?? []));
  return own.size === 0 ? undefined : vscode.l10n.t('You are {0}', plainLine([...own].join(', ')));
}

function unreadText(count: number): string {
  return count === 1 ? vscode.l10n.t('1 unread activity') : vscode.l10n.t('{0} unread activities', count);
}
