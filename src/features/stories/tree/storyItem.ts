import * as vscode from 'vscode';
import { isPendingStory } from '../../../core/intents/editedStory.ts';
import { isUnsent } from '../../../core/intents/unsentStory.ts';
import type { Project } from '../../../core/story/project.ts';
import { type Story, UNESTIMATED } from '../../../core/story/story.ts';
import { visibleLine } from '../../../core/text.ts';
import { initialsOf } from '../../../host/shell/plainText.ts';
import { estimateText } from '../../../host/story/estimatedEdit.ts';
import { iconOfType, storyLabel } from '../../../host/story/storyLabel.ts';
import { GroupNode, keyText, SavedFilterNode, type StoryNode } from '../../../host/tree/nodes.ts';
import { groupLabel } from './groupTexts.ts';

const colours: Readonly<Record<string, string>> = {
  started: 'charts.blue',
  finished: 'charts.purple',
  delivered: 'charts.yellow',
  accepted: 'charts.green',
  rejected: 'charts.red',
};

/** Colour of a state, by theme; none for what is not begun. */
export function colourOfState(state: string): string | undefined {
  return colours[state];
}

/**
 * The row of a story. A click selects it; expanding it shows its tasks, attachments and comments. One that is worked on
 * has the icon of the status bar instead of its type's.
 */
export function storyItem(node: StoryNode, project: Project | undefined, isActive: boolean): vscode.TreeItem {
  const { story } = node;
  const hasDetails = story.tasks.length + story.attachments.length + story.notes.length > 0;
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(storyLabel(story), hasDetails ? Collapsed : None);
  const colour = colourOfState(story.state);
  item.description = storyDescription(story, project, isActive);
  item.iconPath = new vscode.ThemeIcon(
    isActive ? 'bookmark' : iconOfType(story.type),
    colour ? new vscode.ThemeColor(colour) : undefined,
  );
  item.contextValue = contextOf(story, isActive);
  item.accessibilityInformation = { label: spokenStory(node, isActive) };
  return item;
}

/** What menus ask of a row. One that no server has yet has no menu: there is no number by which to do anything to it. */
function contextOf(story: Story, isActive: boolean): string {
  if (isPendingStory(story)) return 'storyUnsent';
  const hasFiles = story.attachments.length > 0;
  const facts = [
    story.ticket && 'ticket',
    story.ownedBy !== undefined && 'owned',
    hasFiles && 'attached',
    isActive && 'active',
  ];
  return ['story', story.type, story.state, ...facts.filter((fact) => fact)].join('.');
}

/** Points first and short: what is cut off in a narrow side bar is at the end. */
function storyDescription(story: Story, project: Project | undefined, isActive: boolean): string {
  const owner = story.ownedBy === undefined ? undefined : initialsOf(story.ownedBy, project);
  const unsent = isUnsent(story) || isPendingStory(story) ? vscode.l10n.t('not sent yet') : undefined;
  const active = isActive ? vscode.l10n.t('active') : undefined;
  return [active, shortEstimate(story), story.state, unsent, owner].filter((part) => part).join(' · ');
}

/** As `estimateText`, for where there is little room. */
function shortEstimate(story: Story): string | undefined {
  const { estimate } = story;
  if (estimate === undefined || estimate === UNESTIMATED) return estimateText(story);
  return estimate === 1 ? vscode.l10n.t('1 pt') : vscode.l10n.t('{0} pts', estimate);
}

const places = new WeakMap<readonly unknown[], ReadonlyMap<string, number>>();

/** What a screen reader says of a story's row: type, state, full name, points, and its place (contract.md). */
function spokenStory(node: StoryNode, isActive = false): string {
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
