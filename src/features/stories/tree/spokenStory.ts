import * as vscode from 'vscode';
import { isUnsent } from '../../../core/intents/unsentStory.ts';
import type { Story } from '../../../core/story/story.ts';
import { visibleLine } from '../../../core/text.ts';
import { estimateText } from '../../../host/story/estimatedEdit.ts';
import { storyLabel } from '../../../host/story/storyLabel.ts';
import { GroupNode, keyText, SavedFilterNode, type StoryNode } from '../../../host/tree/nodes.ts';
import { groupLabel } from './groupTexts.ts';

const places = new WeakMap<readonly unknown[], ReadonlyMap<string, number>>();

/** What a screen reader says of a story's row: type, state, full name, points, and its place (contract.md). */
export function spokenStory(node: StoryNode, isActive = false): string {
  const { story } = node;
  const { type, state } = story;
  const unsent = isUnsent(story) ? vscode.l10n.t('not sent yet') : undefined;
  const active = isActive ? vscode.l10n.t('active story') : undefined;
  return [capitalised(type), state, active, fullName(story), estimateText(story), unsent, whereOf(node)]
    .filter((part) => part)
    .join(', ');
}

/** What is longer than this is no name, and would keep VS Code from telling the rest. */
const LONGEST_SPOKEN = 1500;

function fullName(story: Story): string {
  return story.name.trim() === '' ? storyLabel(story) : visibleLine(story.name, LONGEST_SPOKEN);
}

function whereOf({ key, story, parent }: StoryNode): string {
  if (parent instanceof SavedFilterNode) {
    const place = placeIn(parent.found, (one) => `${keyText(one.key)}/${one.story.id}`, `${keyText(key)}/${story.id}`);
    return vscode.l10n.t('{0} of {1} in {2}', place, parent.found.length, parent.name);
  }
  const place = placeIn(parent.stories, ({ id }) => String(id), String(story.id));
  const total = parent.stories.length;
  if (parent instanceof GroupNode) return vscode.l10n.t('{0} of {1} in {2}', place, total, groupLabel(parent));
  if (parent.iteration) return vscode.l10n.t('{0} of {1} in iteration {2}', place, total, parent.iteration.number);
  return parent.group === 'done'
    ? vscode.l10n.t('{0} of {1} in done iterations', place, total)
    : vscode.l10n.t('{0} of {1} in the icebox', place, total);
}

/** 1-based. Looked up rather than searched, so that painting a long list stays linear. */
function placeIn<T>(list: readonly T[], nameOf: (item: T) => string, name: string): number {
  const known = places.get(list) ?? new Map(list.map((item, index) => [nameOf(item), index + 1]));
  places.set(list, known);
  return known.get(name) ?? 0;
}

function capitalised(text: string): string {
  return text.slice(0, 1).toLocaleUpperCase() + text.slice(1);
}
