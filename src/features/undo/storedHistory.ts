import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import type { EntryKind, StoredEntry } from '../../host/story/entryValues.ts';
import { addKeptNumbers, type KeptNumbers, numbersOfAccount, readNumbers } from '../../host/story/restoredNumbers.ts';
import type { AwaitedStory, RestoredStories } from '../../host/story/restoredStories.ts';
import { isStoredEntry } from '../../host/story/storedEntry.ts';
import {
  type EntryMakers,
  KEPT_UNDO,
  type UndoEntry,
  type UndoHistory,
  type UndoWay,
} from '../../host/story/undoHistory.ts';

/** What a workspace remembers, as VS Code has it. */
interface Memory {
  keys(): readonly string[];
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

interface Needs {
  readonly log: Log;
  readonly undoHistory: Pick<UndoHistory, 'forget' | 'open' | 'putBelow'>;
  readonly restoredStories: RestoredStories;
  readonly workspaceMemory: Memory;
  /** The accounts that are signed in. */
  readonly accountIds: () => Promise<readonly string[]>;
  /** Reads these projects, so that what is undone in them is seen. */
  readonly readProjects: (keys: readonly ProjectKey[]) => Promise<void>;
  /** Finds out which number a story that waits for its server is given. */
  readonly followAwaited: (story: AwaitedStory) => void;
}

/** An entry, and its place among those of all accounts. */
interface PlacedEntry {
  readonly at: number;
  readonly entry: StoredEntry;
}

/** What is remembered of an account. */
type Kept = { readonly version: number } & Readonly<Record<UndoWay, readonly PlacedEntry[]>> & {
    readonly restored: KeptNumbers;
  };

/** Of the form in which entries are written down; what has another one is forgotten. */
const VERSION = 1;
/** Characters of the entries of an account, each way. VS Code warns of extensions that remember more than 512 KB. */
const ROOM = 100_000;

const WAYS: readonly UndoWay[] = ['undo', 'redo'];

/**
 * Has what was done in a workspace be undone in a later window, too. Entries are written down by account, so that signing out forgets
 * them. Of windows that are open on one workspace side by side each has its own, and the last to change it is remembered.
 */
export class StoredHistory {
  private readonly needs: Needs;
  private readonly makers: EntryMakers;
  private readonly written = new Map<string, string>();
  private restoring: Promise<readonly ProjectKey[]> | undefined;
  private reading: Promise<void> | undefined;
  private writing: Promise<void> | undefined;

  constructor(needs: Needs, makers: EntryMakers) {
    this.needs = needs;
    this.makers = makers;
  }

  /** Resolves once what earlier windows did is in the history, as far as it can be read. */
  async ready(): Promise<void> {
    try {
      const keys = await this.restore();
      if (keys.length > 0) this.reading ??= this.needs.readProjects(keys);
      await this.reading;
    } catch (thrown) {
      this.needs.log.warn(`undo history: ${messageOf(thrown)}`);
    }
  }

  /** Resolves once what there is now is written down. */
  write(): Promise<void> {
    this.writing ??= this.writeSoon();
    return this.writing;
  }

  /** In a turn of its own: several changes are made at once, and what came of one is known in the next. */
  private async writeSoon(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.writing = undefined;
    await this.restore();
    const { workspaceMemory, undoHistory, restoredStories, accountIds } = this.needs;
    const signedIn = new Set(await accountIds());
    undoHistory.forget(({ accountId }) => !signedIn.has(accountId));
    for (const name of workspaceMemory.keys()) {
      if (name.startsWith(KEPT_UNDO) && !signedIn.has(name.slice(KEPT_UNDO.length))) await this.put(name, undefined);
    }
    for (const accountId of signedIn) {
      const [undo, redo] = WAYS.map((way) => keptOf(undoHistory.open(way), accountId));
      const isEmpty = (undo?.length ?? 0) + (redo?.length ?? 0) === 0;
      const kept = { version: VERSION, undo, redo, restored: numbersOfAccount(restoredStories, accountId) };
      await this.put(`${KEPT_UNDO}${accountId}`, isEmpty ? undefined : kept);
    }
  }

  private async put(name: string, kept: unknown): Promise<void> {
    const text = JSON.stringify(kept) ?? '';
    if (this.written.get(name) === text) return;
    if (kept === undefined && this.needs.workspaceMemory.get(name) === undefined) return;
    this.written.set(name, text);
    await this.needs.workspaceMemory.update(name, kept);
  }

  /** Once; tells the projects of what there was. */
  private restore(): Promise<readonly ProjectKey[]> {
    this.restoring ??= this.restoreAll().catch((thrown: unknown) => {
      this.restoring = undefined;
      throw thrown;
    });
    return this.restoring;
  }

  private async restoreAll(): Promise<readonly ProjectKey[]> {
    const { accountIds, workspaceMemory, undoHistory, restoredStories, followAwaited } = this.needs;
    const kept = (await accountIds()).flatMap((id) => keptIn(workspaceMemory.get(`${KEPT_UNDO}${id}`), id) ?? []);
    const entriesOf = async (way: UndoWay) => {
      const stored = kept.flatMap((one) => one[way]).toSorted((one, other) => one.at - other.at);
      const made = await Promise.allSettled(stored.map(({ entry }) => makeAgain(this.makers, entry)));
      return made.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    };
    const made = new Map<UndoWay, readonly UndoEntry[]>();
    for (const way of WAYS) made.set(way, await entriesOf(way));
    for (const { restored } of kept) {
      addKeptNumbers(restoredStories, restored);
      for (const story of restored.awaited) followAwaited(story);
    }
    for (const [way, entries] of made) undoHistory.putBelow(way, entries);
    const keys = [...made.values()].flat().map(({ key }) => key);
    return [...new Map(keys.map((key) => [keyText(key), key])).values()];
  }
}

/** The latest entries of an account, as many as there is room for: what is before one that is too long is not remembered either. */
function keptOf(entries: readonly UndoEntry[], accountId: string): readonly PlacedEntry[] {
  const kept: PlacedEntry[] = [];
  let room = ROOM;
  for (const [at, entry] of [...entries.entries()].toReversed()) {
    if (entry.key.accountId !== accountId) continue;
    const { key, storyIds } = entry;
    const value = entry.toValue();
    // What is not known yet will be in a moment, and is written down then.
    if (!value) continue;
    const placed = { at, entry: { key, storyIds, ...value } };
    room -= JSON.stringify(placed).length;
    if (room < 0) break;
    kept.unshift(placed);
  }
  return kept;
}

async function makeAgain<K extends EntryKind>(makers: EntryMakers, entry: StoredEntry<K>): Promise<UndoEntry> {
  const { key, storyIds } = entry;
  return makers[entry.kind]({ key, storyIds }, entry.value);
}

/** `undefined` for what was written down in another form. */
function keptIn(value: unknown, accountId: string): Kept | undefined {
  if (!isRecord(value) || value.version !== VERSION) return undefined;
  const { undo, redo, restored } = value;
  const placed = (all: unknown) =>
    Array.isArray(all) ? all.filter(isPlaced).filter(({ entry }) => entry.key.accountId === accountId) : [];
  return {
    version: VERSION,
    undo: placed(undo),
    redo: placed(redo),
    restored: readNumbers(restored, accountId),
  };
}

function isPlaced(one: unknown): one is PlacedEntry {
  return isRecord(one) && typeof one.at === 'number' && isStoredEntry(one.entry);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
