import * as vscode from 'vscode';
import { commitOf } from '../../core/outbox/withUnsentIntents.ts';
import { olderPartsOf, type Story } from '../../core/story/story.ts';

/** What hangs on a story besides its fields. */
type Part = 'comments' | 'tasks' | 'files' | 'commits';

/** How much of each hangs on these stories, in words: "3 comments"; nothing of what there is none. */
export function partsTexts(stories: readonly Story[], parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => {
    const count = stories.reduce((sum, story) => sum + countOf(story, part), 0);
    return count > 0 ? [countText(part, count)] : [];
  });
}

/** What each is called of which these stories have any: "comments". */
export function partsNames(stories: readonly Story[], parts: readonly Part[]): readonly string[] {
  const names: Readonly<Record<Part, string>> = {
    comments: vscode.l10n.t('comments'),
    tasks: vscode.l10n.t('tasks'),
    files: vscode.l10n.t('files'),
    commits: vscode.l10n.t('linked commits'),
  };
  return parts.filter((part) => stories.some((story) => countOf(story, part) > 0)).map((part) => names[part]);
}

function countOf(story: Story, part: Part): number {
  const older = olderPartsOf(story);
  if (part === 'tasks') return story.tasks.length + older.tasks;
  if (part === 'files') return story.attachments.length + older.attachments;
  const commits = story.notes.filter((note) => commitOf(note) !== undefined).length;
  return part === 'commits' ? commits : story.notes.length - commits + older.notes;
}

function countText(part: Part, count: number): string {
  switch (part) {
    case 'comments':
      return count === 1 ? vscode.l10n.t('1 comment') : vscode.l10n.t('{0} comments', count);
    case 'tasks':
      return count === 1 ? vscode.l10n.t('1 task') : vscode.l10n.t('{0} tasks', count);
    case 'files':
      return count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', count);
    case 'commits':
      return count === 1 ? vscode.l10n.t('1 linked commit') : vscode.l10n.t('{0} linked commits', count);
  }
}
