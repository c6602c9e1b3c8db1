import { addMappings, changeMapping, type Mapping, mappingsOf, rowsOf, takenIds } from '../../store/imports.ts';
import type { ProjectRow } from '../../store/projects/projects.ts';
import { forgetUnusedLabels } from '../../store/stories/labels.ts';
import { insertStories, type StoryRow, updateStoryRow } from '../../store/stories/storyRows.ts';
import { UNKNOWN_AUTHOR } from '../csv/csvCells.ts';
import { FileOrder, ListEnds } from './fileOrder.ts';
import { fieldDigests, type ImportedAttachment, type ImportedStory, withNews } from './importedStory.ts';
import { type PartsNeeds, StoryPartsWriter } from './partsWriter.ts';
import type { Remarking, Remarks } from './remarks.ts';
import { fittedTexts, Points, storyFields } from './storyFields.ts';
import type { Tickets } from './tickets.ts';

interface WriterNeeds extends PartsNeeds {
  readonly project: ProjectRow;
  readonly tickets: Tickets;
  readonly remarks: Remarks;
  /** Whether stories have the ids that they have in the file, where these are free. */
  readonly keepsIds: boolean;
  /** Whether points that are not on the project's scale are remarked. */
  readonly hasScale: boolean;
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

type NewStory = Ready & { readonly values: Omit<StoryRow, 'id'>; readonly id: number | undefined };

const BATCH = 200;
/** Characters of the stories of a batch, above which fewer are written at once. */
const BATCH_WEIGHT = 8 * 1024 * 1024;
const MOST_NOTED = 100;
/** Ids in files may be anything; one near the end of what a database counts to would leave no room for others. */
const HIGHEST_KEPT = 999_999_999;

/** Writes the stories of a file into a project, in batches, inside one transaction. */
export class StoryWriter {
  readonly counts: Counts = { created: 0, updated: 0, unchanged: 0, deleted: 0, leftOut: 0, renumbered: 0 };
  /** The first of those that were created or updated. */
  readonly changedIds: number[] = [];
  /** Whether the order of a newer file moved stories. */
  hasMoved = false;
  readonly points: Points;
  private readonly needs: WriterNeeds;
  private readonly parts: StoryPartsWriter;
  private readonly ends: ListEnds;
  private readonly orders = [new FileOrder(), new FileOrder()] as const;
  private readonly seen = new Set<string>();
  private batch: Ready[] = [];
  private batchWeight = 0;

  constructor(needs: WriterNeeds) {
    this.needs = needs;
    this.points = new Points(needs.project, needs.hasScale);
    this.parts = new StoryPartsWriter(needs);
    this.ends = new ListEnds(needs.tx, needs.project.id);
  }

  async take(story: ImportedStory): Promise<void> {
    const remark = this.remarking(story);
    if (this.seen.has(story.externalId)) {
      this.counts.leftOut += 1;
      return remark('Id', story.externalId, 'This id stood in the file before. The row was left out.');
    }
    const place = this.seen.size;
    this.seen.add(story.externalId);
    this.needs.people.see(story);
    const whole = { ...story, attachments: [...story.attachments, ...this.foldersFiles(story)] };
    this.batch.push({ story: whole, place, digest: fieldDigests(whole), remark });
    this.batchWeight += weightOf(whole);
    if (this.batch.length >= BATCH || this.batchWeight >= BATCH_WEIGHT) await this.flush();
  }

  get attached(): { readonly withFile: number; readonly withoutFile: number } {
    return this.parts.attached;
  }

  /** Writes what is left and puts everything in order. */
  async finish(): Promise<void> {
    await this.flush();
    for (const order of this.orders) {
      const moved = await order.apply(this.needs.tx);
      this.hasMoved ||= moved.length > 0;
      for (const id of moved) this.noteChange(id);
    }
    if (this.counts.updated > 0) await forgetUnusedLabels(this.needs.tx, this.needs.project.id);
  }

  private foldersFiles({ externalId: storyId, requestedBy }: ImportedStory): readonly ImportedAttachment[] {
    const uploadedBy = requestedBy ?? UNKNOWN_AUTHOR;
    const files = this.needs.files.ofStory(storyId);
    return files.map(({ filename, size }) => ({ storyId, filename, size, description: '', uploadedBy }));
  }

  private async flush(): Promise<void> {
    const { batch } = this;
    this.batch = [];
    this.batchWeight = 0;
    const { tx, project } = this.needs;
    const externalIds = batch.map(({ story }) => story.externalId);
    const mappings = await mappingsOf(tx, project.id, externalIds);
    const rows = await rowsOf(tx, mappings.values());
    const fresh: NewStory[] = [];
    for (const ready of batch) {
      const mapping = mappings.get(ready.story.externalId);
      if (!mapping) fresh.push(...(await this.newStory(ready)));
      else await this.known(ready, mapping, rows.get(mapping.storyId ?? 0));
    }
    await this.create(fresh);
  }

  private async known(ready: Ready, mapping: Mapping, row: StoryRow | undefined): Promise<void> {
    const { place, digest } = ready;
    if (!row) {
      this.counts.deleted += 1;
      return;
    }
    if (digest === mapping.digest) {
      this.orders[listOf(row)].add({ storyId: row.id, place, before: mapping.place });
      if (await this.parts.fillIn(row.id, ready.story, row.createdAt)) this.noteUpdate(row.id);
      else this.counts.unchanged += 1;
    } else if (!(await this.update(ready, mapping, row))) {
      this.counts.leftOut += 1;
      return;
    }
    if (digest === mapping.digest && place === mapping.place) return;
    await changeMapping(this.needs.tx, mapping, { digest, place });
  }

  /** False when the story has no place here any more. */
  private async update(
    { story: told, digest, place, remark }: Ready,
    mapping: Mapping,
    row: StoryRow,
  ): Promise<boolean> {
    const story = fittedTexts(withNews(told, digest, mapping.digest, row.name), remark);
    const fields = storyFields(story, row, this.needs.now, remark);
    if (!fields) return false;
    this.points.note(fields, remark);
    const hasMoved = fields.inIcebox !== row.inIcebox;
    const rank = hasMoved ? await this.ends.next(fields.inIcebox) : row.rank;
    const people = await this.peopleOf(story, row);
    const ticket = story.ticket === undefined ? {} : await this.needs.tickets.of(story.ticket, remark);
    await updateStoryRow(this.needs.tx, row.id, { ...fields, ...people, ...ticket, rank });
    await this.parts.update(row.id, story, fields.createdAt, remark);
    this.orders[listOf(fields)].add({ storyId: row.id, place, before: hasMoved ? undefined : mapping.place });
    await this.parts.fillIn(row.id, told, fields.createdAt);
    this.noteUpdate(row.id);
    return true;
  }

  private noteUpdate(storyId: number): void {
    this.counts.updated += 1;
    this.noteChange(storyId);
  }

  private async newStory(ready: Ready): Promise<readonly NewStory[]> {
    const { remark } = ready;
    const story = fittedTexts(ready.story, remark);
    const { now, project, tickets, keepsIds } = this.needs;
    const fields = storyFields(story, undefined, now, remark);
    if (!fields) {
      this.counts.leftOut += 1;
      return [];
    }
    this.points.note(fields, remark);
    const people = await this.peopleOf(story, undefined);
    const ticket = await tickets.of(story.ticket, remark);
    const rank = await this.ends.next(fields.inIcebox);
    const id = Number(story.externalId);
    const mayKeep = keepsIds && /^[1-9]\d*$/.test(story.externalId) && id <= HIGHEST_KEPT;
    const values = { projectId: project.id, ...fields, ...people, ...ticket, rank };
    return [{ ...ready, story, values, id: mayKeep ? id : undefined }];
  }

  private async create(stories: readonly NewStory[]): Promise<void> {
    if (stories.length === 0) return;
    const { tx, project } = this.needs;
    const wanted = stories.flatMap(({ id }) => id ?? []);
    const taken = await takenIds(tx, wanted);
    const kept = stories.filter(({ id }) => id !== undefined && !taken.has(id));
    const numbered = stories.filter(({ id }) => id === undefined || taken.has(id));
    const ids = new Map<string, number>();
    for (const rows of [
      kept.map(({ values, id }) => ({ ...values, ...(id !== undefined && { id }) })),
      numbered.map(({ values }) => values),
    ]) {
      if (rows.length === 0) continue;
      for (const { id, inIcebox, rank } of await insertStories(tx, rows)) ids.set(`${inIcebox} ${rank}`, id);
    }
    const mapped: Mapping[] = [];
    for (const { story, place, digest, values, remark } of stories) {
      const storyId = ids.get(`${values.inIcebox} ${values.rank}`);
      if (storyId === undefined) throw new Error(`Story ${story.externalId} was not written.`);
      await this.parts.add(storyId, story, values.createdAt, remark);
      mapped.push({ projectId: project.id, externalId: story.externalId, storyId, digest, place });
      this.orders[listOf(values)].add({ storyId, place, before: undefined });
      this.noteChange(storyId);
    }
    await addMappings(tx, mapped);
    await this.parts.flush();
    this.counts.created += stories.length;
    this.counts.renumbered += numbered.length;
  }

  private async peopleOf({ requestedBy, ownedBy }: ImportedStory, before: StoryRow | undefined) {
    const { people } = this.needs;
    const requester =
      requestedBy === undefined
        ? { requestedBy: before?.requestedBy ?? null, requesterId: before?.requesterId ?? null }
        : { requestedBy: requestedBy && people.nameOf(requestedBy), requesterId: await people.idOf(requestedBy) };
    const owner =
      ownedBy === undefined
        ? { ownedBy: before?.ownedBy ?? null, ownerId: before?.ownerId ?? null }
        : { ownedBy: ownedBy && people.nameOf(ownedBy), ownerId: await people.idOf(ownedBy) };
    return { ...requester, ...owner };
  }

  /** Remembers a story to report. */
  noteChange(id: number): void {
    const isNoted = this.changedIds.length >= MOST_NOTED || this.changedIds.includes(id);
    if (!isNoted) this.changedIds.push(id);
  }

  private remarking({ row, externalId: id }: ImportedStory): Remarking {
    return (column, value, why) => this.needs.remarks.add({ row, id, column, value, why });
  }
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
