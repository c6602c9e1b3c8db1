import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { messageOf } from '../../core/errors.ts';
import { mentionsInMessage } from '../../core/mentions/mentionsInText.ts';
import type { StoryMention } from '../../core/mentions/storyMentions.ts';
import type { App } from '../../host/app.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import { mentionedStories, readBacklogs } from '../../host/story/mentionedStories.ts';
import { areOnOneServer, linkText, shortStoryLink } from '../../host/story/storyLink.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { type HostNeeds, isPullRequest } from './codeHosts.ts';

export type CommitNeeds = HostNeeds & Pick<App, 'activeStories' | 'backlogs' | 'git'>;

/** A number in a commit message, and the stories that it may mean. */
export interface CommitMention {
  readonly mention: StoryMention;
  readonly found: readonly [FoundStory, ...FoundStory[]];
}

/** The stories that a commit message mentions, in the order of the text, as far as they are known here. */
export async function storiesOfMessage(
  needs: CommitNeeds,
  repository: vscode.Uri,
  message: string,
): Promise<readonly CommitMention[]> {
  const mentions = mentionsInMessage(message);
  const ids = mentions.map(({ id }) => id);
  const stories = await mentionedStories(needs, ids, repository);
  const known: CommitMention[] = [];
  for (const mention of mentions) {
    const [first, ...others] = stories.get(mention.id) ?? [];
    if (first && !(await isPullRequest(needs, mention, repository))) known.push({ mention, found: [first, ...others] });
  }
  return known;
}

/** A history is not held up longer than this by backlogs that are still read. */
const PATIENCE_MS = 1500;
/** Backlogs that could not be read are asked for again after so long. */
const READ_AGAIN_MS = 60_000;

/** What VS Code is told of commits while it shows them, hundreds at a time. */
export class CommitLinks {
  private readonly needs: CommitNeeds;
  private reading: { readonly done: Promise<unknown>; readonly until: number } | undefined;
  private isOnlyServer = true;
  /** Reading took too long once, so it is no longer waited for. */
  private isLate = false;

  constructor(needs: CommitNeeds) {
    this.needs = needs;
  }

  /** The message with its numbers as links; `undefined` where none of them is of a story that is known here. */
  async linkedMessage(repository: vscode.Uri, message: string): Promise<string | undefined> {
    await this.ready();
    const known = await storiesOfMessage(this.needs, repository, message);
    if (known.length === 0) return undefined;
    let [text, from] = ['', 0];
    for (const { mention, found } of known) {
      const { start, end } = mention.range;
      text += `${message.slice(from, start)}[${message.slice(start, end)}](${this.addressOf(found)})`;
      from = end;
    }
    return text + message.slice(from);
  }

  private addressOf(found: CommitMention['found']): string {
    const { backlogs } = this.needs;
    const address = shortStoryLink(backlogs, found);
    if (this.isOnlyServer) return address;
    const title = withoutIcons(linkText(backlogs, found, false)).replace(/["\\]/g, '\\$&');
    return `${address} "${title}"`;
  }

  /** Waits a moment for what is read for the first time; what comes later is there for those who ask later. */
  private async ready(): Promise<void> {
    if (!this.reading || this.reading.until < Date.now())
      this.reading = { done: this.read(), until: Date.now() + READ_AGAIN_MS };
    if (this.isLate) return;
    const { done } = this.reading;
    const inTime = await Promise.race([done.then(() => true), pause(PATIENCE_MS, false)]);
    this.isLate = !inTime;
  }

  private async read(): Promise<void> {
    try {
      this.isOnlyServer = areOnOneServer(await readBacklogs(this.needs));
    } catch (thrown) {
      this.needs.log.warn(messageOf(thrown));
    }
  }
}

/** A button below every commit: VS Code asks for those of a repository, not of a commit. */
export function commitCommands(repository: vscode.Uri): vscode.Command[] {
  const argument = { repository: repository.toString() };
  const tooltip = vscode.l10n.t('Open the Story That This Commit Mentions');
  const title = `$(tasklist) ${vscode.l10n.t('Open Story')}`;
  return [{ title, tooltip, command: commandIds.openMentionedStory, arguments: [argument] }];
}
