import * as vscode from 'vscode';
import { stateWord } from '../../core/backlog/stateWords.ts';
import type { Story } from '../../core/story/story.ts';
import { visibleLine } from '../../core/text.ts';
import { withoutIcons } from '../shell/plainText.ts';
import { iconOfType } from './storyIcons.ts';

/** What a list has room for, and far longer than a name is. */
const LONGEST_NAME = 300;

/** The name of a story on one line, or its number when a server gave none. */
export function storyLabel({ name, id }: Pick<Story, 'id' | 'name'>): string {
  return name.trim() === '' ? vscode.l10n.t('Story #{0}', id) : visibleLine(name, LONGEST_NAME);
}

/** A story in a list to pick from. */
export function storyPickItem(story: Story): vscode.QuickPickItem {
  const { id, state, type } = story;
  return {
    label: `$(${iconOfType(type)}) ${withoutIcons(storyLabel(story))}`,
    description: `#${id} · ${withoutIcons(stateWord(state))}`,
  };
}
