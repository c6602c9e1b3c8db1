import * as vscode from 'vscode';
import { countedPoints } from '../../../host/story/estimatedEdit.ts';
import type { GroupNode } from '../../../host/tree/nodes.ts';
import { totalPoints } from './detail.ts';

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

export function countedIterations(count: number): string {
  return count === 1 ? vscode.l10n.t('1 iteration') : vscode.l10n.t('{0} iterations', count);
}

/** How many a filter leaves, as in "3 of 12". */
export function countedOf(shown: number, total: number): string {
  return vscode.l10n.t('{0} of {1}', shown, total);
}
