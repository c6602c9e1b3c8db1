import * as vscode from 'vscode';
import { countedPoints } from '../../../host/story/estimatedEdit.ts';
import type { GroupNode } from '../../../host/tree/nodes.ts';
import { countedOf, countedStories } from './counted.ts';
import { totalPoints } from './points.ts';

/** What the row of stories with something in common says. */
export interface GroupTexts {
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
