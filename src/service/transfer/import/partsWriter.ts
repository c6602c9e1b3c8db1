import { randomBytes } from 'node:crypto';
import { MAX_ATTACHMENTS_OF_STORY, MAX_LABELS_OF_PROJECT } from '../../../core/limits.ts';
import { fullStory } from '../../input/fieldLimits.ts';
import type { Tx } from '../../store/database.ts';
import { insertParts, type PartRows } from '../../store/imports.ts';
import { attachmentsOfStory, setFile } from '../../store/stories/attachments.ts';
import { fittingNotes, fittingTasks } from '../../store/stories/fittingTexts.ts';
import { insertLabel, removeLabels } from '../../store/stories/labels.ts';
import { type StoryContent, storyContent } from '../../store/stories/storyContent.ts';
import { setComplete } from '../../store/stories/tasks.ts';
import type { AttachedFiles } from './attachedFiles.ts';
import type { ImportedAttachment, ImportedNote, ImportedStory } from './importedStory.ts';
import type { People } from './people.ts';
import type { Remarking } from './remarks.ts';

export interface PartsNeeds {
  readonly people: People;
  readonly files: AttachedFiles;
}

type Held<Row> = Omit<Row, 'projectId' | 'storyId'>;

/** What hangs on a story, before it is written. */
export interface PlannedParts {
  readonly labels: readonly string[];
  readonly notes: readonly Held<PartRows['notes'][number]>[];
  readonly tasks: readonly Held<PartRows['tasks'][number]>[];
  readonly attachments: readonly Held<PartRows['attachments'][number]>[];
}

/** Where parts are written. */
interface PartsPlace {
  readonly projectId: number;
  /** The project that gets labels which are new. */
  readonly labelsIn: number;
}

/** A story here of which a file says more. */
interface Known {
  readonly storyId: number;
  readonly createdAt: number;
  readonly remark: Remarking;
}

/** Plans and writes what hangs on imported stories: labels, comments, tasks, and what is known of attachments. */
export class StoryPartsWriter {
  /** Of attachments that were planned. */
  readonly attached = { withFile: 0, withoutFile: 0 };
  private readonly needs: PartsNeeds;
  /** Ids of a project's labels, by name; those of a hidden one have none before they are written. */
  private labels: Map<string, number | undefined>;

  /** `labels` are those that the project has. */
  constructor(needs: PartsNeeds, labels: Iterable<string>) {
    this.needs = needs;
    this.labels = new Map([...labels].map((name) => [name, undefined]));
  }

  /** All parts of a new story. */
  plan(story: ImportedStory, createdAt: number, remark: Remarking): PlannedParts {
    const room = new Room({ comments: 0, tasks: 0, bytes: Buffer.byteLength(story.description ?? '') }, remark);
    const tasks = story.tasks
      .filter(({ description }) => room.takesTask(description))
      .map(({ description, complete, createdAt: at = createdAt }, index) => {
        return { description, position: index + 1, complete: Number(complete), createdAt: at };
      });
    const notes = story.notes
      .filter(({ text }) => room.takesComment(text))
      .map((note) => this.noteRow(note, createdAt));
    room.tell();
    const labels = this.fittingLabels(story.labels ?? [], remark);
    const most = { room: MAX_ATTACHMENTS_OF_STORY, remark };
    return { labels, notes, tasks, attachments: this.attachmentRows(story.attachments, createdAt, most) };
  }

  /** Writes the parts of stories. Gives the ids of labels that are new, to be noted once that is certain. */
  async write(
    tx: Tx,
    { projectId, labelsIn }: PartsPlace,
    stories: readonly (readonly [storyId: number, parts: PlannedParts])[],
  ): Promise<ReadonlyMap<string, number>> {
    const rows: PartRows = { storyLabels: [], notes: [], tasks: [], attachments: [] };
    const added = new Map<string, number>();
    for (const [storyId, { labels, notes, tasks, attachments }] of stories) {
      const of = { projectId, storyId };
      for (const [position, name] of labels.entries()) {
        const labelId = this.labels.get(name) ?? added.get(name) ?? (await insertLabel(tx, labelsIn, name));
        if (this.labels.get(name) === undefined) added.set(name, labelId);
        rows.storyLabels.push({ ...of, labelId, position });
      }
      for (const note of notes) rows.notes.push({ ...of, ...note });
      for (const task of tasks) rows.tasks.push({ ...of, ...task });
      for (const attachment of attachments) rows.attachments.push({ ...of, ...attachment });
    }
    await insertParts(tx, rows);
    return added;
  }

  /** What is written next is written into a project that has these. */
  useLabels(labels: ReadonlyMap<string, number>): void {
    this.labels = new Map(labels);
  }

  noteLabels(added: ReadonlyMap<string, number>): void {
    for (const [name, id] of added) this.labels.set(name, id);
  }

  /** Adds to a story what it has not yet: nothing that was written here is taken away, but labels are as in the file. */
  async update(tx: Tx, projectId: number, story: ImportedStory, known: Known): Promise<void> {
    const { storyId, createdAt, remark } = known;
    const content = new Room(await storyContent(tx, storyId), remark);
    const tasks = await this.newTasks(tx, story, known, content);
    const notes = await this.newNotes(tx, story, known, content);
    content.tell();
    const there = await attachmentsOfStory(tx, storyId);
    const isKnown = ({ filename, uploadedAt = createdAt }: ImportedAttachment) =>
      there.some((each) => each.filename === filename && each.uploadedAt === uploadedAt);
    const added = story.attachments.filter((attachment) => !isKnown(attachment));
    const room = Math.max(0, MAX_ATTACHMENTS_OF_STORY - there.length);
    const attachments = this.attachmentRows(added, createdAt, { room, remark });
    if (story.labels) await removeLabels(tx, storyId);
    const labels = this.fittingLabels(story.labels ?? [], remark);
    const place = { projectId, labelsIn: projectId };
    this.noteLabels(await this.write(tx, place, [[storyId, { labels, notes, tasks, attachments }]]));
  }

  /** Gives attachments that came without their file the one that came this time, and tells whether there were such. */
  async fillIn(tx: Tx, storyId: number, { attachments }: ImportedStory, createdAt: number): Promise<boolean> {
    const { files } = this.needs;
    const come = attachments.filter(({ externalId }) => files.ofAttachment(externalId ?? 0)?.isUsed === false);
    if (come.length === 0) return false;
    const rows = await attachmentsOfStory(tx, storyId);
    const before = this.attached.withFile;
    for (const { externalId, filename, uploadedAt = createdAt } of come) {
      const index = rows.findIndex((each) => each.filename === filename && each.uploadedAt === uploadedAt);
      const [row] = index >= 0 ? rows.splice(index, 1) : [];
      const file = files.ofAttachment(externalId ?? 0);
      if (!row || !file || (await files.isThere(row.storedAs))) continue;
      await setFile(tx, row.id, file);
      file.isUsed = true;
      this.attached.withFile += 1;
    }
    return this.attached.withFile > before;
  }

  private async newNotes(tx: Tx, { notes }: ImportedStory, { storyId, createdAt }: Known, room: Room) {
    const known = [...(await fittingNotes(tx, { storyId }))];
    const rows: PlannedParts['notes'][number][] = [];
    for (const note of notes) {
      const name = this.needs.people.nameOf(note.author);
      const index = known.findIndex(({ text, author }) => text === note.text && author === name);
      if (index >= 0) known.splice(index, 1);
      else if (room.takesComment(note.text)) rows.push(this.noteRow(note, createdAt));
    }
    return rows;
  }

  private async newTasks(tx: Tx, { tasks }: ImportedStory, { storyId, createdAt }: Known, room: Room) {
    const known = [...(await fittingTasks(tx, { storyId }))];
    const rows: PlannedParts['tasks'][number][] = [];
    let position = known.at(-1)?.position ?? 0;
    for (const { description, complete, createdAt: at = createdAt } of tasks) {
      const index = known.findIndex((task) => task.description === description);
      const [task] = index >= 0 ? known.splice(index, 1) : [];
      if (task) {
        await setComplete(tx, task.id, complete);
        continue;
      }
      if (!room.takesTask(description)) continue;
      position += 1;
      rows.push({ description, position, complete: Number(complete), createdAt: at });
    }
    return rows;
  }

  /** Those that the project has, or may have one more of. */
  private fittingLabels(names: readonly string[], remark: Remarking): readonly string[] {
    const most = `A project has at most ${MAX_LABELS_OF_PROJECT.toLocaleString('en')} labels. It was left out.`;
    return [...new Set(names)].filter((name) => {
      if (!this.labels.has(name) && this.labels.size >= MAX_LABELS_OF_PROJECT) {
        remark('Labels', name, most);
        return false;
      }
      if (!this.labels.has(name)) this.labels.set(name, undefined);
      return true;
    });
  }

  private noteRow({ text, author, notedAt }: ImportedNote, createdAt: number) {
    const { people } = this.needs;
    return { text, author: people.nameOf(author), authorId: people.idOf(author), notedAt: notedAt ?? createdAt };
  }

  private attachmentRows(
    attachments: readonly ImportedAttachment[],
    createdAt: number,
    { room, remark }: { readonly room: number; readonly remark: Remarking },
  ) {
    const left = attachments.length - room;
    const why = `They were left out. A story has at most ${MAX_ATTACHMENTS_OF_STORY} attachments.`;
    if (left > 0) remark('Attachment', `${left} of them`, why);
    return attachments.slice(0, room).map((attachment) => this.attachmentRow(attachment, createdAt));
  }

  /** Without its file an attachment is listed and cannot be downloaded. */
  private attachmentRow(attachment: ImportedAttachment, createdAt: number) {
    const { people, files } = this.needs;
    const { externalId, filename, description, uploadedBy, uploadedAt = createdAt } = attachment;
    const found =
      externalId === undefined
        ? files.ofStory(attachment.storyId ?? '').find((each) => each.filename === filename)
        : files.ofAttachment(externalId);
    const file = found?.isUsed === true ? undefined : found;
    if (file) file.isUsed = true;
    this.attached[file ? 'withFile' : 'withoutFile'] += 1;
    const size = file?.size ?? attachment.size ?? 0;
    const storedAs = file?.storedAs ?? randomBytes(16).toString('hex');
    const uploaderId = people.idOf(uploadedBy);
    return { filename, description, size, storedAs, uploadedBy: people.nameOf(uploadedBy), uploaderId, uploadedAt };
  }
}

/** What a story can still take of a file; what it cannot is counted, and remarked together. */
class Room {
  private held: StoryContent;
  private readonly remark: Remarking;
  private readonly left = { Comment: 0, Task: 0 };
  private why: Readonly<Record<string, string>> = {};

  constructor(held: StoryContent, remark: Remarking) {
    this.held = held;
    this.remark = remark;
  }

  takesComment(text: string): boolean {
    return this.takes('Comment', { comments: 1, tasks: 0, bytes: Buffer.byteLength(text) });
  }

  takesTask(text: string): boolean {
    return this.takes('Task', { comments: 0, tasks: 1, bytes: Buffer.byteLength(text) });
  }

  tell(): void {
    for (const [column, count] of Object.entries(this.left)) {
      if (count > 0) this.remark(column, `${count} of them`, `They were left out. ${this.why[column]}`);
    }
  }

  private takes(column: 'Comment' | 'Task', added: StoryContent): boolean {
    const refusal = fullStory(this.held, added);
    if (refusal) {
      this.left[column] += 1;
      this.why = { [column]: refusal.message, ...this.why };
      return false;
    }
    const { comments, tasks, bytes } = this.held;
    this.held = { comments: comments + added.comments, tasks: tasks + added.tasks, bytes: bytes + added.bytes };
    return true;
  }
}
