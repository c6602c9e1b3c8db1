import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { findStory } from '../../core/backlog/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import type { ToldActivity } from '../../core/replica/replica.ts';
import { isSameProject, keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import { replicaAccount } from '../../host/accounts/accounts.ts';
import { ownNames } from '../../host/accounts/ownNames.ts';
import type { App } from '../../host/app.ts';
import { silencedProjects } from '../../host/projects/projectOrder.ts';
import { initialsOf } from '../../host/shell/plainText.ts';
import { type NotificationKind, notifications, turnOffNotifications } from '../../host/shell/settings.ts';
import { projectWishes } from '../../host/story/projectWishes.ts';
import { NamedStory } from '../../host/tree/nodes.ts';
import { activityTexts } from './activityTexts.ts';
import { Gathered, type Notice, notice } from './notice.ts';
import { mayBeWished, type Person } from './notificationRules.ts';

type Needs = Pick<App, 'accounts' | 'backlogs' | 'engine' | 'log' | 'messages' | 'workspaceMemory'>;

type PersonIn = (project: ToldActivity['project']) => Person | undefined;

/** VS Code hides a notification by itself without telling; then the next may come. */
const SHOWN_FOR_MS = 15_000;
/** Of so many stories at most a server is asked; the others are told as well as they are known. */
const MOST_ASKED = 20;

/** Notifications of what a person wished to be told of: one at a time, what comes in the meantime gathered in the next. */
export class Toasts implements vscode.Disposable {
  private readonly needs: Needs;
  private readonly ended = new AbortController();
  private readonly gathered = new Gathered<ToldActivity>((fresh) => this.showOf(fresh));

  constructor(needs: Needs) {
    this.needs = needs;
  }

  /** Tells of what no window has told of yet. */
  async tell(): Promise<void> {
    await this.gathered.add(this.claimed());
  }

  /** For when notifications are turned on: what happened before is no news. */
  async skip(): Promise<void> {
    await this.claimed();
  }

  dispose(): void {
    this.gathered.clear();
    this.ended.abort();
  }

  private async claimed(): Promise<readonly ToldActivity[]> {
    const accounts = (await this.needs.accounts.list()).map(replicaAccount);
    const fresh = await this.needs.engine.activityLog.claimFresh(accounts);
    if (fresh.length === 0) return fresh;
    const silenced = silencedProjects(await this.needs.backlogs.knownProjects(), projectWishes());
    return fresh.filter(({ project }) => !silenced.some(({ key }) => isSameProject(key, project)));
  }

  private async showOf(fresh: readonly ToldActivity[]): Promise<void> {
    const wishes = notifications();
    const personIn = await this.people();
    const stories = await this.storiesIn(fresh, wishes, personIn);
    const news = notice(fresh, {
      ...{ wishes, personIn },
      storyOf: (project, storyId) => stories.get(`${keyText(project)}/${storyId}`),
      texts: activityTexts(vscode),
    });
    if (!news) return;
    const pause = sleep(SHOWN_FOR_MS, undefined, { signal: this.ended.signal }).catch(() => undefined);
    await Promise.race([this.show(news), pause]);
  }

  private async show({ text, stories }: Notice): Promise<void> {
    const openStory = vscode.l10n.t('Open Story');
    const showActivity = vscode.l10n.t('Show Activity');
    const never = vscode.l10n.t("Don't Show Again");
    const [only, another] = stories;
    const answer = await this.needs.messages.info(text, another ? showActivity : openStory, never);
    if (answer === never) await turnOffNotifications();
    else if (answer === showActivity) await vscode.commands.executeCommand('storyTracker.activity.focus');
    else if (answer === openStory && only) {
      await vscode.commands.executeCommand(commandIds.openStory, new NamedStory(only, only.storyId));
    }
  }

  /** What this person is called in a project, by name and initials. */
  private async people(): Promise<PersonIn> {
    const names = await ownNames(this.needs);
    const projects = new Map((await this.needs.backlogs.knownProjects()).map((one) => [keyText(one.key), one.project]));
    return (project) => {
      const name = names[project.accountId];
      return name === undefined ? undefined : { name, initials: initialsOf(name, projects.get(keyText(project))) };
    };
  }

  /** The stories that may be told of, as they are now. One that nobody can tell of is told by its activity alone. */
  private async storiesIn(
    fresh: readonly ToldActivity[],
    wishes: readonly NotificationKind[],
    personIn: PersonIn,
  ): Promise<ReadonlyMap<string, Story>> {
    const stories = new Map<string, Story | undefined>();
    let asked = 0;
    for (const told of fresh) {
      const { project, activity, isOwn } = told;
      const me = personIn(project);
      if (me === undefined || isOwn) continue;
      for (const changed of activity.stories) {
        const name = `${keyText(project)}/${changed.id}`;
        if (stories.has(name) || !mayBeWished(wishes, { told, changed, me })) continue;
        const known = this.loaded(project, changed.id);
        stories.set(name, known ?? (asked++ < MOST_ASKED ? await this.asked(project, changed.id) : undefined));
      }
    }
    return new Map([...stories].flatMap(([name, story]) => (story ? [[name, story] as const] : [])));
  }

  private loaded(key: ProjectKey, storyId: number): Story | undefined {
    const backlog = this.needs.backlogs.peek(key);
    return backlog && findStory(backlog, storyId);
  }

  private async asked(key: ProjectKey, storyId: number): Promise<Story | undefined> {
    try {
      return await this.needs.backlogs.tracker(key).getStory({ projectId: key.projectId, storyId });
    } catch (thrown) {
      this.needs.log.warn(messageOf(thrown));
      return undefined;
    }
  }
}
