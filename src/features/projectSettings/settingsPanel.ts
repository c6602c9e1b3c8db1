import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { failureMeans, isAway, isCancelled, kindOf, messageOf } from '../../core/errors.ts';
import type { Project } from '../../core/story/project.ts';
import { isSameProject, keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import type { ProjectSettings } from '../../core/story/projectSettings.ts';
import { BUILT_IN_ID } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';
import { isolatedInTitle } from '../../host/shell/plainText.ts';
import { settingTexts } from './settingsFields.ts';
import {
  type Answered,
  type FromPage,
  fromPage,
  type Request,
  type SectionName,
  type ShownSettings,
  type ToPage,
  type TransferCommand,
  type TypedTexts,
  typedTextsIn,
} from './settingsMessages.ts';
import { fieldsIn, SettingsRequests } from './settingsRequests.ts';
import type { SettingsPanelTexts } from './settingsTexts.ts';

export type SettingsNeeds = Pick<App, 'backlogs' | 'log' | 'messages' | 'openDrafts'>;

/** The role that may change settings. */
const OWNER = 'Owner';

/** The settings of one project in an editor tab. */
export class SettingsPanel implements vscode.Disposable {
  readonly key: ProjectKey;
  private readonly needs: SettingsNeeds;
  private readonly panel: vscode.WebviewPanel;
  private readonly texts: SettingsPanelTexts;
  private readonly disposables: vscode.Disposable;
  private readonly requests: SettingsRequests;
  /** Of the project as the replica has it, to know when it is another. */
  private seen = '';
  private isClosed = false;

  constructor(needs: SettingsNeeds, panel: vscode.WebviewPanel, key: ProjectKey, texts: SettingsPanelTexts) {
    this.needs = needs;
    this.panel = panel;
    this.key = key;
    this.texts = texts;
    this.requests = new SettingsRequests(needs, key, texts);
    const changed = needs.backlogs.onDidChange((one) => {
      if (one === undefined || isSameProject(one, key)) this.followProject();
    });
    this.disposables = vscode.Disposable.from(
      { dispose: () => changed.dispose() },
      panel.webview.onDidReceiveMessage((message) => void this.receive(fromPage(message))),
      panel.onDidDispose(() => this.end()),
    );
  }

  reveal(): void {
    this.panel.reveal();
  }

  dispose(): void {
    this.panel.dispose();
  }

  private end(): void {
    this.isClosed = true;
    this.disposables.dispose();
  }

  private async receive(message: FromPage | undefined): Promise<void> {
    if (message?.type === 'ready') {
      await this.tell({ type: 'typed', typed: typedTextsIn((await this.needs.openDrafts()).get(this.draftName)) });
      await this.tellInvitation();
      await this.load();
    } else if (message?.type === 'reload') await this.load();
    else if (message?.type === 'typed') await this.keep(message.typed);
    else if (message?.type === 'copy') {
      await vscode.env.clipboard.writeText(message.text);
      this.needs.messages.status(this.texts.members.copied);
    } else if (message?.type === 'run') await this.run(message.command);
    else if (message) await this.answer(message);
  }

  /** As from the menu of the project's row: the command asks and says all that is to be known. */
  private async run(command: TransferCommand): Promise<void> {
    const { accountId, projectId } = this.key;
    const argument = { projectId, accountId, caller: 'person' };
    await vscode.commands.executeCommand(commandIds[command], argument);
    if (command === 'importStories') await this.load();
  }

  /** Under which name drafts have what is typed and not saved. */
  private get draftName(): string {
    return `storyTracker.settings.${keyText(this.key)}`;
  }

  private async keep(typed: TypedTexts): Promise<void> {
    const drafts = await this.needs.openDrafts();
    await drafts.update(this.draftName, Object.keys(typed).length > 0 ? typed : undefined);
  }

  /** Does what a person asks for in a section, and tells it what became of it. */
  private async answer(message: Request): Promise<void> {
    const answered = { request: message.type, section: sectionOf(message) };
    try {
      const done = await this.requests.make(message);
      await this.tell(
        done === undefined ? { type: 'unsaved', ...answered } : { type: 'saved', ...answered, text: done },
      );
      if (message.type === 'save') await this.tellSettings();
      if (done === undefined) return;
      await this.tellInvitation();
      this.needs.messages.status(done);
      if (message.type !== 'save') await this.load();
      await this.needs.backlogs.refresh();
    } catch (thrown) {
      await this.refuse(answered, thrown);
    }
  }

  private async tellInvitation(): Promise<void> {
    const { text = '', url = '' } = this.requests.invited ?? {};
    await this.tell({ type: 'invited', text, url });
  }

  /** Reads the settings; where that is not possible, shows what is known of the project, and why nothing can be changed. */
  private async load(): Promise<void> {
    this.seen = factsOf(this.project);
    try {
      await this.requests.read();
      await this.tellSettings();
    } catch (thrown) {
      if (isCancelled(thrown)) return;
      this.needs.log.warn(messageOf(thrown));
      const project = await this.knownProject();
      const notice = this.noticeFor(thrown);
      const { current } = this.requests;
      if (current) await this.tell({ type: 'settings', shown: this.shownOf(current.value, notice, true) });
      else if (project)
        await this.tell({ type: 'settings', shown: { ...shownProject(project, notice), isBuiltIn: this.isBuiltIn } });
      else await this.tell({ type: 'notice', text: notice });
    }
  }

  /** As the replica has it, which may not have been asked yet in this window. */
  private async knownProject(): Promise<Project | undefined> {
    const { backlogs } = this.needs;
    try {
      await backlogs.projects();
      return this.project ?? (await backlogs.some(this.key)).project;
    } catch (thrown) {
      this.needs.log.debug(messageOf(thrown));
      return undefined;
    }
  }

  private noticeFor(thrown: unknown): string {
    const { backlogs } = this.needs;
    const host = backlogs.hostOf(this.key);
    const kind = kindOf(thrown);
    if (failureMeans(kind, 'signIn')) return this.texts.signedOut;
    if (failureMeans(kind, 'notOffered')) return this.project ? this.texts.notOffered(host) : this.texts.gone;
    return isAway(thrown) ? this.texts.away(host) : messageOf(thrown);
  }

  private get isBuiltIn(): boolean {
    return this.key.accountId === BUILT_IN_ID;
  }

  private get project(): Project | undefined {
    return this.needs.backlogs.peekSome(this.key)?.project;
  }

  private async tellSettings(): Promise<void> {
    const { current } = this.requests;
    if (!current) return;
    const { role } = current.value;
    const notice = role === OWNER ? '' : this.texts.notOwner(this.roleName(role));
    await this.tell({ type: 'settings', shown: this.shownOf(current.value, notice, false) });
  }

  private roleName(role: string): string {
    const names: Readonly<Record<string, string>> = this.texts.members.roles;
    return names[role] ?? role;
  }

  private shownOf(settings: ProjectSettings, notice: string, canRetry: boolean): ShownSettings {
    const server = this.needs.backlogs.signInAmongSeveral(this.key);
    this.panel.title = isolatedInTitle(this.texts.title(settings.name, server));
    const { members, keptNames, integrations, isWebHookSigned = false } = settings;
    return {
      ...{ title: settings.name, texts: settingTexts(settings), members, keptNames, integrations },
      ...{ isWebHookSigned, isBuiltIn: this.isBuiltIn, notice },
      canRetry,
    };
  }

  /** Someone else may have changed what is set. */
  private followProject(): void {
    if (this.isClosed || this.seen === '' || factsOf(this.project) === this.seen) return;
    void this.load();
  }

  private async refuse(answered: Answered, thrown: unknown): Promise<void> {
    if (isCancelled(thrown)) {
      await this.tell({ type: 'unsaved', ...answered });
      return;
    }
    this.needs.log.warn(messageOf(thrown));
    const fields = fieldsIn(thrown);
    const text = Object.keys(fields).length > 0 ? '' : messageOf(thrown);
    await this.tell({ type: 'refused', ...answered, text, fields });
    if (isAway(thrown) || failureMeans(kindOf(thrown), 'denied')) await this.load();
  }

  private async tell(message: ToPage): Promise<void> {
    if (!this.isClosed) await this.panel.webview.postMessage(message);
  }
}

function sectionOf(message: Request): SectionName {
  if (message.type === 'save') return message.section;
  return ['addMember', 'setRole', 'removeMember', 'giveName'].includes(message.type) ? 'members' : 'integrations';
}

/** What is set, as far as a project tells it of itself; all else of it changes with every story. */
function factsOf(project: Project | undefined): string {
  if (!project) return '';
  return JSON.stringify([settingTexts(project), project.memberships, project.integrations]);
}

function shownProject(project: Project, notice: string): ShownSettings {
  return {
    title: project.name,
    texts: settingTexts(project),
    members: project.memberships.map((member) => ({ ...member, ownedStories: 0 })),
    keptNames: [],
    integrations: project.integrations.map((one) => ({ ...one, baseUrl: '', storyCount: 0 })),
    isWebHookSigned: false,
    isBuiltIn: false,
    notice,
    canRetry: true,
  };
}
