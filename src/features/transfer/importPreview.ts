import * as vscode from 'vscode';
import type { Tracker } from '../../core/ports/tracker.ts';
import type { ImportRemark, ImportReport } from '../../core/story/importReport.ts';
import type { ReadOnlyTexts } from '../../host/shell/readOnlyTexts.ts';
import { countsText, countText, namedText, newAndChangedText, shown } from './transferTexts.ts';

const MOST_PEOPLE = 200;
const MOST_REMARKS = 50;
/** Numbers of rows that one line names. */
const MOST_ROWS = 8;

interface PreviewItem extends vscode.QuickPickItem {
  readonly chosen?: 'import' | 'all' | { readonly person: string };
}

interface Previewed {
  readonly report: ImportReport;
  /** Of the project that is there, and of its members. */
  readonly projectId: number | undefined;
  readonly tracker: Tracker;
  readonly files: number;
}

/**
 * Shows what an import would do, and lets the people in the file be matched with those on the server, beginning with the addresses
 * `given` by names. Gives these; `undefined` when the person turned away.
 */
export async function confirmImport(
  reports: ReadOnlyTexts,
  previewed: Previewed,
  given: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>> | undefined> {
  const people: Record<string, string> = { ...given };
  for (;;) {
    const options = {
      title: titleOf(previewed.report),
      placeHolder: vscode.l10n.t('Choose a person to match them with someone, or import'),
      matchOnDetail: true,
      ignoreFocusOut: true,
    };
    const answer = await vscode.window.showQuickPick(itemsOf(previewed, people), options);
    if (!answer) return undefined;
    const { chosen } = answer;
    if (chosen === 'import') return people;
    if (chosen === 'all') await showAll(reports, previewed.report);
    else if (typeof chosen === 'object') await match(previewed, chosen.person, people);
  }
}

function titleOf({ project }: ImportReport): string {
  const name = shown(project.name);
  return project.isNew ? vscode.l10n.t('Import into a New Project, {0}', name) : vscode.l10n.t('Import into {0}', name);
}

function itemsOf({ report, files }: Previewed, people: Readonly<Record<string, string>>): readonly PreviewItem[] {
  const { remarkCount } = report;
  const what = vscode.l10n.t('Import {0}', newAndChangedText(report));
  const separator = (label: string): PreviewItem => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const named = report.people.slice(0, MOST_PEOPLE).map(({ name, times, is }) => ({
    label: `$(person) ${shown(name)}`,
    description: people[name] ?? (is === 'text' ? vscode.l10n.t('kept as a name') : vscode.l10n.t('a member')),
    detail: namedText(times),
    chosen: { person: name },
  }));
  const alike = Map.groupBy(report.remarks, ({ column, why }) => JSON.stringify([column, why]));
  const remarks = [...alike.values()].slice(0, MOST_REMARKS).flatMap(remarkItem);
  const counts = countsText(report, files);
  return [
    { label: `$(cloud-upload) ${what}`, detail: counts, chosen: 'import' },
    ...(named.length > 0 ? [separator(vscode.l10n.t('People in the file')), ...named] : []),
    ...(remarkCount > 0
      ? [
          separator(vscode.l10n.t('Not understood, or not kept as it is ({0})', countText(remarkCount))),
          ...remarks,
          { label: `$(list-flat) ${vscode.l10n.t('Show All')}`, chosen: 'all' as const },
        ]
      : []),
  ];
}

/** One for what is said of the same column for the same reason. */
function remarkItem(alike: readonly ImportRemark[]): readonly PreviewItem[] {
  const [first, another] = alike;
  if (!first) return [];
  const { column, value, why } = first;
  const label = `$(warning) ${shown(column)}: ${shown(value)}${another ? ', …' : ''}`;
  return [{ label, description: whereText(alike), detail: shown(why), chosen: 'all' }];
}

/** Nothing for what is said of the project. */
function whereText(remarks: readonly ImportRemark[]): string {
  const ids = new Map(remarks.filter(({ row }) => row > 0).map(({ row, id }) => [row, id]));
  const [only, another] = ids;
  if (!only) return '';
  if (!another) return vscode.l10n.t('row {0}, story {1}', only[0], shown(only[1]));
  const rows = [...ids.keys()].slice(0, MOST_ROWS).map(String);
  return vscode.l10n.t('rows {0}', [...rows, ...(ids.size > MOST_ROWS ? ['…'] : [])].join(', '));
}

/** The whole report as a text beside the question. */
export async function showAll(reports: ReadOnlyTexts, report: ImportReport): Promise<void> {
  const lines = report.remarks.map(({ row, id, column, value, why }) =>
    row === 0
      ? `${column} "${shown(value)}": ${why}`
      : vscode.l10n.t('row {0}, story {1}, {2} "{3}": {4}', row, id, column, shown(value), why),
  );
  const more = report.remarkCount - report.remarks.length;
  const rest = more > 0 ? [vscode.l10n.t('… and {0} more.', countText(more))] : [];
  const content = [...lines, ...rest].join('\n');
  const document = reports.add(`${vscode.l10n.t('Import Report')}.txt`, content);
  await vscode.window.showTextDocument(document, { preview: true });
}

/** Who imports comes first: a server where they have no project yet tells of nobody else. */
async function match(
  { report: { importer }, tracker, projectId }: Previewed,
  name: string,
  people: Record<string, string>,
): Promise<void> {
  const members =
    projectId === undefined ? await tracker.listMyMemberships() : await tracker.listMemberships(projectId);
  const addresses = new Map(importer && [[importer.email, vscode.l10n.t('{0} (You)', importer.name)]]);
  for (const { person } of members)
    if (person.email && !addresses.has(person.email)) addresses.set(person.email, person.name ?? '');
  const other = { label: `$(edit) ${vscode.l10n.t('Another Email Address…')}`, address: undefined };
  const none = { label: `$(circle-slash) ${vscode.l10n.t('Keep the Name')}`, address: '' };
  const known = [...addresses].map(([address, called]) => ({
    label: `$(person) ${shown(called)}`,
    description: address,
    address,
  }));
  const placeHolder = vscode.l10n.t('Who is {0}?', shown(name));
  const answer = await vscode.window.showQuickPick([...known, other, none], { placeHolder, ignoreFocusOut: true });
  if (!answer) return;
  const address = answer === other ? await askAddress(name) : answer.address;
  if (address === '') delete people[name];
  else if (address !== undefined) people[name] = address;
}

function askAddress(name: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    prompt: vscode.l10n.t('Email address of {0} on this server', shown(name)),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim().includes('@') ? undefined : vscode.l10n.t('Enter an email address.')),
  });
}
