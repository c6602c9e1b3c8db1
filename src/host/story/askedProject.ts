import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { isSameProject } from '../../core/story/projectKey.ts';
import type { Backlogs } from '../projects/backlogs.ts';
import type { ProjectEntry } from '../projects/projectList.ts';
import { isPlainObject } from '../shell/commands.ts';
import { withoutIcons } from '../shell/plainText.ts';
import { ProjectNode } from '../tree/nodes.ts';

interface ProjectItem extends vscode.QuickPickItem {
  readonly entry: ProjectEntry;
}

export function projectItem(entry: ProjectEntry): ProjectItem {
  return { label: withoutIcons(entry.project.name), description: withoutIcons(entry.account.label), entry };
}

interface Question {
  readonly placeHolder: string;
  /** All when left out. */
  readonly isOffered?: (entry: ProjectEntry) => boolean;
  /** Whether the only one there is to choose is taken without asking. */
  readonly takesOnlyOne?: boolean;
  /** What a person reads where none is offered. */
  readonly noneOffered?: string;
}

/**
 * The project of a row, the one that a program names with `{ projectId }`, or the one picked; `undefined`: turned away.
 * @throws TrackerError `notFound` where there is no such project.
 */
export async function askedProject(
  backlogs: Pick<Backlogs, 'requireProjects'>,
  argument: unknown,
  { placeHolder, isOffered = () => true, takesOnlyOne = false, noneOffered = '' }: Question,
): Promise<ProjectEntry | undefined> {
  const entries = await backlogs.requireProjects();
  if (argument instanceof ProjectNode) return entries.find(({ key }) => isSameProject(key, argument.key));
  if (isPlainObject(argument) && argument.projectId !== undefined) return projectNamed(entries, argument);
  const offered = entries.filter(isOffered);
  if (offered.length === 0) throw new TrackerError('notFound', noneOffered);
  if (takesOnlyOne && offered.length === 1) return offered[0];
  return (await vscode.window.showQuickPick(offered.map(projectItem), { placeHolder }))?.entry;
}

/**
 * The project that a program names.
 * @throws TrackerError `input` for what cannot be the ID of one, `notFound` where there is no such project.
 */
export function projectNamed(
  entries: readonly ProjectEntry[],
  { projectId, accountId }: Readonly<Record<string, unknown>>,
): ProjectEntry {
  if (typeof projectId !== 'number')
    throw new TrackerError('input', vscode.l10n.t('Pass {0} as {1}.', 'projectId', 'number'));
  const found = entries.find(
    ({ key }) => key.projectId === projectId && (accountId === undefined || key.accountId === accountId),
  );
  if (found) return found;
  throw new TrackerError('notFound', vscode.l10n.t('Could not find project {0}.', String(projectId)));
}
