import type { Story } from '../../core/story/story.ts';
import type { ComingElement, Item, LongElement } from '../../v3/longDocument.ts';
import { storyElement } from '../../v3/story.ts';
import { writeElement } from '../../v3/write.ts';
import { requireRole } from '../auth/projectAccess.ts';
import { rest } from '../ground/slices.ts';
import { withAddress } from '../http/storyPage.ts';
import { LeastRecentlyUsed } from '../memory/leastRecentlyUsed.ts';
import type { Database, Tx } from '../store/database.ts';
import type { UserRow } from '../store/people/users.ts';
import type { ProjectRow } from '../store/projects/projects.ts';
import { textBytesOf } from '../store/stories/storyContent.ts';
import { type StoryRow, storyRowsOf } from '../store/stories/storyRows.ts';
import { fittingPartsOf, storyOf, storyRules } from '../store/stories/wholeStory.ts';

/** Stands for a story until its text is written. */
type Listed = Pick<StoryRow, 'id'>;
/** A document of stories, of which `item` writes each. */
type MakeList = (item: (story: Listed) => Item) => LongElement;
type Write = (story: Story) => Item;

/** The stories of a project as lists of them need them: held in memory, or read some at a time where they hold too much text. */
export interface ListedStories {
  /** Those of the rows whose stories pass, in their order. Takes long: not to be asked for inside a transaction. */
  passing<R extends Listed>(rows: readonly R[], passes: (story: Story) => boolean): Promise<readonly R[]>;
  /** The document that `make` makes; it holds the stories of `rows` in this order. To be written once. */
  document(rows: readonly Listed[], make: MakeList, write: Write): LongElement | ComingElement;
}

/** Stories that are at hand. */
export class HeldStories implements ListedStories {
  private readonly storyOf: (id: number) => Story | undefined;

  constructor(storyOf: (id: number) => Story | undefined) {
    this.storyOf = storyOf;
  }

  async passing<R extends Listed>(rows: readonly R[], passes: (story: Story) => boolean): Promise<readonly R[]> {
    const found: R[] = [];
    for (const row of rows) {
      const story = this.storyOf(row.id);
      if (story && passes(story)) found.push(row);
      await rest();
    }
    return found;
  }

  document(_rows: readonly Listed[], make: MakeList, write: Write): LongElement {
    return make(({ id }) => {
      const story = this.storyOf(id);
      return story ? write(story) : nothing;
    });
  }
}

/** Stories of which none is held: what they hold together would not find room. */
export class ReadStories implements ListedStories {
  private readonly database: Pick<Database, 'read'>;
  private readonly project: ProjectRow;
  private readonly reader: UserRow;

  constructor(database: Pick<Database, 'read'>, project: ProjectRow, reader: UserRow) {
    this.database = database;
    this.project = project;
    this.reader = reader;
  }

  async passing<R extends Listed>(rows: readonly R[], passes: (story: Story) => boolean): Promise<readonly R[]> {
    const passed = new Set<number>();
    for (let at = 0; at < rows.length; ) {
      const { count, stories } = await this.someOf(rows, at);
      for (const story of stories) {
        if (passes(story)) passed.add(story.id);
        await rest();
      }
      at += count;
    }
    return rows.filter(({ id }) => passed.has(id));
  }

  /** Stories are read when their turn comes: what is changed in the meantime comes as it is then, and what is removed is left out. */
  document(rows: readonly Listed[], make: MakeList, write: Write): ComingElement {
    const coming = new ComingItems(rows.length, async (from) => {
      const { count, stories } = await this.someOf(rows, from);
      return { count, items: stories.map((story) => [story.id, story] as const) };
    });
    const item = ({ id }: Listed): Item => {
      return (depth) => {
        const story = coming.take(id);
        return story ? write(story)(depth) : '';
      };
    };
    return { ...make(item), next: () => coming.next() };
  }

  /** Some of the stories, in a transaction of their own: neither a slow reader nor a filter of all keeps others from the store. */
  private someOf(rows: readonly Listed[], from: number): Promise<SomeStories> {
    const { project, reader, database } = this;
    return database.read(async (tx) => {
      await requireRole(tx, project.id, reader, 'Viewer'); // They may have been sent away since the last ones were read.
      return someStories(tx, project, rows.slice(from, from + WINDOW));
    });
  }
}

const nothing: Item = () => '';

/** Stories of which sizes are asked for in one go. */
const WINDOW = 100;
/** Bytes of text of stories that are read in one go, where it is not that of one alone. */
const BYTES = 1_000_000;

interface SomeStories {
  readonly count: number;
  readonly stories: readonly Story[];
}

/** The first of these stories, as many as find room, and how many that were; those that are gone count and are left out. */
async function someStories(tx: Tx, project: ProjectRow, rows: readonly Listed[]): Promise<SomeStories> {
  const ids = rows.map(({ id }) => id);
  const sizes = await textBytesOf(tx, project.id, ids);
  let bytes = 0;
  const end = ids.findIndex((id, index) => {
    bytes += sizes.get(id) ?? 0;
    return bytes > BYTES && index > 0;
  });
  const fitting = end < 0 ? ids : ids.slice(0, end);
  const found = await storyRowsOf(tx, project.id, fitting);
  const partsOf = await fittingPartsOf(tx, fitting);
  const rules = await storyRules(tx, project);
  const byId = new Map(found.map((row) => [row.id, row]));
  const stories = fitting.flatMap((id) => byId.get(id) ?? []).map((row) => storyOf(row, partsOf(row.id), rules));
  return { count: fitting.length, stories };
}

/** Bytes of text in stories of which a list is short for certain, and that each counts besides. */
const LITTLE = 256 * 1024;
const BYTES_OF_STORY = 2_000;

/** Whether a list of these stories may become too long to be held. */
export async function mayBeLong(tx: Tx, projectId: number, stories: readonly Listed[]): Promise<boolean> {
  if (stories.length * BYTES_OF_STORY > LITTLE) return true;
  const sizes = await textBytesOf(
    tx,
    projectId,
    stories.map(({ id }) => id),
  );
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes + BYTES_OF_STORY, 0) > LITTLE;
}

/** What was read of some items, and how many that was. */
interface SomeItems<T> {
  readonly count: number;
  readonly items: Iterable<readonly [id: number, item: T]>;
}

/** Items of a document that are read some at a time, when their turn comes, and are taken in their order. */
export class ComingItems<T> {
  private readonly total: number;
  private readonly readFrom: (index: number) => Promise<SomeItems<T>>;
  private readonly coming = new Map<number, T>();
  private read = 0;
  private taken = 0;

  /** `readFrom` reads at least one of the items that begin at an index. */
  constructor(total: number, readFrom: (index: number) => Promise<SomeItems<T>>) {
    this.total = total;
    this.readFrom = readFrom;
  }

  /** To be awaited before the next item is taken. */
  async next(): Promise<void> {
    while (this.taken >= this.read && this.read < this.total) {
      const { count, items } = await this.readFrom(this.read);
      for (const [id, item] of items) this.coming.set(id, item);
      this.read += count;
    }
  }

  /** The next item, by its id; undefined when it was not there to be read. */
  take(id: number): T | undefined {
    const item = this.coming.get(id);
    this.coming.delete(id);
    this.taken += 1;
    return item;
  }
}

const TEXT_MEMORY = 24 * 1024 * 1024;
/** Bytes of a character, at most. */
const CHARACTER = 2;

/** The written texts of stories, each good for as long as the story is the same value. */
export class StoryTexts {
  private readonly texts = new LeastRecentlyUsed<string, { readonly story: Story; readonly text: string }>(TEXT_MEMORY);

  /** Writes stories with the addresses of their pages, as the caller reaches this service. */
  item(base: string): (story: Story) => Item {
    return (story) => (depth) => this.text(story, base, depth);
  }

  private text(story: Story, base: string, depth: number): string {
    const key = `${story.id} ${depth} ${base}`;
    const known = this.texts.get(key);
    if (known?.story === story) return known.text;
    const text = writeElement(storyElement(withAddress(story, base)), depth);
    this.texts.set(key, { story, text }, CHARACTER * (key.length + text.length));
    return text;
  }
}
