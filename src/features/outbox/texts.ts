import * as vscode from 'vscode';
import type { OutboxEntry } from '../../core/outbox/outbox.ts';
import type { Backlogs } from '../../host/projects/backlogs.ts';
import { entryTexts } from './entryTexts.ts';

export const texts = entryTexts(vscode);

/** What an entry is to do, with the names that its project's stories have now. */
export function wishText(backlogs: Backlogs, { intent, project }: Pick<OutboxEntry, 'intent' | 'project'>): string {
  return texts.intent(intent, (storyId) => backlogs.peekStory(storyId, project)?.story.name);
}
