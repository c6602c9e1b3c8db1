import { messageOf } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { replicaAccount } from '../../host/copies.ts';
import { ownNames } from '../../host/ownNames.ts';
import { type OwnNames, rememberedNames } from '../../host/rememberedNames.ts';

type Needs = Pick<App, 'accounts' | 'backlogs' | 'engine' | 'log' | 'workspaceMemory'>;

/** Tells the replica which activities are one's own, so that those are never unread. */
export class TellName {
  private readonly needs: Needs;
  private readonly learned: () => void;
  private readonly told = new Map<string, string>();
  private hasAsked = false;

  /** `learned` is called when a name was found out only after `tell`. */
  constructor(needs: Needs, learned: () => void) {
    this.needs = needs;
    this.learned = learned;
  }

  /** Tells at once what is remembered; servers are asked for the rest meanwhile, once. */
  async tell(): Promise<void> {
    await this.tellAll(rememberedNames(this.needs.workspaceMemory));
    if (this.hasAsked) return;
    this.hasAsked = true;
    this.learn().catch((thrown: unknown) => this.needs.log.warn(messageOf(thrown)));
  }

  /** For when somebody signed in or out. */
  forget(): void {
    this.told.clear();
    this.hasAsked = false;
  }

  private async learn(): Promise<void> {
    if (await this.tellAll(await ownNames(this.needs))) this.learned();
  }

  private async tellAll(names: OwnNames): Promise<boolean> {
    const accounts = await this.needs.accounts.list();
    const news = accounts.flatMap((account) => {
      const name = names[account.id];
      return name === undefined || this.told.get(account.id) === name ? [] : [{ account, name }];
    });
    for (const { account, name } of news) {
      await this.needs.engine.activityLog.setOwnName(replicaAccount(account), name);
      this.told.set(account.id, name);
    }
    return news.length > 0;
  }
}
