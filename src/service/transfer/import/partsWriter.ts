import { randomBytes } from 'node:crypto';
import type { Insertable } from 'kysely';
import { MAX_ATTACHMENTS_OF_STORY, MAX_LABELS_OF_PROJECT } from '../../../core/limits.ts';
import { fullStory } from '../../input/fieldLimits.ts';
import type { Tx } from '../../store/database.ts';
import { fittingNotes, fittingTasks } from '../../store/stories/fittingTexts.ts';
import { labelIdsOfProject } from '../../store/stories/labels.ts';
import type { Schema } from '../../store/schema.ts';
import { type StoryContent, storyContent } from '../../store/stories/storyContent.ts';
import type { AttachedFiles } from './attachedFiles.ts';
import type { ImportedAttachment, ImportedNote, ImportedStory } from './importedStory.ts';
import type { People } from './people.ts';
import type { Remarking } from './remarks.ts';

export interface PartsNeeds {
  readonly tx: Tx;
  readonly project: { readonly id: number };
  readonly people: People;
  readonly files: AttachedFiles;
  readonly now: number;
}

interface Waiting {
  storyLabels: Insertable<Schema['storyLabels']>[];
  notes: Insertable<Schema['notes']>[];
  tasks: Insertable<Schema['tasks']>[];
  attachments: Insertable<Schema['attachments']>[];
}

/** Rows written at once: few enough for what either database takes. */
const CHUNK = 500;

/** Writes what hangs on imported stories: labels, comments, tasks, and what is known of attachments. */
export class StoryPartsWriter {
  /** Of attachments that were written. */
  readonly attached = { withFile: 0, withoutFile: 0 };
  private readonly needs: PartsNeeds;
  /** Ids of the project's labels, by name. */
  private labels: Map<string, number> | undefined;
  private waiting: Waiting = nothing();

  constructor(needs: PartsNeeds) {
    this.needs = needs;
  }

  /** Remembers all parts of a new story until `flush`. */
  async add(storyId: number, story: ImportedStory, createdAt: number, remark: Remarking): Promise<void> {
    const { id: projectId } = this.needs.project;
    await this.addLabels(storyId, story.labels ?? [], remark);
    const room = new Room({ comments: 0, tasks: 0, bytes: Buffer.byteLength(story.description ?? '') }, remark);
    for (const [index, { description, complete, createdAt: at = createdAt }] of story.tasks.entries()) {
      if (!room.takesTask(description)) continue;
      const row = { projectId, storyId, description, position: index + 1, complete: Number(complete), createdAt: at };
      this.waiting.tasks.push(row);
    }
    for (const note of story.notes) {
      if (room.takesComment(note.text)) this.waiting.notes.push(await this.noteRow(storyId, note, createdAt));
    }
    room.tell();
    await this.addAttachments(storyId, story.attachments, createdAt, { room: MAX_ATTACHMENTS_OF_STORY, remark });
  }

  /** Adds to a story what it has not yet: nothing that was written here is taken away, but labels are as in the file. */
  async update(storyId: number, story: ImportedStory, createdAt: number, remark: Remarking): Promise<void> {
    const { tx } = this.needs;
    if (story.labels) {
      await tx.deleteFrom('storyLabels').where('storyId', '=', storyId).execute();
      await this.addLabels(storyId, story.labels, remark);
    }
    const content = new Room(await storyContent(tx, storyId), remark);
    await this.addTasks(storyId, story, createdAt, content);
    await this.addNotes(storyId, story, createdAt, content);
    content.tell();
    const known = await tx
      .selectFrom('attachments')
      .select(['filename', 'uploadedAt'])
      .where('storyId', '=', storyId)
      .execute();
    const isKnown = ({ filename, uploadedAt = createdAt }: ImportedAttachment) =>
      known.some((each) => each.filename === filename && each.uploadedAt === uploadedAt);
    const added = story.attachments.filter((attachment) => !isKnown(attachment));
    const room = Math.max(0, MAX_ATTACHMENTS_OF_STORY - known.length);
    await this.addAttachments(storyId, added, createdAt, { room, remark });
    await this.flush();
  }

  /** Gives attachments that came without their file the one that came this time, and tells whether there were such. */
  async fillIn(storyId: number, { attachments }: ImportedStory, createdAt: number): Promise<boolean> {
    const { tx, files } = this.needs;
    const come = attachments.filter(({ externalId }) => files.ofAttachment(externalId ?? 0)?.isUsed === false);
    if (come.length === 0) return false;
    const rows = await tx.selectFrom('attachments').selectAll().where('storyId', '=', storyId).execute();
    const before = this.attached.withFile;
    for (const { externalId, filename, uploadedAt = createdAt } of come) {
      const index = rows.findIndex((each) => each.filename === filename && each.uploadedAt === uploadedAt);
      const [row] = index >= 0 ? rows.splice(index, 1) : [];
      const file = files.ofAttachment(externalId ?? 0);
      if (!row || !file || (await files.isThere(row.storedAs))) continue;
      const { storedAs, size } = file;
      await tx.updateTable('attachments').set({ storedAs, size }).where('id', '=', row.id).execute();
      file.isUsed = true;
      this.attached.withFile += 1;
    }
    return this.attached.withFile > before;
  }

  async flush(): Promise<void> {
    const { tx } = this.needs;
    const { storyLabels, notes, tasks, attachments } = this.waiting;
    this.waiting = nothing();
    for (const rows of chunks(storyLabels)) await tx.insertInto('storyLabels').values(rows).execute();
    for (const rows of chunks(notes)) await tx.insertInto('notes').values(rows).execute();
    for (const rows of chunks(tasks)) await tx.insertInto('tasks').values(rows).execute();
    for (const rows of chunks(attachments)) await tx.insertInto('attachments').values(rows).execute();
  }

  private async addNotes(storyId: number, { notes }: ImportedStory, createdAt: number, room: Room): Promise<void> {
    const known = [...(await fittingNotes(this.needs.tx, { storyId }))];
    for (const note of notes) {
      const name = this.needs.people.nameOf(note.author);
      const index = known.findIndex(({ text, author }) => text === note.text && author === name);
      if (index >= 0) known.splice(index, 1);
      else if (room.takesComment(note.text)) this.waiting.notes.push(await this.noteRow(storyId, note, createdAt));
    }
  }

  private async addTasks(storyId: number, { tasks }: ImportedStory, createdAt: number, room: Room): Promise<void> {
    const { tx, project } = this.needs;
    const known = [...(await fittingTasks(tx, { storyId }))];
    let position = known.at(-1)?.position ?? 0;
    for (const { description, complete, createdAt: at = createdAt } of tasks) {
      const index = known.findIndex((task) => task.description === description);
      const [task] = index >= 0 ? known.splice(index, 1) : [];
      const change = { complete: Number(complete) };
      if (task) {
        await tx.updateTable('tasks').set(change).where('id', '=', task.id).execute();
        continue;
      }
      if (!room.takesTask(description)) continue;
      position += 1;
      this.waiting.tasks.push({ projectId: project.id, storyId, description, position, ...change, createdAt: at });
    }
  }

  private async addLabels(storyId: number, names: readonly string[], remark: Remarking): Promise<void> {
    const { id: projectId } = this.needs.project;
    const most = `A project has at most ${MAX_LABELS_OF_PROJECT.toLocaleString('en')} labels. It was left out.`;
    for (const [position, name] of [...new Set(names)].entries()) {
      const labelId = await this.labelNamed(name);
      if (labelId === undefined) remark('Labels', name, most);
      else this.waiting.storyLabels.push({ storyId, labelId, projectId, position });
    }
  }

  /** Undefined for a new one where the project has as many as it may. */
  private async labelNamed(name: string): Promise<number | undefined> {
    const { tx, project } = this.needs;
    this.labels ??= await labelIdsOfProject(tx, project.id);
    const cached = this.labels.get(name);
    if (cached !== undefined || this.labels.size >= MAX_LABELS_OF_PROJECT) return cached;
    const values = { projectId: project.id, name };
    const { id } = await tx.insertInto('labels').values(values).returning('id').executeTakeFirstOrThrow();
    this.labels.set(name, id);
    return id;
  }

  private async noteRow(storyId: number, { text, author, notedAt }: ImportedNote, createdAt: number) {
    const { project, people } = this.needs;
    const authorId = await people.idOf(author);
    return {
      projectId: project.id,
      storyId,
      text,
      author: people.nameOf(author),
      authorId,
      notedAt: notedAt ?? createdAt,
    };
  }

  private async addAttachments(
    storyId: number,
    attachments: readonly ImportedAttachment[],
    createdAt: number,
    { room, remark }: { readonly room: number; readonly remark: Remarking },
  ): Promise<void> {
    for (const attachment of attachments.slice(0, room)) await this.addAttachment(storyId, attachment, createdAt);
    const left = attachments.length - room;
    const why = `They were left out. A story has at most ${MAX_ATTACHMENTS_OF_STORY} attachments.`;
    if (left > 0) remark('Attachment', `${left} of them`, why);
  }

  /** Without its file an attachment is listed and cannot be downloaded. */
  private async addAttachment(storyId: number, attachment: ImportedAttachment, createdAt: number): Promise<void> {
    const { project, people, files } = this.needs;
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
    const uploaderId = await people.idOf(uploadedBy);
    const own = {
      filename,
      description,
      size,
      storedAs,
      uploadedBy: people.nameOf(uploadedBy),
      uploaderId,
      uploadedAt,
    };
    this.waiting.attachments.push({ projectId: project.id, storyId, ...own });
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

function nothing(): Waiting {
  return { storyLabels: [], notes: [], tasks: [], attachments: [] };
}

function chunks<R>(rows: readonly R[]): R[][] {
  const parts: R[][] = [];
  for (let from = 0; from < rows.length; from += CHUNK) parts.push(rows.slice(from, from + CHUNK));
  return parts;
}
