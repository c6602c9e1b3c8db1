import { UsageError } from '../../ground/errors.ts';
import { rest } from '../../ground/slices.ts';
import type { Database, Tx } from '../../store/database.ts';
import {
  addMappings,
  isAnyMapped,
  type Mapping,
  mappingsOf,
  raiseNumbers,
  rowsOf,
  takenIds,
} from '../../store/imports.ts';
import { isProject, type ProjectRow } from '../../store/projects/projects.ts';
import { addStaged, stagedIds } from '../../store/stagedImports.ts';
import { rankBetween } from '../../store/stories/places.ts';
import { insertStories, type StoryRow } from '../../store/stories/storyRows.ts';
import { UNKNOWN_AUTHOR } from '../csv/csvCells.ts';
import { OrderNews } from './fileOrder.ts';
import type { Tickets } from './importedProject.ts';
import { fieldDigests, type ImportedAttachment, type ImportedStory } from './importedStory.ts';
import { type PartsNeeds, type PlannedParts, StoryPartsWriter } from './partsWriter.ts';
import type { People } from './people.ts';
import type { Remarking, Remarks } from './remarks.ts';
import type { Staging } from './staging.ts';
import { fittedMoments, fittedTexts, Points, storyFields } from './storyFields.ts';

export interface WriterNeeds extends PartsNeeds {
  readonly database: Database;
  readonly staging: Staging;
  /** Whose rules hold. */
  readonly project: ProjectRow;
  /** Where stories are written that are not there yet: hidden, until the last step. */
  readonly hiddenProject: number;
  /** Whether the project was there before. */
  readonly isThere: boolean;
  readonly tickets: Tickets;
  readonly remarks: Remarks;
  readonly now: number;
  /** Whether attachments that come without their file are left out, since whoever imports sends the files afterwards. */
  readonly takesFilesOnly: boolean;
  /** Whether nothing but the report is made. */
  readonly isTrial: boolean;
  /** Whether stories have the ids that they have in the file, where these are free. */
  readonly keepsIds: boolean;
  /** Whether points that are not on the project's scale are remarked. */
  readonly hasScale: boolean;
  /** Labels of the project that was there before. */
  readonly labels: Iterable<string>;
  /** Throws where the import is to be broken off. */
  readonly requireGoOn: () => void;
}

/** The project into which stories are imported is not there any more. */
export class ProjectGone extends UsageError {
  constructor() {
    super('The project was deleted in the meantime. Nothing was imported.');
  }
}

/** Stories of the file were brought into the project by another import, or are about to be, since they were looked for. */
class Overtaken extends UsageError {
  constructor() {
    super(
      'Another import has brought stories of this file into the project in the meantime. Nothing was imported. Import the file again.',
    );
  }
}

/** How many stories of a file were what. */
export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  /** Deleted here since they were imported, and therefore not brought again. */
  deleted: number;
  leftOut: number;
  /** Created under another id than in the file. */
  renumbered: number;
}

interface Ready {
  readonly story: ImportedStory;
  readonly place: number;
  readonly digest: string;
  readonly remark: Remarking;
}

interface NewStory {
  readonly ready: Ready;
  readonly values: Omit<StoryRow, 'id' | 'projectId'>;
  readonly id: number | undefined;
  readonly parts: PlannedParts;
}

type StagedRow = Parameters<typeof addStaged>[1][number];

/** Characters of the stories of a step, above which fewer are written at once. */
const STEP_WEIGHT = 1024 * 1024;
/** Of what stands in the file as one story may, far more than any project has. */
const MOST_STORIES = 1_000_000;
const MOST_NOTED = 100;
/** Ids in files may be anything; one near the end of what a database counts to would leave no room for others. */
const HIGHEST_KEPT = 999_999_999;

/**
 * Writes the stories of a file that are new into a hidden project, some in each transaction, so that others write in between; and notes
 * those that are there, for the last step. What hangs on a story is seen with it, and so is in its project from the beginning: the last step,
 * which keeps all others waiting, has only the stories themselves to hand over.
 */
export class StoryWriter {
  readonly counts: Counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, leftOut: 0, renumbered: 0 };
  /** The first of those that were created or updated. */
  readonly changedIds: number[] = [];
  /** By states and types, in words of the API. */
  readonly kinds = { type: new Map<string, number>(), state: new Map<string, number>() };
  /** Stories of the file that are there. */
  knownCount = 0;
  readonly points: Points;
  readonly parts: StoryPartsWriter;
  readonly order = new OrderNews();
  private readonly needs: WriterNeeds;
  private readonly lastRanks: [string | null, string | null] = [null, null];
  private seen = 0;
  private batch: Ready[] = [];
  private batchWeight = 0;

  constructor(needs: WriterNeeds) {
    this.needs = needs;
    this.points = new Points(needs.project, needs.hasScale);
    this.parts = new StoryPartsWriter(needs, needs.labels);
  }

  async take(story: ImportedStory): Promise<void> {
    const whole = this.withFiles(story);
    if (this.seen >= MOST_STORIES)
      throw new UsageError(`At most ${MOST_STORIES.toLocaleString('en')} stories can be imported at once.`);
    this.batch.push({ story: whole, place: this.seen, digest: fieldDigests(whole), remark: this.remarking(story) });
    this.seen += 1;
    this.batchWeight += weightOf(whole);
    if (this.batch.length >= this.needs.staging.rows || this.batchWeight >= STEP_WEIGHT) await this.flush();
  }

  /** Writes what is left. */
  async finish(): Promise<void> {
    await this.flush();
  }

  private withFiles(story: ImportedStory): ImportedStory {
    if (this.needs.takesFilesOnly) {
      this.parts.attached.withoutFile += story.attachments.length;
      return { ...story, attachments: [] };
    }
    return { ...story, attachments: [...story.attachments, ...this.foldersFiles(story)] };
  }

  private foldersFiles({ externalId: storyId, requestedBy }: ImportedStory): readonly ImportedAttachment[] {
    const uploadedBy = requestedBy ?? UNKNOWN_AUTHOR;
    const files = this.needs.files.ofStory(storyId);
    return files.map(({ filename, size }) => ({ storyId, filename, size, description: '', uploadedBy }));
  }

  private async flush(): Promise<void> {
    const { batch, needs } = this;
    this.batch = [];
    this.batchWeight = 0;
    if (batch.length === 0) return;
    needs.requireGoOn();
    await needs.people.meet(batch.map(({ story }) => story));
    const { first, mappings, rows } = await needs.database.read((tx) => this.whatIsThere(tx, batch));
    const fresh: NewStory[] = [];
    const staged: StagedRow[] = [];
    for (const ready of first) {
      const { externalId } = ready.story;
      needs.people.see(ready.story);
      const mapping = mappings.get(externalId);
      if (!mapping) fresh.push(...this.newStory(ready));
      else staged.push(...this.knownStory(ready, mapping, rows.get(mapping.storyId ?? 0)));
      await rest();
    }
    await this.write(fresh, staged);
  }

  /** Those of a batch that did not stand in the file before, and what the project has of them. */
  private async whatIsThere(tx: Tx, batch: readonly Ready[]) {
    const { staging, project, isThere } = this.needs;
    const externalIds = batch.map(({ story }) => story.externalId);
    const seen = new Set(await stagedIds(tx, staging.id, externalIds));
    const first = batch.filter(({ story: { externalId }, remark }) => {
      const isFirst = !seen.has(externalId);
      if (!isFirst) {
        this.counts.leftOut += 1;
        remark('Id', externalId, 'This id stood in the file before. The row was left out.');
      }
      seen.add(externalId);
      return isFirst;
    });
    const mappings = isThere ? await mappingsOf(tx, project.id, externalIds) : new Map<string, Mapping>();
    return { first, mappings, rows: await rowsOf(tx, mappings.values()) };
  }

  private knownStory(
    { story, place, digest }: Ready,
    mapping: Mapping,
    row: StoryRow | undefined,
  ): readonly StagedRow[] {
    const { files, staging } = this.needs;
    this.noteKind(story.type ?? row?.type, story.state ?? row?.state);
    const own = { importId: staging.id, place, externalId: story.externalId };
    if (!row) {
      this.counts.deleted += 1;
      return [{ ...own, storyId: null, before: null, inIcebox: 0, isGone: 1, payload: null }];
    }
    this.knownCount += 1;
    this.order.note(listOf(row), mapping.place);
    const isSame = digest === mapping.digest && !(files.hasAny && story.attachments.length > 0);
    if (isSame) this.counts.unchanged += 1;
    const payload = isSame ? null : JSON.stringify(story);
    return [{ ...own, storyId: row.id, before: mapping.place, inIcebox: row.inIcebox, isGone: 0, payload }];
  }

  private newStory(ready: Ready): readonly NewStory[] {
    const { remark } = ready;
    const { now, tickets, keepsIds } = this.needs;
    const story = fittedTexts(fittedMoments(ready.story, now, remark), remark);
    const fields = storyFields(story, undefined, now, remark);
    if (!fields) {
      this.counts.leftOut += 1;
      return [];
    }
    this.noteKind(fields.type, fields.state);
    this.points.note(fields, remark);
    const id = Number(story.externalId);
    const mayKeep = keepsIds && /^[1-9]\d*$/.test(story.externalId) && id <= HIGHEST_KEPT;
    const list = listOf(fields);
    const rank = rankBetween(this.lastRanks[list], null);
    this.lastRanks[list] = rank;
    this.order.note(list, null);
    const values = { ...fields, ...peopleOf(this.needs.people, story), ...tickets.of(story.ticket, remark), rank };
    const parts = this.parts.plan(story, fields.createdAt, remark);
    return [{ ready, values, id: mayKeep ? id : undefined, parts }];
  }

  /** One step: what is new, and what is noted for the last one. */
  private async write(fresh: readonly NewStory[], staged: readonly StagedRow[]): Promise<void> {
    const { staging, isTrial, hiddenProject, isThere, project, database } = this.needs;
    const done = await staging.step(this.seen, async (tx) => {
      if (isThere && !(await isProject(tx, project.id, database.locksRows))) throw new ProjectGone();
      const written = isTrial ? await this.tried(tx, fresh) : await this.created(tx, fresh);
      const rows = fresh.map(({ ready: { place, story }, values: { inIcebox } }, index) => {
        const storyId = written.ids[index] ?? null;
        const own = { importId: staging.id, place, externalId: story.externalId };
        return { ...own, storyId, before: null, inIcebox, isGone: 0, payload: null };
      });
      await addStaged(tx, [...rows, ...staged]);
      if (isTrial) return { ...written, labels: new Map<string, number>() };
      const parts = fresh.map(({ parts: each }, index) => [written.ids[index] ?? 0, each] as const);
      const place = { projectId: isThere ? project.id : hiddenProject, labelsIn: hiddenProject };
      return { ...written, labels: await this.parts.write(tx, place, parts) };
    });
    this.parts.noteLabels(done.labels);
    this.counts.created += fresh.length;
    this.counts.renumbered += done.renumbered;
    for (const id of done.ids) this.noteChange(id);
  }

  private async created(tx: Tx, stories: readonly NewStory[]) {
    if (stories.length === 0) return { ids: [], renumbered: 0 };
    const { database, hiddenProject: projectId, isThere, project } = this.needs;
    const taken = await takenIds(tx, keptIds(stories));
    const kept = stories.filter(({ id }) => id !== undefined && !taken.has(id));
    const numbered = stories.filter(({ id }) => id === undefined || taken.has(id));
    const ids = new Map<string, number>();
    if (kept.length > 0) await raiseNumbers(tx, 'stories', Math.max(...keptIds(kept)), database.locksRows);
    for (const rows of [
      kept.map(({ values, id }) => ({ projectId, ...values, ...(id !== undefined && { id }) })),
      numbered.map(({ values }) => ({ projectId, ...values })),
    ]) {
      if (rows.length === 0) continue;
      for (const { id, inIcebox, rank } of await insertStories(tx, rows)) ids.set(`${inIcebox} ${rank}`, id);
    }
    const inOrder = stories.map(({ values: { inIcebox, rank }, ready: { story } }) => {
      const id = ids.get(`${inIcebox} ${rank}`);
      if (id === undefined) throw new Error(`Story ${story.externalId} was not written.`);
      return id;
    });
    const mapped = stories.map(({ ready: { story, digest, place } }, index) => {
      const storyId = inOrder[index] ?? null;
      return { projectId: isThere ? project.id : projectId, externalId: story.externalId, storyId, digest, place };
    });
    const externalIds = mapped.map(({ externalId }) => externalId);
    if (isThere && (await isAnyMapped(tx, project.id, externalIds))) throw new Overtaken();
    await addMappings(tx, mapped);
    return { ids: inOrder, renumbered: numbered.length };
  }

  private async tried(tx: Tx, stories: readonly NewStory[]) {
    const taken = await takenIds(tx, keptIds(stories));
    const renumbered = stories.filter(({ id }) => id === undefined || taken.has(id)).length;
    return { ids: [] as readonly number[], renumbered };
  }

  /** Remembers a story to report. */
  noteChange(id: number): void {
    const isNoted = this.changedIds.length >= MOST_NOTED || this.changedIds.includes(id);
    if (!isNoted) this.changedIds.push(id);
  }

  private noteKind(type: string | undefined, state: string | undefined): void {
    const { kinds } = this;
    for (const [counts, key] of [
      [kinds.type, type],
      [kinds.state, state],
    ] as const)
      if (key !== undefined && (counts.has(key) || counts.size < MOST_KINDS))
        counts.set(key, (counts.get(key) ?? 0) + 1);
  }

  private remarking({ row, externalId: id }: ImportedStory): Remarking {
    return (column, value, why) => this.needs.remarks.add({ row, id, column, value, why });
  }
}

/** Far more than there are types or states. */
const MOST_KINDS = 50;

function keptIds(stories: readonly NewStory[]): readonly number[] {
  return stories.flatMap(({ id }) => id ?? []);
}

/** Who made and owns a story, by a file; of one that is there already, what the file says nothing of stays. */
export function peopleOf(people: People, { requestedBy, ownedBy }: ImportedStory, before?: StoryRow) {
  const requester =
    requestedBy === undefined
      ? { requestedBy: before?.requestedBy ?? null, requesterId: before?.requesterId ?? null }
      : { requestedBy: requestedBy && people.nameOf(requestedBy), requesterId: people.idOf(requestedBy) };
  const owner =
    ownedBy === undefined
      ? { ownedBy: before?.ownedBy ?? null, ownerId: before?.ownerId ?? null }
      : { ownedBy: ownedBy && people.nameOf(ownedBy), ownerId: people.idOf(ownedBy) };
  return { ...requester, ...owner };
}

/** About how many characters a story holds; what hangs on it counts more than its texts. */
function weightOf({ name, description, labels = [], notes, tasks, attachments }: ImportedStory): number {
  const PART = 64;
  const texts = [...labels, ...notes.map(({ text }) => text), ...tasks.map((task) => task.description)];
  const parts = (texts.length + attachments.length) * PART;
  return texts.reduce((sum, text) => sum + text.length, name.length + (description?.length ?? 0) + parts);
}

function listOf({ inIcebox }: Pick<StoryRow, 'inIcebox'>): 0 | 1 {
  return inIcebox === 1 ? 1 : 0;
}
