import * as vscode from 'vscode';
import { kindOf, TrackerError } from '../../core/errors.ts';
import type { Tagged, Tracker } from '../../core/ports/tracker.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { NewIntegration, PlanChange, ProjectEdit, ProjectSettings } from '../../core/story/projectSettings.ts';
import { BUILT_IN_ID } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';
import { type FormSection, projectEdit, type SettingField, type SettingTexts, settingTexts } from './settingsFields.ts';
import type { IntegrationTexts, Request } from './settingsMessages.ts';
import type { SettingsPanelTexts } from './settingsTexts.ts';

/** Stories that the question before a Save names. */
const MOST_NAMED = 12;

/** Someone who was added and has no password yet. */
interface Invited {
  readonly membershipId: number;
  readonly text: string;
  readonly url: string;
}

function momentText(time: number): string {
  return new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' }).format(time);
}

/** What is asked of the server of one project's settings, after the questions that come before it. */
export class SettingsRequests {
  /** As they were told last. */
  current: Tagged<ProjectSettings> | undefined;
  /** Who was added last, as long as they wait for their invitation. */
  invited: Invited | undefined;
  private readonly needs: Pick<App, 'backlogs' | 'messages'>;
  private readonly key: ProjectKey;
  private readonly texts: SettingsPanelTexts;

  constructor(needs: Pick<App, 'backlogs' | 'messages'>, key: ProjectKey, texts: SettingsPanelTexts) {
    this.needs = needs;
    this.key = key;
    this.texts = texts;
  }

  async read(): Promise<void> {
    this.current = await this.tracker.getProjectSettings(this.key.projectId);
  }

  private get tracker(): Tracker {
    return this.needs.backlogs.tracker(this.key);
  }

  /** The sentence for what was done; `undefined` where nothing was. */
  async make(message: Request): Promise<string | undefined> {
    const { projectId } = this.key;
    switch (message.type) {
      case 'save':
        return this.save(message.section, message.texts, message.known);
      case 'addMember':
        return this.addMember(message.email, message.role);
      case 'setRole': {
        const { person, role } = await this.tracker.updateMembership(projectId, message.id, message.role);
        return this.texts.members.roleChanged(person.name, role);
      }
      case 'removeMember':
        return this.removeMember(message.id);
      case 'giveName':
        return this.giveName(message.id, message.name);
      case 'saveIntegration':
        return this.saveIntegration(message.id, message.fields);
      case 'retire':
        await this.tracker.updateIntegration(projectId, message.id, { active: message.isActive });
        return this.texts.saved;
      case 'removeIntegration':
        return this.removeIntegration(message.id);
    }
  }

  /** Saves what was changed of a section, after saying what that does to the plan. */
  private async save(section: FormSection, texts: SettingTexts, known: SettingTexts): Promise<string | undefined> {
    const { edit, problems } = projectEdit(texts, known, this.texts.problems);
    if (Object.keys(problems).length > 0) throw new RefusedFields(problems);
    if (section === 'planning') {
      const planned = await this.tracker.planAfterEdit(this.key.projectId, edit);
      if (!(await this.isPlanAccepted(planned))) return undefined;
    }
    return (await this.send(edit, known)) ? this.texts.saved : undefined;
  }

  /** Once more where someone else changed something else since; what they changed of the same fields is shown instead. */
  private async send(edit: ProjectEdit, known: SettingTexts): Promise<boolean> {
    for (let tries = 0; ; tries++) {
      const tag = this.current?.tag;
      try {
        const options = tag === undefined ? {} : { ifMatch: tag };
        this.current = await this.tracker.updateProject(this.key.projectId, edit, options);
        return true;
      } catch (thrown) {
        if (kindOf(thrown) !== 'conflict' || tries === 3) throw thrown;
      }
      await this.read();
      const now = this.current ? settingTexts(this.current.value) : {};
      if (Object.entries(known).some(([field, text]) => now[field as SettingField] !== text)) return false;
    }
  }

  /** Whether the person wants it so, which is not asked where no story is touched. */
  private async isPlanAccepted(change: PlanChange): Promise<boolean> {
    const { count, stories, velocity, formerVelocity, offScaleCount } = change;
    const { plan } = this.texts;
    const moves = count > 0 ? [plan.question(count)] : [];
    const scale = offScaleCount > 0 ? [plan.offScale(offScaleCount), plan.estimatesStay] : [];
    const [question, ...notes] = [...moves, ...scale];
    if (question === undefined) return true;
    const named = stories.slice(0, MOST_NAMED).map(({ id, name, from, to }) => plan.story(id, name, from, to));
    const rest = count > named.length ? [plan.more(count - named.length)] : [];
    const speed = velocity === formerVelocity ? [] : [plan.velocity(formerVelocity, velocity)];
    const above = [...notes, ...speed];
    const detail = [...above, ...(above.length > 0 && named.length > 0 ? [''] : []), ...named, ...rest].join('\n');
    return (await this.needs.messages.ask(question, detail, plan.save)) === plan.save;
  }

  private async addMember(email: string, role: string): Promise<string> {
    const { members } = this.texts;
    this.invited = undefined;
    const added = await this.tracker.addMembership(this.key.projectId, { role, person: { email } });
    const { url, expiresAt, mailed = false } = added.invitation ?? {};
    const byLink = this.key.accountId === BUILT_IN_ID ? members.invitedHere : members.invited;
    const until = expiresAt?.time === undefined ? [] : [members.worksUntil(momentText(expiresAt.time))];
    const text = [(mailed ? members.invitedByMail : byLink)(email), ...until].join(' ');
    if (url !== undefined) this.invited = { membershipId: added.id, text, url };
    return mailed ? members.mailed(email) : members.added(added.person.name);
  }

  private async removeMember(id: number): Promise<string | undefined> {
    const { members } = this.texts;
    const member = this.current?.value.members.find((one) => one.id === id);
    if (!member) return undefined;
    const { name } = member.person;
    const detail = member.ownedStories > 0 ? members.owned(member.ownedStories) : undefined;
    await this.tracker.tryRemoveMembership(this.key.projectId, id);
    const answer = await this.needs.messages.ask(members.removeQuestion(name), detail, members.removeAnswer);
    if (answer !== members.removeAnswer) return undefined;
    await this.tracker.removeMembership(this.key.projectId, id);
    if (id === this.invited?.membershipId) this.invited = undefined;
    return members.removed(name);
  }

  /** Has stories with a name that an import kept be a member's, after saying how many these are. */
  private async giveName(id: number, name: string): Promise<string | undefined> {
    const { members } = this.texts;
    const { projectId } = this.key;
    const member = this.current?.value.members.find((one) => one.id === id)?.person.name;
    if (member === undefined) return undefined;
    const count = await this.tracker.giveNameTo(projectId, id, { name, isTrial: true });
    const question = members.giveQuestion(name, member);
    if ((await this.needs.messages.ask(question, members.giveDetail(count), members.give)) !== members.give)
      return undefined;
    return members.given(await this.tracker.giveNameTo(projectId, id, { name }), member);
  }

  private async removeIntegration(id: number): Promise<string | undefined> {
    const { removeQuestion, removeAnswer, removed } = this.texts.integrations;
    const name = this.current?.value.integrations.find((one) => one.id === id)?.name;
    if (name === undefined) return undefined;
    if ((await this.needs.messages.ask(removeQuestion(name), undefined, removeAnswer)) !== removeAnswer)
      return undefined;
    await this.tracker.removeIntegration(this.key.projectId, id);
    return removed(name);
  }

  private async saveIntegration(id: number | undefined, fields: IntegrationTexts): Promise<string> {
    const { name, fieldLabel, baseUrl, type, fieldName } = fields;
    const { projectId } = this.key;
    if (id !== undefined) {
      await this.tracker.updateIntegration(projectId, id, { name, fieldLabel, baseUrl });
      return this.texts.saved;
    }
    const wanted: NewIntegration = {
      ...{ name, fieldLabel, baseUrl },
      ...(type.trim() !== '' && { type: type.trim() }),
      ...(fieldName.trim() !== '' && { fieldName: fieldName.trim() }),
    };
    await this.tracker.addIntegration(projectId, wanted);
    return this.texts.saved;
  }
}

/** What cannot be sent as it is typed. */
class RefusedFields extends Error {
  readonly fields: SettingTexts;

  constructor(fields: SettingTexts) {
    super(Object.values(fields).join(' '));
    this.fields = fields;
  }
}

/** The sentence for each field with which something is wrong. */
export function fieldsIn(thrown: unknown): Readonly<Record<string, string>> {
  if (thrown instanceof RefusedFields) return thrown.fields;
  if (!(thrown instanceof TrackerError)) return {};
  return Object.fromEntries(thrown.fields.map(({ field, sentence }) => [field, sentence]));
}
