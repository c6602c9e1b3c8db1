import { StoreUnavailable } from '../ground/errors.ts';
import type { Database } from '../store/database.ts';
import { type DatabaseMark, databaseId, isBeyond, markOf } from '../store/databaseState.ts';
import { countAttachments, knownStoredNames } from '../store/stories/attachments.ts';
import type { AttachmentFiles } from './attachmentFiles.ts';

/** In the folder of attached files: to which database they belong, and how far it had come when it last named one. */
export const PAIRING_FILE = 'database.json';

/** Between two notes in a rush of uploads, since each costs as much as an upload. */
const NOTE_PAUSE_MS = 1_000;

const NOT_OURS =
  'The folder of attached files belongs to another database, so no file was attached. Nothing was changed. Run "files check" to see how to fix it.';

/** Whether a folder of files and a database belong together; why not, and what mends it, in words for an operator. */
export type Pairing =
  | { readonly kind: 'paired'; readonly mark: DatabaseMark }
  | { readonly kind: 'other' | 'older' | 'unknown' | 'unreadable'; readonly message: string };

/** What lies in a folder, and what a database knows of it. */
interface Acquaintance {
  /** Files in the folder. */
  readonly there: number;
  /** Those among them that the database names. */
  readonly known: number;
  /** All that the database names. */
  readonly named: number;
}

/**
 * A folder of attached files and its database belong together by an id that both hold. Without the match nothing is ever swept: a
 * database that does not name a file may only be the wrong one, an empty one, or one that was set back to an earlier state.
 */
export class FolderPairing {
  private readonly files: AttachmentFiles;
  private readonly database: Database;
  private noting = Promise.resolve();
  private isBehind = false;
  private pause: NodeJS.Timeout | undefined;
  /** Of the file that says whose the folder is, when it was last found to say that it is ours, or nothing. */
  private ownState: string | undefined;

  constructor(files: AttachmentFiles, database: Database) {
    this.files = files;
    this.database = database;
  }

  /** Pairs a new folder, before anything can arrive in it. */
  async begin(): Promise<void> {
    if ((await this.markInFolder()) === 'none' && (await this.isEmpty())) await this.pair();
  }

  /** Throws `StoreUnavailable` where the folder says that it is another database's, and that one has files to lose or to take. */
  async requireOwn(): Promise<void> {
    const state = (await this.files.noteVersion(PAIRING_FILE)) ?? 'none';
    if (state === this.ownState) return;
    const found = await this.markInFolder();
    if (typeof found !== 'string' && found.database !== (await databaseId(this.database))) {
      const pairing = await this.look();
      if (pairing.kind === 'other') throw new StoreUnavailable(NOT_OURS, { cause: new Error(pairing.message) });
    }
    this.ownState = state;
  }

  /** Looks whether they belong together, and pairs them where that can lose nothing. */
  async look(): Promise<Pairing> {
    const found = await this.markInFolder();
    if (found === 'none') return this.adopt();
    if (found === 'unreadable')
      return this.unlessEmpty(found, `may belong to another database: ${PAIRING_FILE} cannot be read`);
    const id = await databaseId(this.database);
    if (found.database !== id) return this.unlessEmpty('other', 'belong to another database');
    if (await this.database.read((tx) => isBeyond(tx, found))) return { kind: 'paired', mark: await this.note(found) };
    return this.unlessEmpty(
      'older',
      'are newer than the database: it was set back to a state from before some of them were attached',
    );
  }

  /** Pairs them whatever was before. */
  async pair(): Promise<DatabaseMark> {
    const id = await databaseId(this.database);
    const mark = await this.database.read((tx) => markOf(tx, id));
    await this.files.replace(PAIRING_FILE, markText(mark));
    return mark;
  }

  /** Which of these files the database names; undefined when it was set back since the folder was looked at. */
  async namesAmong(names: readonly string[], mark: DatabaseMark): Promise<ReadonlySet<string> | undefined> {
    return this.database.read(async (tx) => ((await isBeyond(tx, mark)) ? knownStoredNames(tx, names) : undefined));
  }

  /** What the database knows of the folder. */
  async acquaintance(): Promise<Acquaintance> {
    let [there, known] = [0, 0];
    for await (const batch of this.files.batches()) {
      const names = batch.map(({ name }) => name);
      there += names.length;
      known += (await this.database.read((tx) => knownStoredNames(tx, names))).size;
    }
    return { there, known, named: await this.database.read(countAttachments) };
  }

  /** Notes in the folder how far the database has come, so that one that is set back later is recognised: at once, or after a pause in a rush. */
  noteSoon(run: (work: () => Promise<void>) => void): void {
    this.isBehind = true;
    if (this.pause) return;
    run(() => this.noteProgress());
    this.pause = setTimeout(() => {
      this.pause = undefined;
      if (this.isBehind) this.noteSoon(run);
    }, NOTE_PAUSE_MS).unref();
  }

  /** Notes it when there is something to be noted, one after the other. */
  async noteProgress(): Promise<void> {
    this.noting = this.noting.catch(() => undefined).then(() => this.noteOnce());
    return this.noting;
  }

  private async noteOnce(): Promise<void> {
    if (!this.isBehind) return;
    this.isBehind = false;
    const found = await this.markInFolder();
    if (typeof found === 'string' || found.database !== (await databaseId(this.database))) return;
    if (await this.database.read((tx) => isBeyond(tx, found))) await this.note(found);
  }

  private async note(before: DatabaseMark): Promise<DatabaseMark> {
    const mark = await this.database.read((tx) => markOf(tx, before.database));
    if (mark.version > before.version) await this.files.replace(PAIRING_FILE, markText(mark));
    return mark;
  }

  /** Of a folder from before there were pairs, or a new one: theirs is a database that names most of what is there, and misses little. */
  private async adopt(): Promise<Pairing> {
    const { there, known, named } = await this.acquaintance();
    const isEmpty = there === 0 && (await this.isEmpty());
    if (isEmpty || (known > there - known && known > named - known)) return { kind: 'paired', mark: await this.pair() };
    return this.apart('unknown', `may belong to another database: this one names ${known} of the ${there} files there`);
  }

  private async unlessEmpty(kind: 'other' | 'older' | 'unreadable', why: string): Promise<Pairing> {
    return (await this.isEmpty()) ? { kind: 'paired', mark: await this.pair() } : this.apart(kind, why);
  }

  private apart(kind: 'other' | 'older' | 'unknown' | 'unreadable', why: string): Pairing {
    const { place, options } = this.files;
    const message = `The attached files in ${place} ${why}. None is deleted. If this is the wrong database, stop the service and start it with the right one; if it is the right one, run: service files pair ${options} (with --database, if the service has it)`;
    return { kind, message };
  }

  /** Whether there is no file to lose. */
  private async isEmpty(): Promise<boolean> {
    for (const all of [this.files.batches(), this.files.trash.batches()]) {
      for await (const batch of all) if (batch.length > 0) return false;
    }
    return true;
  }

  private async markInFolder(): Promise<DatabaseMark | 'none' | 'unreadable'> {
    try {
      const text = await this.files.note(PAIRING_FILE);
      return text === undefined ? 'none' : (readMark(text) ?? 'unreadable');
    } catch {
      return 'unreadable';
    }
  }
}

export function markText(mark: DatabaseMark): string {
  return `${JSON.stringify(mark)}\n`;
}

/** Undefined when the text is not a mark. */
export function readMark(text: string): DatabaseMark | undefined {
  try {
    const { database, version, occurredAt }: Record<string, unknown> = JSON.parse(text);
    if (typeof database !== 'string' || typeof version !== 'number') return undefined;
    return { database, version, occurredAt: typeof occurredAt === 'number' ? occurredAt : null };
  } catch {
    return undefined;
  }
}
