import * as vscode from 'vscode';
import type { Project } from '../../core/project.ts';
import type { GroupKind, IterationNode } from '../../host/nodes.ts';
import { countedIterations, countedPoints, countedStories } from './counted.ts';
import { iterationDates } from './iterationDates.ts';
import { totalPoints } from './points.ts';

const icons: Readonly<Record<GroupKind, string>> = {
  current: 'play-circle',
  backlog: 'calendar',
  done: 'pass',
  icebox: 'archive',
};

/** The row of an iteration, of the icebox, or of all done iterations together. */
export function iterationItem(node: IterationNode, project: Project | undefined, doneCount: number): vscode.TreeItem {
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label(node), node.group === 'current' ? Expanded : Collapsed);
  const description = node.iteration ? iterationDescription(node, project) : groupDescription(node, doneCount);
  item.description = description;
  item.tooltip = tooltip(node, project);
  item.iconPath = new vscode.ThemeIcon(icons[node.group]);
  item.contextValue = `iteration.${node.group}`;
  item.accessibilityInformation = {
    label: [label(node), description.replaceAll(' · ', ', ')].filter((part) => part !== '').join(', '),
  };
  return item;
}

function label({ group, iteration }: IterationNode): string {
  if (!iteration) return group === 'done' ? vscode.l10n.t('Done') : vscode.l10n.t('Icebox');
  if (group === 'current') return vscode.l10n.t('Current · Iteration {0}', iteration.number);
  if (group === 'done') return vscode.l10n.t('Done · Iteration {0}', iteration.number);
  return vscode.l10n.t('Backlog · Iteration {0}', iteration.number);
}

function groupDescription({ group, stories }: IterationNode, doneCount: number): string {
  return group === 'done' ? countedIterations(doneCount) : countedStories(stories.length);
}

function iterationDescription(node: IterationNode, project: Project | undefined): string {
  const { iteration, group, stories } = node;
  const dates = iteration ? iterationDates(iteration, vscode.env.language) : '';
  const points = totalPoints(stories);
  const capacity = group === 'done' ? undefined : capacityOf(node, project);
  const text = capacity === undefined ? countedPoints(points) : vscode.l10n.t('{0} of {1} points', points, capacity);
  return [dates, text].filter((part) => part !== '').join(' · ');
}

/** Points that fit into the iteration: the velocity, less where the team is not whole. */
function capacityOf({ iteration }: IterationNode, project: Project | undefined): number | undefined {
  const velocity = project?.currentVelocity;
  return velocity === undefined ? undefined : Math.round(velocity * (iteration?.teamStrength ?? 1));
}

function tooltip(node: IterationNode, project: Project | undefined): string {
  const { iteration, stories } = node;
  const accepted = stories.filter(({ state }) => state === 'accepted');
  const capacity = iteration && node.group !== 'done' ? capacityOf(node, project) : undefined;
  const strength = iteration?.teamStrength ?? 1;
  return [
    label(node),
    iteration && iterationDates(iteration, vscode.env.language),
    vscode.l10n.t('{0}, {1}', countedStories(stories.length), countedPoints(totalPoints(stories))),
    accepted.length > 0 ? vscode.l10n.t('{0} accepted', countedPoints(totalPoints(accepted))) : undefined,
    capacity === undefined ? undefined : vscode.l10n.t('Velocity: {0}', countedPoints(capacity)),
    strength === 1 ? undefined : vscode.l10n.t('Team strength: {0}%', Math.round(strength * 100)),
  ]
    .filter((line) => line)
    .join('\n');
}
