import type { KeptName, SettingsIntegration, SettingsMember } from '../../core/story/projectSettings.ts';
import {
  type FormSection,
  formSections,
  isSettingField,
  type SettingField,
  type SettingTexts,
} from './settingsFields.ts';

/** Whose settings a page shows. */
export interface SettingsProject {
  readonly accountId: string;
  readonly projectId: number;
}

/** What is typed in a field and not saved, and what was there when that began. */
export interface TypedText {
  readonly text: string;
  readonly base: string;
}

export type TypedTexts = Partial<Readonly<Record<SettingField, TypedText>>>;

/** What the page shows of a project. */
export interface ShownSettings {
  readonly title: string;
  /** Absent what the server does not tell, or not to this person. */
  readonly texts: SettingTexts;
  readonly members: readonly SettingsMember[];
  readonly keptNames: readonly KeptName[];
  readonly integrations: readonly SettingsIntegration[];
  readonly isWebHookSigned: boolean;
  /** Whether the project is in the built-in service. */
  readonly isBuiltIn: boolean;
  /** Why nothing can be changed; empty where it can. */
  readonly notice: string;
  /** Whether asking again may help. */
  readonly canRetry: boolean;
}

/** What the extension tells the page. */
export type ToPage =
  | { readonly type: 'settings'; readonly shown: ShownSettings }
  | { readonly type: 'notice'; readonly text: string }
  /** What was typed before the page was made anew. */
  | { readonly type: 'typed'; readonly typed: TypedTexts }
  /** What became of a request. */
  | ({ readonly type: 'saved'; readonly text: string } & Answered)
  | ({ readonly type: 'refused'; readonly text: string; readonly fields: Readonly<Record<string, string>> } & Answered)
  /** The person turned away, or others were quicker: what was typed stays. */
  | ({ readonly type: 'unsaved' } & Answered)
  /** How someone who was added sets a password; empty where nobody is waited for. */
  | { readonly type: 'invited'; readonly text: string; readonly url: string };

/** To what the extension answers, and where that was asked. */
export interface Answered {
  readonly request: Request['type'];
  readonly section: SectionName;
}

export type SectionName = FormSection | 'members' | 'integrations';

/** What the page asks of the extension. */
export type FromPage =
  | { readonly type: 'ready' }
  | { readonly type: 'reload' }
  /** All that is typed and not saved, but for what is secret. */
  | { readonly type: 'typed'; readonly typed: TypedTexts }
  | { readonly type: 'save'; readonly section: FormSection; readonly texts: SettingTexts; readonly known: SettingTexts }
  | { readonly type: 'addMember'; readonly email: string; readonly role: string }
  | { readonly type: 'setRole'; readonly id: number; readonly role: string }
  | { readonly type: 'removeMember'; readonly id: number }
  | { readonly type: 'giveName'; readonly id: number; readonly name: string }
  | { readonly type: 'saveIntegration'; readonly id: number | undefined; readonly fields: IntegrationTexts }
  | { readonly type: 'retire'; readonly id: number; readonly isActive: boolean }
  | { readonly type: 'removeIntegration'; readonly id: number }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'run'; readonly command: TransferCommand };

/** What a page wants to be done, and to be told of. */
export type Request = Exclude<FromPage, { readonly type: 'ready' | 'reload' | 'typed' | 'copy' | 'run' }>;

/** Commands about the project as a whole that the page offers. */
export const transferCommands = ['importStories', 'exportProject', 'moveToServer', 'backUp'] as const;
export type TransferCommand = (typeof transferCommands)[number];

/** What is typed of an integration; kind and element of a new one only. */
export interface IntegrationTexts {
  readonly name: string;
  readonly fieldLabel: string;
  readonly baseUrl: string;
  readonly type: string;
  readonly fieldName: string;
}

/** What a page says, as far as it can be understood; it may have been changed by whoever got into it. */
export function fromPage(value: unknown): FromPage | undefined {
  if (!isRecord(value)) return undefined;
  const { type, section, email, role, id, isActive, text, name } = value;
  switch (type) {
    case 'ready':
    case 'reload':
      return { type };
    case 'typed':
      return { type, typed: typedTextsIn(value.typed) };
    case 'save':
      return isFormSection(section)
        ? { type, section, texts: settingTextsIn(value.texts), known: settingTextsIn(value.known) }
        : undefined;
    case 'addMember':
      return isText(email) && isText(role) ? { type, email, role } : undefined;
    case 'setRole':
      return isId(id) && isText(role) ? { type, id, role } : undefined;
    case 'giveName':
      return isId(id) && isText(name) ? { type, id, name } : undefined;
    case 'removeMember':
    case 'removeIntegration':
      return isId(id) ? { type, id } : undefined;
    case 'retire':
      return isId(id) && typeof isActive === 'boolean' ? { type, id, isActive } : undefined;
    case 'saveIntegration':
      return { type, id: isId(id) ? id : undefined, fields: integrationTextsIn(value.fields) };
    case 'run': {
      const command = transferCommands.find((one) => one === value.command);
      return command && { type, command };
    }
    case 'copy':
      return isText(text) ? { type, text } : undefined;
    default:
      return undefined;
  }
}

/** What the extension says; the page is sure of it. */
export function toPage(value: unknown): ToPage | undefined {
  return isRecord(value) && typeof value.type === 'string' ? (value as unknown as ToPage) : undefined;
}

/** Whose page it was, and what was typed in it, of what a page kept over a reload. */
export function pageState(value: unknown): SettingsProject | undefined {
  const project = isRecord(value) ? value.project : undefined;
  if (!isRecord(project)) return undefined;
  const { accountId, projectId } = project;
  return typeof accountId === 'string' && isId(projectId) ? { accountId, projectId } : undefined;
}

function settingTextsIn(value: unknown): SettingTexts {
  if (!isRecord(value)) return {};
  const texts: Partial<Record<SettingField, string>> = {};
  for (const [field, text] of Object.entries(value)) if (isSettingField(field) && isText(text)) texts[field] = text;
  return texts;
}

export function typedTextsIn(value: unknown): TypedTexts {
  const typed: Partial<Record<SettingField, TypedText>> = {};
  for (const [field, one] of Object.entries(isRecord(value) ? value : {})) {
    const { text, base } = isRecord(one) ? one : {};
    if (isSettingField(field) && isText(text) && isText(base)) typed[field] = { text, base };
  }
  return typed;
}

function integrationTextsIn(value: unknown): IntegrationTexts {
  const given = isRecord(value) ? value : {};
  const text = (name: keyof IntegrationTexts) => {
    const one = given[name];
    return isText(one) ? one : '';
  };
  return {
    name: text('name'),
    fieldLabel: text('fieldLabel'),
    baseUrl: text('baseUrl'),
    type: text('type'),
    fieldName: text('fieldName'),
  };
}

function isFormSection(value: unknown): value is FormSection {
  return formSections.some((name) => name === value);
}

/** Longer than anything that can be set. */
const LONGEST = 20_000;

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= LONGEST;
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
