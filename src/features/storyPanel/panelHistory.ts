import type * as vscode from 'vscode';
import type { ToldActivity } from '../../core/replica/replica.ts';
import { replicaAccount } from '../../host/accounts/accounts.ts';
import { rememberedNames } from '../../host/accounts/ownNames.ts';
import type { App } from '../../host/app.ts';
import { inBackground } from '../../host/shell/turnBudget.ts';
import type { PanelStory } from './panelMessages.ts';
import { noHistory, type StoryHistory } from './storyHistory.ts';

/** Activities that are shown at first, and that each step adds. */
const STEP = 20;

type Needs = Pick<App, 'accounts' | 'engine' | 'log' | 'workspaceMemory'>;

/** What happened to a story as the local copy knows it, followed while its tab is open. */
export class PanelHistory implements vscode.Disposable {
  private readonly needs: Needs;
  private readonly shows: PanelStory;
  private readonly changed: () => void;
  private readonly listening: vscode.Disposable;
  private limit = STEP;
  private told: readonly ToldActivity[] = [];
  private reading: Promise<unknown> | undefined;

  /** `changed` is called whenever there is something else to show. */
  constructor(needs: Needs, shows: PanelStory, changed: () => void) {
    this.needs = needs;
    this.shows = shows;
    this.changed = changed;
    this.listening = needs.engine.onDidChangeActivities(() => this.follow());
  }

  get shown(): StoryHistory {
    const { told, limit } = this;
    if (told.length === 0) return noHistory;
    const me = rememberedNames(this.needs.workspaceMemory)[this.shows.accountId];
    return { told: told.slice(0, limit), hasOlder: told.length > limit, me };
  }

  /** Reads again what is known. */
  follow(): void {
    inBackground(this.needs.log, this.read());
  }

  showOlder(): void {
    this.limit += STEP;
    this.follow();
  }

  dispose(): void {
    this.listening.dispose();
  }

  private async read(): Promise<void> {
    const mine = this.answer();
    this.reading = mine;
    const told = await mine;
    // An answer that was overtaken is not shown.
    if (this.reading !== mine) return;
    this.told = told;
    this.changed();
  }

  /** One more than are shown, to know whether there are older ones. */
  private async answer(): Promise<readonly ToldActivity[]> {
    const { accountId, projectId, storyId } = this.shows;
    const account = await this.needs.accounts.find(accountId);
    if (!account) return [];
    const query = { accounts: [replicaAccount(account)], limit: this.limit + 1, story: { projectId, storyId } };
    return this.needs.engine.activityLog.told(query);
  }
}
