import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { storyById } from '../../core/backlog/backlog.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Backlogs } from '../projects/backlogs.ts';
import type { HoverLinks } from './hoverMarkdown.ts';

type Known = Pick<Backlogs, 'baseUrlOf' | 'keysOfAccount' | 'peekSome'>;

/** The stories of the same account, in whatever project, that are known in this window. */
export class AccountLinks implements HoverLinks {
  private readonly backlogs: Known;
  private readonly key: ProjectKey;

  constructor(backlogs: Known, key: ProjectKey) {
    this.backlogs = backlogs;
    this.key = key;
  }

  get baseUrl(): string | undefined {
    return this.backlogs.baseUrlOf(this.key);
  }

  isKnown(storyId: number): boolean {
    return this.backlogs.keysOfAccount(this.key.accountId).some((key) => {
      const backlog = this.backlogs.peekSome(key);
      return backlog !== undefined && storyById(backlog, storyId) !== undefined;
    });
  }

  addressOf(storyId: number): string {
    const { accountId } = this.key;
    return `command:${commandIds.openStory}?${encodeURIComponent(JSON.stringify([{ accountId, storyId }]))}`;
  }
}

/** Opens a story that a text mentions: one of the account that the text is from, since numbers are unique on one server only. */
export async function openMentioned({ accountId }: ProjectKey, storyId: number): Promise<void> {
  await vscode.commands.executeCommand(commandIds.openStory, { accountId, storyId });
}
