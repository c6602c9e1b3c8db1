import * as vscode from 'vscode';
import { capacityOf } from '../../../core/backlog/velocity.ts';
import type { Project } from '../../../core/story/project.ts';
import { countedPoints } from '../../../host/story/estimatedEdit.ts';
import type { GroupNode, IterationNode } from '../../../host/tree/nodes.ts';
import { acceptedPoints, iterationDates, totalPoints } from './rowFacts.ts';

/** What the row of stories with something in common says. */
interface GroupTexts {
  readonly label: string;
  readonly description: string;
  readonly spoken: string;
}

export function groupTexts(node: GroupNode): GroupTexts {
  const { stories, total } = node;
  const label = groupLabel(node);
  const spokenLabel = `${groupingLabel(node.by)} ${label}`;
  if (total !== undefined) {
    const counted = vscode.l10n.t('{0} of {1} stories shown', stories.length, total);
    return { label, description: countedOf(stories.length, total), spoken: `${spokenLabel}, ${counted}` };
  }
  const parts = [countedStories(stories.length), countedPoints(totalPoints(stories))];
  return { label, description: parts.join(' · '), spoken: [spokenLabel, ...parts].join(', ') };
}

export function groupLabel({ by, value }: Pick<GroupNode, 'by' | 'value'>): string {
  if (value !== undefined && value.trim() !== '') return value;
  return by === 'owner' ? vscode.l10n.t('No owner') : vscode.l10n.t('No label');
}

export function groupingLabel(by: GroupNode['by'] | 'iteration'): string {
  const labels = {
    iteration: vscode.l10n.t('Iteration'),
    state: vscode.l10n.t('State'),
    owner: vscode.l10n.t('Owner'),
    label: vscode.l10n.t('Label'),
    type: vscode.l10n.t('Type'),
  };
  return labels[by];
}

export function countedStories(count: number): string {
  return count === 1 ? vscode.l10n.t('1 story') : vscode.l10n.t('{0} stories', count);
}

function countedIterations(count: number): string {
  return count === 1 ? vscode.l10n.t('1 iteration') : vscode.l10n.t('{0} iterations', count);
}

/** How many a filter leaves, as in "3 of 12". */
export function countedOf(shown: number, total: number): string {
  return vscode.l10n.t('{0} of {1}', shown, total);
}

/** What the row of an iteration, of the icebox or of all done iterations says. */
interface IterationTexts {
  readonly label: string;
  readonly description: string;
  readonly spoken: string;
  readonly tooltip: string;
}

/** `doneCount`: how many done iterations are loaded. */
export function iterationTexts(node: IterationNode, project: Project | undefined, doneCount: number): IterationTexts {
  const label = labelOf(node);
  const dates = node.iteration && iterationDates(node.iteration, vscode.env.language);
  const points = totalPoints(node.stories);
  const capacity = pointsThatFit(node, project);
  const short = capacity === undefined ? countedPoints(points) : vscode.l10n.t('{0}/{1} points', points, capacity);
  const long = capacity === undefined ? countedPoints(points) : vscode.l10n.t('{0} of {1} points', points, capacity);
  if (node.total !== undefined) return filteredTexts(node, label, dates, node.total);
  const group = node.group === 'done' ? countedIterations(doneCount) : countedStories(node.stories.length);
  return {
    label,
    description: node.iteration ? joined(' · ', dates, short) : group,
    spoken: node.iteration ? joined(', ', label, dates, long) : joined(', ', label, group),
    tooltip: joined('\n', label, dates, joined(', ', countedStories(node.stories.length), long), ...particulars(node)),
  };
}

/** While a filter hides stories, points would say nothing: the row says how many are left. */
function filteredTexts({ stories }: IterationNode, label: string, dates: string | undefined, total: number) {
  const count = countedOf(stories.length, total);
  const counted = vscode.l10n.t('{0} of {1} stories shown', stories.length, total);
  return {
    label,
    description: joined(' · ', dates, count),
    spoken: joined(', ', label, dates, counted),
    tooltip: joined('\n', label, dates, counted),
  };
}

function labelOf({ group, iteration }: IterationNode): string {
  if (!iteration) return group === 'done' ? vscode.l10n.t('Done') : vscode.l10n.t('Icebox');
  if (group === 'current') return vscode.l10n.t('Current {0}', iteration.number);
  if (group === 'done') return vscode.l10n.t('Done {0}', iteration.number);
  return vscode.l10n.t('Backlog {0}', iteration.number);
}

function particulars({ iteration, stories }: IterationNode): readonly string[] {
  const accepted = acceptedPoints(stories);
  const strength = iteration?.teamStrength ?? 1;
  return [
    ...(accepted > 0 ? [vscode.l10n.t('{0} accepted', countedPoints(accepted))] : []),
    ...(strength === 1 ? [] : [vscode.l10n.t('Team strength: {0}%', Math.round(strength * 100))]),
  ];
}

/** The velocity, less where the team is not whole; nothing to hold done iterations and the icebox against. */
function pointsThatFit({ group, iteration }: IterationNode, project: Project | undefined): number | undefined {
  const velocity = project?.currentVelocity;
  if (!iteration || group === 'done' || velocity === undefined) return undefined;
  return capacityOf({ share: iteration.teamStrength ?? 1 }, velocity);
}

function joined(separator: string, ...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part).join(separator);
}
