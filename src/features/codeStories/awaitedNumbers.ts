import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import { isSameProject, type ProjectKey } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import { madeSince } from '../../host/story/newStories.ts';
import { type NumberPlace, writeNumber } from './numberedText.ts';

type NumberNeeds = Pick<App, 'backlogs' | 'log' | 'messages' | 'workspaceMemory'>;

/** A story that its server did not have yet, and where its number goes once it has. */
interface AwaitedNumber {
  readonly key: ProjectKey;
  readonly story: { readonly name: string; readonly description: string };
  /** The newest number that was known: its own is higher. */
  readonly after: number;
  readonly place: NumberPlace;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** After so long a number is not waited for any more: the story may have been discarded. */
const LONGEST_MS = 30 * 86_400_000;

/** Writes the numbers of stories into the texts that they came from once servers have given them, after a reload too. */
export class AwaitedNumbers implements vscode.Disposable {
  private readonly needs: NumberNeeds;
  private readonly name: string;
  private readonly listening: { dispose(): unknown };
  private writing: Promise<void> = Promise.resolve();
  /** Since when those are waited for whose project was read after they were sent. */
  private readonly read = new Set<number>();

  /** The workspace remembers under `name` what is waited for. */
  constructor(needs: NumberNeeds, name: string) {
    this.needs = needs;
    this.name = name;
    this.listening = needs.backlogs.onDidChange((key) => this.look(key));
  }

  async add(awaited: Omit<AwaitedNumber, 'since'>): Promise<void> {
    await this.keep([...this.all(), { ...awaited, since: Date.now() }]);
    this.look(awaited.key);
  }

  /** Sees whether numbers have come that are waited for in a project, or in any. */
  look(key: ProjectKey | undefined): void {
    const isMeant = (one: AwaitedNumber) => !key || isSameProject(one.key, key);
    if (!this.all().some(isMeant)) return;
    this.writing = this.writing
      .then(() => this.writeKnown())
      .catch((thrown: unknown) => this.needs.log.warn(messageOf(thrown)));
  }

  dispose(): void {
    this.listening.dispose();
  }

  private async writeKnown(): Promise<void> {
    for (const one of this.all()) {
      const storyId = this.numberOf(one) ?? (await this.numberAfterReading(one));
      const isOver = Date.now() - one.since > LONGEST_MS;
      if (storyId === undefined && !isOver) continue;
      await this.keep(this.all().filter((other) => other.since !== one.since || other.place.uri !== one.place.uri));
      if (storyId !== undefined) await tellWritten(this.needs, one.place, storyId);
    }
  }

  /** Of a project that is not shown, which need not have been read since the story was sent. */
  private async numberAfterReading(one: AwaitedNumber): Promise<number | undefined> {
    const { backlogs } = this.needs;
    const { key, story, since } = one;
    const waits = backlogs.unsent.some(({ intent, project }) => {
      return intent.kind === 'newStory' && intent.story.name === story.name && isSameProject(project, key);
    });
    if (waits || this.read.has(since)) return undefined;
    this.read.add(since);
    try {
      await backlogs.reload(key);
    } catch (thrown) {
      this.read.delete(since);
      throw thrown;
    }
    return this.numberOf(one);
  }

  private numberOf({ key, story, after }: AwaitedNumber): number | undefined {
    return madeSince(this.needs.backlogs, key, story, (id) => id > after);
  }

  private all(): readonly AwaitedNumber[] {
    const kept = this.needs.workspaceMemory.get<readonly AwaitedNumber[]>(this.name);
    return Array.isArray(kept) ? kept : [];
  }

  private async keep(all: readonly AwaitedNumber[]): Promise<void> {
    await this.needs.workspaceMemory.update(this.name, all.length > 0 ? all : undefined);
  }
}

/** Writes the number of a story where it goes, and says so; where it cannot be written, offers it. */
export async function tellWritten(
  { log, messages }: Pick<NumberNeeds, 'log' | 'messages'>,
  place: NumberPlace | undefined,
  storyId: number,
): Promise<void> {
  const isWritten =
    place !== undefined &&
    (await writeNumber(place, storyId).catch((thrown: unknown) => {
      log.warn(messageOf(thrown));
      return false;
    }));
  if (isWritten) {
    messages.status(vscode.l10n.t('Created story #{0} and inserted its ID.', storyId));
    return;
  }
  const copy = vscode.l10n.t('Copy ID');
  const text = place
    ? vscode.l10n.t('Created story #{0}. Its ID was not inserted because the text has changed.', storyId)
    : vscode.l10n.t('Created story #{0}. Its ID was not inserted.', storyId);
  void messages.info(text, copy).then(async (answer) => {
    if (answer === copy) await vscode.env.clipboard.writeText(`#${storyId}`);
  });
}
