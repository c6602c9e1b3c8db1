import { kindOf } from '../../core/errors.ts';
import type { OutboxEntry } from '../../core/outbox/outbox.ts';
import type { Account } from '../../host/accounts/account.ts';
import type { AccountFailure } from '../../host/projects/projectList.ts';
import type { LoggedProblem } from '../../host/shell/rememberingLog.ts';
import { problemText, type Translations, withoutNames } from './problemText.ts';

/** A setting as `package.json` declares it. */
export interface DeclaredSetting {
  readonly type?: unknown;
  readonly enum?: unknown;
  readonly default?: unknown;
}

/** The copy of a project on this machine. */
export interface ProjectCopy {
  readonly account: Account;
  readonly projectId: number;
  /** Absent where nothing of it was ever read. */
  readonly copy?: { readonly stories: number; readonly readAt: number };
}

/** All that there is to tell from, as it is; what could name someone or something is left out by the text. */
export interface DiagnosticFacts {
  readonly now: number;
  readonly versions: { readonly extension: unknown; readonly vscode: string; readonly node: string };
  readonly system: { readonly platform: string; readonly arch: string; readonly release: string };
  readonly language: string;
  readonly isWeb: boolean;
  readonly remoteName: string | undefined;
  readonly isTrusted: boolean;
  /** The schemes of the workspace's folders. */
  readonly rootSchemes: readonly string[];
  readonly git: { readonly version: unknown; readonly isActive: boolean; readonly repositories: number };
  readonly accounts: readonly Account[];
  readonly projects: readonly ProjectCopy[];
  readonly failures: readonly AccountFailure[];
  readonly unsent: readonly OutboxEntry[];
  /** By their whole names. */
  readonly declaredSettings: Readonly<Record<string, DeclaredSetting>>;
  /** What each is now. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly problems: readonly LoggedProblem[];
  /** Of the person's language: what is logged is in it. */
  readonly translations: Translations;
}

/** For who mends the program, so in English: kinds, counts and versions, with no token, address, name or path in it. */
export function diagnosticsText(facts: DiagnosticFacts): string {
  return [
    ...section('Versions', versionLines(facts)),
    ...section('Workspace', workspaceLines(facts)),
    ...section('Accounts', facts.accounts.map(accountText)),
    ...section('Projects', projectLines(facts)),
    ...section('Settings that differ from their defaults', settingLines(facts)),
    ...section(
      'Latest warnings and errors, with … for what could name someone or something',
      facts.problems.map((problem) => problemText(problem, facts.translations)),
    ),
  ].join('\n');
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return [`### ${title}`, '', ...(lines.length > 0 ? lines : ['none']).map((line) => `- ${line}`), ''];
}

function versionLines({ versions, system, language, isWeb, remoteName }: DiagnosticFacts): readonly string[] {
  return [
    `Story Tracker ${version(versions.extension)}`,
    `VS Code ${version(versions.vscode)}, ${isWeb ? 'web' : 'desktop'}, language ${/^[a-z]{2,3}\b/i.exec(language)?.[0] ?? 'unknown'}`,
    `${oneOf(PLATFORMS, system.platform)} ${oneOf(PROCESSORS, system.arch)} ${version(system.release)}, Node ${version(versions.node)}`,
    `Remote: ${remoteName === undefined ? 'none' : oneOf(REMOTES, remoteName)}`,
  ];
}

const PLATFORMS = ['linux', 'darwin', 'win32', 'freebsd', 'openbsd'];
const PROCESSORS = ['x64', 'arm64', 'arm', 'ia32', 'riscv64', 'ppc64', 's390x'];
/** Where nothing better is known, VS Code names a remote by its address. */
const REMOTES = ['ssh-remote', 'wsl', 'dev-container', 'attached-container', 'codespaces', 'tunnel', 'k8s-container'];
const SCHEMES = ['file', 'vscode-vfs', 'vscode-remote', 'vscode-test-web', 'memfs', 'untitled'];

function oneOf(known: readonly string[], name: string): string {
  return known.includes(name) ? name : 'other';
}

/** Only the numbers: what stands behind them may be of who built it. */
function version(text: unknown): string {
  return (typeof text === 'string' && /^v?\d{1,6}(?:\.\d{1,6}){1,3}/.exec(text)?.[0]) || 'unknown';
}

function workspaceLines({ isTrusted, rootSchemes, git }: DiagnosticFacts): readonly string[] {
  const schemes = [...new Set(rootSchemes.map((scheme) => oneOf(SCHEMES, scheme)))];
  const isVirtual = rootSchemes.length > 0 && !rootSchemes.includes('file');
  return [
    `Trusted: ${yesOrNo(isTrusted)}, virtual: ${yesOrNo(isVirtual)}`,
    `Folders: ${rootSchemes.length}${schemes.length > 0 ? ` (${schemes.join(', ')})` : ''}`,
    git.version === undefined
      ? 'Git extension: none'
      : `Git extension: ${version(git.version)}, ${git.isActive ? 'active' : 'not active'}, repositories: ${git.repositories}`,
  ];
}

const yesOrNo = (is: boolean) => (is ? 'yes' : 'no');

function accountText({ kind, baseUrl }: Account, at: number): string {
  const what = kind === 'builtIn' ? 'built-in service' : `server (${baseUrl?.startsWith('https:') ? 'https' : 'http'})`;
  return `${at + 1}: ${what}`;
}

/** With more, the first tell enough. */
const MOST_PROJECTS = 50;

function projectLines({ accounts, projects, failures, unsent, now }: DiagnosticFacts): readonly string[] {
  const ids = accounts.map(({ id }) => id);
  const number = (accountId: string) => ids.indexOf(accountId) + 1;
  const lines = projects.slice(0, MOST_PROJECTS).map(({ account, projectId, copy }) => {
    const own = unsent.filter(({ project }) => project.accountId === account.id && project.projectId === projectId);
    return [
      `account ${number(account.id)}`,
      copy
        ? `${copy.stories} ${copy.stories === 1 ? 'story' : 'stories'}, read ${ageText(now - copy.readAt)} ago`
        : 'never read',
      ...unsentParts(own),
    ].join(', ');
  });
  const others = unsent.filter(({ project }) => !ids.includes(project.accountId));
  return [
    ...lines,
    ...(projects.length > MOST_PROJECTS ? [`${projects.length - MOST_PROJECTS} more projects`] : []),
    ...failures
      .slice(0, MOST_PROJECTS)
      .map(({ account, error }) => `account ${number(account.id)}, last failure: ${kindOf(error) ?? 'unknown'}`),
    ...(others.length > 0 ? [`signed out, ${unsentParts(others).join(', ')}`] : []),
  ];
}

function unsentParts(entries: readonly OutboxEntry[]): readonly string[] {
  const refused = entries.filter(({ state }) => state === 'failed').length;
  const kinds = [...new Set(entries.flatMap(({ problem }) => (problem ? withoutNames(problem.kind) : [])))];
  return [
    `${entries.length} unsent`,
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(kinds.length > 0 ? [`because ${kinds.join(' and ')}`] : []),
  ];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function ageText(milliseconds: number): string {
  if (milliseconds < 2 * MINUTE_MS) return `${Math.max(0, Math.round(milliseconds / 1000))} s`;
  if (milliseconds < 2 * HOUR_MS) return `${Math.round(milliseconds / MINUTE_MS)} min`;
  return `${Math.round(milliseconds / HOUR_MS)} h`;
}

function settingLines({ declaredSettings, settings }: DiagnosticFacts): readonly string[] {
  return Object.entries(declaredSettings).flatMap(([name, declared]) => {
    const value = settings[name];
    const isDefault = value === undefined || JSON.stringify(value) === JSON.stringify(declared.default);
    return isDefault ? [] : [`${name}: ${settingText(declared, value)}`];
  });
}

/** What is chosen among given values, switched or counted; what a person wrote is theirs. */
function settingText({ type, enum: choices }: DeclaredSetting, value: unknown): string {
  const isChoice = Array.isArray(choices) && choices.includes(value);
  const isPlain = (type === 'boolean' || type === 'number') && typeof value === type;
  return isChoice || isPlain ? JSON.stringify(value) : 'set';
}

/** A report to fill in below two headings, with what the program tells of itself. */
export function issueText(
  { done, expected }: { readonly done: string; readonly expected: string },
  diagnostics: string,
): string {
  return [`### ${done}`, '', '1. ', '', `### ${expected}`, '', '', '', diagnostics].join('\n');
}

/** Where issues go, as `package.json` names it; `undefined` where it names no page of the web. */
export function issueAddress({ bugs }: { readonly bugs?: unknown }): string | undefined {
  const address = typeof bugs === 'object' && bugs !== null && 'url' in bugs ? bugs.url : bugs;
  return typeof address === 'string' && /^https:\/\/[^\s"<>]+$/.test(address) ? address : undefined;
}
