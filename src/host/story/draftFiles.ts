import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { keyText, type ProjectKey } from '../../core/story/projectKey.ts';

/** What persons have begun to write and not saved, by names such as `commentDraft` gives. */
export interface DraftStore {
  /** Names under which something is kept, by whichever window. */
  keys(): readonly string[];
  /** What this window keeps; where it keeps nothing, the newest of what others have kept. */
  get(name: string): unknown;
  /** What other windows have kept besides that, newest first. */
  others(name: string): readonly unknown[];
  /** Keeps this, or nothing any more, in place of what `get` gives. Safe from what other windows keep. */
  update(name: string, value: unknown): Promise<void>;
  /** Looks at what other windows have kept since. */
  refresh(): void;
}

interface Kept {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly value: unknown;
}

interface FoundFile extends Kept {
  readonly file: string;
}

/**
 * Drafts in files that all windows share. VS Code writes the memory of a workspace as a whole, so that the last of two windows wins;
 * here each window writes files of its own, one for each draft. Whoever goes on with what another window has left takes it over.
 */
export class DraftFiles implements DraftStore {
  private readonly folder: string;
  private readonly log: Log;
  private readonly now: () => number;
  private readonly window = randomUUID();
  private readonly own = new Map<string, Kept>();
  private found: readonly FoundFile[] = [];
  private writing: Promise<void> = Promise.resolve();

  /** `now` gives milliseconds since the epoch. */
  constructor(folder: string, log: Log, now: () => number = Date.now) {
    this.folder = folder;
    this.log = log;
    this.now = now;
    this.refresh();
  }

  keys(): readonly string[] {
    return [...new Set([...this.own.keys(), ...this.found.map(({ name }) => name)])];
  }

  get(name: string): unknown {
    return (this.own.get(name) ?? this.foundOf(name)[0])?.value;
  }

  others(name: string): readonly unknown[] {
    const found = this.foundOf(name);
    return (this.own.has(name) ? found : found.slice(1)).map(({ value }) => value);
  }

  async update(name: string, value: unknown): Promise<void> {
    const [newest, ...others] = this.foundOf(name);
    const same = [newest, ...others].filter((one) => isDeepStrictEqual(one?.value, value));
    const takenOver = new Set(this.own.has(name) ? same : [newest, ...same]);
    if (value === undefined) this.own.delete(name);
    else this.own.set(name, { name, at: this.now(), value });
    this.found = this.found.filter((one) => !takenOver.has(one));
    const write = () =>
      this.write(
        name,
        [...takenOver].flatMap((one) => one?.file ?? []),
      );
    this.writing = this.writing.then(write, write);
    await this.writing;
  }

  /** At once, since what a page says next must find it; the files are few and small. */
  refresh(): void {
    try {
      const theirs = readdirSync(this.folder).filter((file) => file.endsWith('.json') && !file.includes(this.window));
      this.found = theirs.flatMap((file) => this.read(file)).toSorted((one, other) => other.at - one.at);
    } catch (thrown) {
      if (!isMissing(thrown)) this.log.error(`Unsaved text of other windows could not be read: ${messageOf(thrown)}`);
    }
  }

  private foundOf(name: string): readonly FoundFile[] {
    return this.found.filter((one) => one.name === name);
  }

  /** Nothing where another window has removed it in the meantime, and for any other file. */
  private read(file: string): readonly FoundFile[] {
    try {
      const { name, at, value }: Readonly<Record<string, unknown>> = Object(
        JSON.parse(readFileSync(join(this.folder, file), 'utf8')),
      );
      const isKept = typeof name === 'string' && typeof at === 'number' && value !== undefined;
      return isKept ? [{ name, at, value, file }] : [];
    } catch (thrown) {
      this.log.debug(`draft ${file} not read: ${messageOf(thrown)}`);
      return [];
    }
  }

  /** What is kept by now, however often it changed before its turn came; what it was taken over from goes only then. */
  private async write(name: string, takenOver: readonly string[]): Promise<void> {
    const file = join(
      this.folder,
      `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.${this.window}.json`,
    );
    try {
      const kept = this.own.get(name);
      if (kept) {
        await mkdir(this.folder, { recursive: true });
        await writeFile(`${file}.new`, JSON.stringify(kept), { mode: 0o600 });
        await rename(`${file}.new`, file);
      } else await rm(file, { force: true });
      for (const former of takenOver) await rm(join(this.folder, former), { force: true });
    } catch (thrown) {
      this.log.error(`Unsaved text could not be kept: ${messageOf(thrown)}`);
    }
  }
}

function isMissing(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
}

/** Under which name drafts have the comment that was begun on a story and not sent. */
export function commentDraft(key: ProjectKey, storyId: number): string {
  return `storyTracker.draft.${keyText(key)}/${storyId}`;
}

/** As `commentDraft`, of what was written into the story's fields: what each field's name is put behind. */
export function fieldDrafts(key: ProjectKey, storyId: number): string {
  return `${commentDraft(key, storyId)}/fields`;
}

/** A story as drafts name it. */
interface NamedStory extends ProjectKey {
  readonly storyId: number;
}

/** Whether anything was begun about a story, in this window or another. */
export function hasDrafts(drafts: DraftStore, story: NamedStory): boolean {
  drafts.refresh();
  return draftsAbout(drafts, story).length > 0;
}

/** Takes what was written about a story along to where it is now. What was written there already stays. */
export async function moveDrafts(drafts: DraftStore, from: NamedStory, to: NamedStory): Promise<void> {
  const [before, after] = [from, to].map((story) => commentDraft(story, story.storyId));
  if (before === undefined) return;
  for (const name of draftsAbout(drafts, from)) {
    const moved = `${after}${name.slice(before.length)}`;
    if (drafts.get(moved) !== undefined) continue;
    await drafts.update(moved, drafts.get(name));
    await drafts.update(name, undefined);
  }
}

/** Under which names anything is kept about a story. */
export function draftsAbout(drafts: DraftStore, story: NamedStory): readonly string[] {
  const name = commentDraft(story, story.storyId);
  return drafts.keys().filter((one) => one === name || one.startsWith(`${name}/`));
}
