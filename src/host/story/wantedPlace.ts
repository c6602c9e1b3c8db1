import * as vscode from 'vscode';
import type { WantedPlace } from '../../core/moves/newPlaces.ts';
import { isSameProject } from '../../core/story/projectKey.ts';
import type { Backlogs } from '../projects/backlogs.ts';
import type { ProjectEntry } from '../projects/projectList.ts';
import { orderedProjects } from '../projects/projectOrder.ts';
import { withoutIcons } from '../shell/plainText.ts';
import { IterationNode, ProjectNode, StoryNode } from '../tree/nodes.ts';
import { projectWishes } from './projectWishes.ts';

/**
 * The project in which a new story is to be made: that of a row, the only one, or the one picked. `undefined`: turned away.
 * @throws TrackerError as `requireProjects`
 */
export async function projectFor(
  backlogs: Pick<Backlogs, 'requireProjects'>,
  row: unknown,
): Promise<ProjectEntry | undefined> {
  const isNode = row instanceof ProjectNode || row instanceof IterationNode || row instanceof StoryNode;
  const entries = await backlogs.requireProjects();
  const asked = isNode ? entries.find(({ key }) => isSameProject(key, row.key)) : undefined;
  return asked ?? pickProject(entries);
}

/** In the iteration of a row, right behind a story's row, else in the icebox. */
export function placeFrom(row: unknown): WantedPlace {
  if (row instanceof StoryNode) return { behind: row.story };
  const iteration = row instanceof IterationNode && row.group !== 'done' ? row.iteration : undefined;
  return iteration ? { iteration: iteration.number } : 'icebox';
}

/** The only one that the tree shows, or the one picked: those of the tree first, in this order. `undefined`: turned away. */
export async function pickProject(entries: readonly ProjectEntry[]): Promise<ProjectEntry | undefined> {
  const { shown, others } = orderedProjects(entries, projectWishes());
  if (shown.length === 1) return shown[0];
  const items = [...shown, ...others].map((entry) => ({
    label: withoutIcons(entry.project.name),
    description: withoutIcons(entry.account.label),
    entry,
  }));
  const placeHolder = vscode.l10n.t('Create the story in which project?');
  return (await vscode.window.showQuickPick(items, { placeHolder, ignoreFocusOut: true }))?.entry;
}
