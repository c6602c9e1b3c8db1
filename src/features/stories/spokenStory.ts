import * as vscode from 'vscode';
import type { Story } from '../../core/story.ts';
import { GroupNode, type StoryNode } from '../../host/nodes.ts';
import { storyLabel } from '../../host/storyLabel.ts';
import { groupLabel } from './groupTexts.ts';
import { estimateText } from './storyTexts.ts';

const places = new WeakMap<readonly Story[], ReadonlyMap<number, number>>();

/** What a screen reader says of a story's row: type, state, full name, points, and its place (contract.md). */
export function spokenStory({ story, parent }: StoryNode): string {
  const { type, state } = story;
  const place = placeOf(story, parent.stories);
  const total = parent.stories.length;
  const where = whereOf(parent, place, total);
  return [capitalised(type), state, storyLabel(story), estimateText(story), where].filter((part) => part).join(', ');
}

function whereOf(parent: StoryNode['parent'], place: number, total: number): string {
  if (parent instanceof GroupNode) return vscode.l10n.t('{0} of {1} in {2}', place, total, groupLabel(parent));
  return parent.iteration
    ? vscode.l10n.t('{0} of {1} in iteration {2}', place, total, parent.iteration.number)
    : vscode.l10n.t('{0} of {1} in the icebox', place, total);
}

/** 1-based. Looked up rather than searched, so that painting a long list stays linear. */
function placeOf({ id }: Story, stories: readonly Story[]): number {
  const known = places.get(stories) ?? new Map(stories.map((story, index) => [story.id, index + 1]));
  places.set(stories, known);
  return known.get(id) ?? 0;
}

function capitalised(text: string): string {
  return text.slice(0, 1).toLocaleUpperCase() + text.slice(1);
}
