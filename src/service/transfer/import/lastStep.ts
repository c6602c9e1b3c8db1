import { MAX_LABELS_OF_PROJECT } from '../../../core/limits.ts';
import { UsageError } from '../../ground/errors.ts';
import { rest } from '../../ground/slices.ts';
import type { Tx } from '../../store/database.ts';
import { changeMapping, type Mapping, mappingsOf, rememberSource, rowsOf } from '../../store/imports.ts';
import type { UserRow } from '../../store/people/users.ts';
import { addMember, membershipsOfProject, roleIn } from '../../store/projects/memberships.ts';
import { deleteProject, lockProject, type ProjectRow, updateProject } from '../../store/projects/projects.ts';
import { endImport, stagedChanges, takeLabels, takePlaces, takeStories } from '../../store/stagedImports.ts';
import { forgetUnusedLabels, labelIdsOfProject } from '../../store/stories/labels.ts';
import { rankAtEnd } from '../../store/stories/places.ts';
import { countStories, type StoryRow, updateStoryRow } from '../../store/stories/storyRows.ts';
import { recordActivity } from '../../useCases/recordActivity.ts';
import { applyFileOrder } from './fileOrder.ts';
import { fieldDigests, type ImportedStory, withNews } from './importedStory.ts';
import type { ImportReport } from './importReport.ts';
import type { Remarking } from './remarks.ts';
import { fittedMoments, fittedTexts, storyFields } from './storyFields.ts';
import { ProjectGone, peopleOf, type StoryWriter, type WriterNeeds } from './storyWriter.ts';

interface LastStepNeeds extends WriterNeeds {
  readonly writer: StoryWriter;
  /** Of a new project. */
  readonly name: string;
  readonly source: string | undefined;
  /** Whether the file says that everyone may see a new project. */
  readonly isPublic: boolean;
  /** Who imports, and becomes the owner of a new project. */
  readonly author: UserRow | undefined;
  /** Throws where the caller may not do this any more. */
  readonly authorize?: (tx: Tx) => Promise<void>;
}

const PAGE = 20;
/** Written in about a slice of the event loop. */
const ROWS_OF_THREAD = 512;
const ROWS_OF_SERVER = 8192;

/** Makes seen what an import has written, in one transaction: a new project at once, or what an existing one gets. */
export class LastStep {
  private readonly needs: LastStepNeeds;
  private readonly putBack: readonly (() => void)[];
  private readonly before: Pick<StoryWriter, 'counts' | 'changedIds'>;
  private readonly movedTo = new Map<number, number>();

  constructor(needs: LastStepNeeds) {
    const { writer, remarks, people, files } = needs;
    this.needs = needs;
    const { attached } = writer.parts;
    const attachedBefore = { ...attached };
    this.putBack = [remarks.tally(), people.tally(), files.tally(), () => Object.assign(attached, attachedBefore)];
    this.before = { counts: { ...writer.counts }, changedIds: [...writer.changedIds] };
  }

  /** May be begun anew. */
  async run(tx: Tx): Promise<ImportReport> {
    this.forgetLastTry();
    const { staging, isThere, authorize, writer, people, tickets, source, remarks, isTrial } = this.needs;
    const row = isThere ? await lockProject(tx, this.needs.project.id) : this.needs.project;
    if (!row) throw new ProjectGone();
    await authorize?.(tx);
    await staging.touch(tx, writer.counts.created);
    const handedOver = isThere ? await this.takeOver(tx, row) : [];
    const moved = isThere && writer.knownCount > 0 ? await this.putInOrder(tx) : [];
    if (!isTrial) {
      if (!isThere) await this.open(tx);
      await people.joinAll(tx, row.id);
      await tickets.keepAddresses(tx);
      if (source !== undefined) await rememberSource(tx, row.id, source);
      await this.tellOfImport(tx, row, moved.length > 0);
      await endImport(tx, staging.id);
    }
    const members = await membershipsOfProject(tx, row.id);
    const hasOwner = members.some(({ role }) => role === 'Owner');
    return {
      project: {
        id: row.id,
        name: isThere ? row.name : this.needs.name,
        isNew: !isThere,
        hasOwner: hasOwner || (isTrial && !isThere && people.joinsOwner),
      },
      isTrial,
      ...writer.counts,
      types: Object.fromEntries(writer.kinds.type),
      states: Object.fromEntries(writer.kinds.state),
      hasMoved: moved.length > 0,
      attached: { ...writer.parts.attached },
      people: await people.named(tx),
      notNamed: people.notNamed,
      handedOver: handedOver.length,
      remarks: remarks.kept.toSorted((one, other) => one.row - other.row),
      remarkCount: remarks.count,
    };
  }

  private forgetLastTry(): void {
    const { writer } = this.needs;
    for (const each of this.putBack) each();
    Object.assign(writer.counts, this.before.counts);
    writer.changedIds.splice(0, Number.POSITIVE_INFINITY, ...this.before.changedIds);
    this.movedTo.clear();
  }

  /** Gives a new project its name and owner, and with that lets people see it. */
  private async open(tx: Tx): Promise<void> {
    const { project, name, author, isPublic, hasScale, writer } = this.needs;
    const scale = hasScale ? {} : scaleFor(writer);
    await updateProject(tx, project.id, { name, isPublic: Number(isPublic), ...scale });
    if (author && (await roleIn(tx, project.id, author.id)) === undefined)
      await addMember(tx, project.id, author.id, 'Owner');
  }

  private async takeOver(tx: Tx, row: ProjectRow): Promise<readonly number[]> {
    const { people, hiddenProject, writer, isTrial } = this.needs;
    const handedOver = await people.handOver(tx, row.id);
    for (const id of handedOver) writer.noteChange(id);
    if (!isTrial) {
      const way = { from: hiddenProject, to: row.id };
      const count = await countStories(tx, row.id);
      await takeLabels(tx, { ...way, givesUp: count < writer.counts.created ? 'to' : 'from' });
      const prefixes = count === 0 ? ([null, null] as const) : await this.prefixes(tx, row.id);
      await takeStories(tx, { ...way, prefixes, some: this.some });
      await deleteProject(tx, hiddenProject);
    }
    const labels = await labelIdsOfProject(tx, row.id);
    if (labels.size > MAX_LABELS_OF_PROJECT && !isTrial)
      throw new UsageError(`The project would have more than ${MAX_LABELS_OF_PROJECT} labels. Nothing was imported.`);
    writer.parts.useLabels(labels);
    await this.changeKnown(tx, row);
    if (writer.counts.updated > 0) await forgetUnusedLabels(tx, row.id);
    return handedOver;
  }

  /** How many stories one statement is to change: where the store is a server, which does not hold the thread, it is asked seldom. */
  private get some(): number {
    return this.needs.database.locksRows ? ROWS_OF_SERVER : ROWS_OF_THREAD;
  }

  private async prefixes(tx: Tx, projectId: number) {
    return [await rankAtEnd(tx, { projectId, inIcebox: 0 }), await rankAtEnd(tx, { projectId, inIcebox: 1 })] as const;
  }

  /** Writes what the file says anew of stories that are there. */
  private async changeKnown(tx: Tx, project: ProjectRow): Promise<void> {
    const { staging } = this.needs;
    for (let after = -1; ; ) {
      const page = await stagedChanges(tx, staging.id, { after, limit: PAGE });
      const mappings = await mappingsOf(
        tx,
        project.id,
        page.map(({ externalId }) => externalId),
      );
      const rows = await rowsOf(tx, mappings.values());
      for (const { externalId, payload } of page) {
        const mapping = mappings.get(externalId);
        const row = rows.get(mapping?.storyId ?? 0);
        if (!mapping || !row) this.needs.writer.counts.deleted += 1;
        else await this.change(tx, JSON.parse(payload ?? '{}') as ImportedStory, mapping, row);
        await rest();
      }
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      after = last.place;
    }
  }

  private async change(tx: Tx, story: ImportedStory, mapping: Mapping, row: StoryRow): Promise<void> {
    const { parts, counts } = this.needs.writer;
    const digest = fieldDigests(story);
    if (digest === mapping.digest) {
      if (await parts.fillIn(tx, row.id, story, row.createdAt)) this.noteUpdate(row.id);
      else counts.unchanged += 1;
    } else if (await this.update(tx, story, { digest, mapping, row })) {
      await changeMapping(tx, mapping, { digest, place: mapping.place });
    } else {
      counts.leftOut += 1;
    }
  }

  /** False when the story has no place here any more. */
  private async update(
    tx: Tx,
    told: ImportedStory,
    { digest, mapping, row }: { readonly digest: string; readonly mapping: Mapping; readonly row: StoryRow },
  ): Promise<boolean> {
    const { now, people, tickets, writer } = this.needs;
    const remark = this.remarking(told);
    const story = fittedTexts(fittedMoments(withNews(told, digest, mapping.digest, row.name), now, remark), remark);
    const fields = storyFields(story, row, now, remark);
    if (!fields) return false;
    writer.points.note(fields, remark);
    const list = { projectId: row.projectId, inIcebox: fields.inIcebox };
    const hasMoved = fields.inIcebox !== row.inIcebox;
    if (hasMoved) this.movedTo.set(row.id, fields.inIcebox);
    const rank = hasMoved ? await rankAtEnd(tx, list) : row.rank;
    const ticket = story.ticket === undefined ? {} : tickets.of(story.ticket, remark);
    await updateStoryRow(tx, row.id, { ...fields, ...peopleOf(people, story, row), ...ticket, rank });
    await writer.parts.update(tx, row.projectId, story, { storyId: row.id, createdAt: fields.createdAt, remark });
    await writer.parts.fillIn(tx, row.id, told, fields.createdAt);
    this.noteUpdate(row.id);
    return true;
  }

  private noteUpdate(storyId: number): void {
    const { writer } = this.needs;
    writer.counts.updated += 1;
    writer.noteChange(storyId);
  }

  private async putInOrder(tx: Tx): Promise<readonly number[]> {
    const { staging, project, writer, isTrial } = this.needs;
    const moved = await applyFileOrder(tx, { importId: staging.id, movedTo: this.movedTo, news: writer.order });
    for (const id of moved) writer.noteChange(id);
    if (!isTrial) await takePlaces(tx, staging.id, project.id, this.some);
    return moved;
  }

  /** One activity for all: who follows the project looks at it anew. */
  private async tellOfImport(tx: Tx, row: ProjectRow, hasMoved: boolean): Promise<void> {
    const { writer, isThere, author, now } = this.needs;
    const { created, updated } = writer.counts;
    if (created + updated + writer.changedIds.length === 0 && !hasMoved) return;
    const name = author?.name ?? 'Import';
    const told = isThere ? writer.changedIds : [];
    await recordActivity(tx, row, {
      projectId: row.id,
      eventType: 'project_import',
      occurredAt: now,
      author: name,
      authorId: author?.id ?? null,
      description: `${name} imported ${importedText(writer, hasMoved)}`,
      stories: told.map((id) => ({ id, changed: {}, cleared: [] })),
    });
  }

  private remarking({ row, externalId: id }: ImportedStory): Remarking {
    return (column, value, why) => this.needs.remarks.add({ row, id, column, value, why });
  }
}

function importedText({ counts: { created, updated } }: StoryWriter, hasMoved: boolean): string {
  const parts = [created > 0 ? `${created} new` : '', updated > 0 ? `${updated} changed` : ''].filter(
    (part) => part !== '',
  );
  const stories =
    parts.length === 0 ? 'who is who' : `${parts.join(' and ')} ${created + updated === 1 ? 'story' : 'stories'}`;
  if (!hasMoved) return stories;
  return parts.length === 0 ? 'a new order of stories' : `${stories}, in a new order`;
}

/** A project of which the file says no settings takes the points that its stories have. */
function scaleFor({ points }: StoryWriter) {
  const pointScale = fittingScale(points.seen).join(',');
  const bugsAndChoresAreEstimatable = Number(points.types.has('bug') || points.types.has('chore'));
  return { pointScale, bugsAndChoresAreEstimatable };
}

/** The scales that teams use, shortest first. */
const SCALES: readonly (readonly number[])[] = [
  [0, 1, 2, 3],
  [0, 1, 2, 4, 8],
  [0, 1, 2, 3, 5, 8],
];

/** The first usual point scale that has all of these points, else one of exactly them and zero. */
function fittingScale(points: ReadonlySet<number>): readonly number[] {
  const all = [...points];
  const usual = SCALES.find((scale) => all.every((each) => scale.includes(each)));
  return usual ?? [...new Set([0, ...all])].sort((one, other) => one - other);
}
