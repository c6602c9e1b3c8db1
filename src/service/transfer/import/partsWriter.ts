import { randomBytes } from 'node:crypto';
import { MAX_ATTACHMENTS_OF_STORY, MAX_LABELS_OF_PROJECT } from '../../../core/limits.ts';
import { fullStory } from '../../input/fieldLimits.ts';
import type { Tx } from '../../store/database.ts';
import { insertParts, type PartRows } from '../../store/imports.ts';
import { attachmentsOfStory, setFile } from '../../store/stories/attachments.ts';
import { fittingNotes, fittingTasks } from '../../store/stories/fittingTexts.ts';
import { insertLabel, labelIdsOfProject, removeLabels } from '../../store/stories/labels.ts';
import { type StoryContent, storyContent } from '../../store/stories/storyContent.ts';
import { setComplete } from '../../store/stories/tasks.ts';
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

/** Writes what hangs on imported stories: labels, comments, tasks, and what is known of attachments. */
export class StoryPartsWriter {
  /** Of attachments that were written. */
  readonly attached = { withFile: 0, withoutFile: 0 };
  private readonly needs: PartsNeeds;
  /** Ids of the project's labels, by name. */
  private labels: Map<string, number> | undefined;
  private waiting: PartRows = nothing();

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
      await removeLabels(tx, storyId);
      await this.addLabels(storyId, story.labels, remark);
    }
    const content = new Room(await storyContent(tx, storyId), remark);
    await this.addTasks(storyId, story, createdAt, content);
    await this.addNotes(storyId, story, createdAt, content);
    content.tell();
    const known = await attachmentsOfStory(tx, storyId);
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

  async flush(): Promise<void> {
    const { waiting } = this;
    this.waiting = nothing();
    await insertParts(this.needs.tx, waiting);
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
      if (task) {
        await setComplete(tx, task.id, complete);
        continue;
      }
      if (!room.takesTask(description)) continue;
      position += 1;
      this.waiting.tasks.push({
        projectId: project.id,
        storyId,
        description,
        position,
        complete: Number(complete),
        createdAt: at,
      });
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
    const id = await insertLabel(tx, project.id, name);
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

function nothing(): PartRows {
  return { storyLabels: [], notes: [], tasks: [], attachments: [] };
}
