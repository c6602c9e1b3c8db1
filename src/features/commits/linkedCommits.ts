import type * as vscode from 'vscode';
import type { FoundStory } from '../../host/backlogs.ts';

/** Hash → stories as `account/story`, latest last. */
type Linked = Readonly<{ [hash: string]: readonly string[] }>;

const KEY = 'storyTracker.linkedCommits';
const KEPT = 2000;

/** Which commits were linked from this workspace, so that the others can be offered first. */
export class LinkedCommits {
  private readonly memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.memory = memory;
  }

  storiesOf(hash: string): readonly number[] {
    return (this.record()[hash] ?? []).map((story) => Number(story.slice(story.lastIndexOf('/') + 1)));
  }

  async add(hash: string, stories: readonly FoundStory[]): Promise<void> {
    const { [hash]: before = [], ...others } = this.record();
    const names = stories.map(({ key, story }) => `${key.accountId}/${story.id}`);
    const entries = [...Object.entries(others), [hash, [...new Set([...before, ...names])]] as const];
    await this.memory.update(KEY, Object.fromEntries(entries.slice(-KEPT)));
  }

  private record(): Linked {
    return this.memory.get<Linked>(KEY, {});
  }
}
