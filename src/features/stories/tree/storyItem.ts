import * as vscode from 'vscode';
import { isPendingStory } from '../../../core/intents/editedStory.ts';
import { isUnsent } from '../../../core/intents/unsentStory.ts';
import type { Project } from '../../../core/story/project.ts';
import { type Story, UNESTIMATED } from '../../../core/story/story.ts';
import { initialsOf } from '../../../host/shell/plainText.ts';
import { estimateText } from '../../../host/story/estimatedEdit.ts';
import { iconOfType, storyLabel } from '../../../host/story/storyLabel.ts';
import type { StoryNode } from '../../../host/tree/nodes.ts';
import { spokenStory } from './spokenStory.ts';

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
