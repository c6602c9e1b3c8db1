import * as vscode from 'vscode';
import type { Story } from '../core/story.ts';
import { withoutIcons } from './plainText.ts';
import { iconOfType } from './storyIcon.ts';

/** The name of a story, or its number when a server gave none. */
export function storyLabel({ name, id }: Pick<Story, 'id' | 'name'>): string {
  return name.trim() === '' ? vscode.l10n.t('Story #{0}', id) : name;
}

/** A story in a list to pick from. */
export function storyPickItem(story: Story): vscode.QuickPickItem {
  const { id, state, type } = story;
  return {
    label: `$(${iconOfType(type)}) ${withoutIcons(storyLabel(story))}`,
    description: `#${id} · ${withoutIcons(state)}`,
  };
}
