import type { Story } from '../../core/story/story.ts';
import { rest } from '../ground/slices.ts';
import { LeastRecentlyUsed } from '../memory/leastRecentlyUsed.ts';
import { SharedWork } from '../memory/sharedWork.ts';
import type { Tx } from '../store/database.ts';
import type { ProjectRow } from '../store/projects/projects.ts';
import { partsOfProject, type StoryParts } from '../store/stories/storyParts.ts';
import type { ProjectStories, StoryRow } from '../store/stories/storyRows.ts';
import { storyOf, storyRules } from '../store/stories/wholeStory.ts';

/** The rows of a project, in priority order, as of one of its versions. */
interface ProjectRows extends ProjectStories {
  readonly project: ProjectRow;
}

interface Known {
  readonly changes: number;
  /** What the project says about all of its stories, as text. */
  readonly rules: string;
  /** Undefined where the stories hold more than is held at once. */
  readonly byId: ReadonlyMap<number, Stored> | undefined;
}

interface Stored {
  readonly row: StoryRow;
  readonly parts: StoryParts;
  readonly story: Story;
}

const MOST_STORIES = 200_000;
/** Characters of text that count as one more story. */
const CHARACTERS = 160;

/** For how many stories one counts where so many are kept: most are short, and few may hold a million characters. */
export function weightOf(story: Pick<Story, 'description'> & Partial<Pick<Story, 'notes' | 'tasks'>>): number {
  const { description, notes = [], tasks = [] } = story;
  let characters = description?.length ?? 0;
  for (const { text } of notes) characters += text.length;
  for (const task of tasks) characters += task.description.length;
  return 1 + Math.floor(characters / CHARACTERS);
}

/** The whole stories of the projects that were asked about last. A story is the same value for as long as nothing of it changes. */
export class WholeStories {
  private readonly known = new LeastRecentlyUsed<number, Known>(MOST_STORIES);
  private readonly underWay = new SharedWork<Known>();

  /** By their ids; undefined where they are too much to be held. The transaction must be one in which the rows are true. */
  async of(tx: Tx, asked: ProjectRows): Promise<((id: number) => Story | undefined) | undefined> {
    const { byId } = await this.read(tx, asked);
    return byId && ((id) => byId.get(id)?.story);
  }

  private read(tx: Tx, asked: ProjectRows): Promise<Known> {
    const { id, changes } = asked.project;
    const known = this.known.get(id);
    if (known?.changes === changes) return Promise.resolve(known);
    return this.underWay.get(`${id} ${changes}`, async () => {
      const read = await readStories(tx, asked, known);
      let weight = 1;
      for (const { story } of read.byId?.values() ?? []) weight += weightOf(story);
      this.known.set(id, read, weight);
      return read;
    });
  }
}

async function readStories(tx: Tx, { project, rows, isWhole }: ProjectRows, known: Known | undefined): Promise<Known> {
  const rulesNow = await storyRules(tx, project);
  const rules = JSON.stringify(rulesNow);
  const before = known?.rules === rules ? known.byId : undefined;
  const partsOf = isWhole ? await partsOfProject(tx, project.id) : undefined;
  if (!partsOf) return { changes: project.changes, rules, byId: undefined };
  const byId = new Map<number, Stored>();
  for (const row of rows) {
    const parts = partsOf(row.id);
    const old = before?.get(row.id);
    byId.set(row.id, old && isUnchanged(old, row, parts) ? old : { row, parts, story: storyOf(row, parts, rulesNow) });
    await rest();
  }
  return { changes: project.changes, rules, byId };
}

function isUnchanged(old: Stored, row: StoryRow, parts: StoryParts): boolean {
  return (
    sameRow(old.row, row) &&
    sameRows(old.parts.labels, parts.labels) &&
    sameRows(old.parts.notes, parts.notes) &&
    sameRows(old.parts.tasks, parts.tasks) &&
    sameRows(old.parts.attachments, parts.attachments)
  );
}

function sameRows<R extends object>(some: readonly R[], others: readonly R[]): boolean {
  return some.length === others.length && some.every((row, index) => sameRow(row, others[index]));
}

/** Rows of one table have the same columns. */
function sameRow<R extends object>(one: R, other: R | undefined): boolean {
  if (one === other) return true;
  for (const column in one) if (one[column] !== other?.[column]) return false;
  return true;
}
