import { generateKeyBetween } from 'fractional-indexing';
import type { MovePlace } from '../../../../src/core/backlog/ordering.ts';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import type { Activity, ActivityQuery, ChangedStory } from '../../../../src/core/story/activity.ts';
import type { Note, Story, StoryEdit, StoryRef } from '../../../../src/core/story/story.ts';
import type { SourceCommit } from '../../../../src/core/story/storyAddress.ts';
import { aDate, aNote } from '../../../support/builders/builders.ts';
import { type ModelOptions, ModelServer } from '../../../support/trackers/modelServer.ts';

export interface SimServerOptions extends ModelOptions {
  /** How long after an event the feed tells of it, in milliseconds. */
  readonly feedLag: number;
  /** The same commit for the same story is ignored the second time (protocol.md, Commit markers). */
  readonly knowsCommits: boolean;
}

/** The model server as it is written to, with a memory of every value that each story ever had. */
export class SimServer extends ModelServer {
  readonly removed = new Set<number>();
  /** Stories that windows write, or ever wanted to. */
  readonly written = new Set<number>();
  /** Stories that a window writes past the outbox, whose answers may come in another order than the outbox's; by which. */
  readonly writtenDirectly = new Map<number, string>();
  readonly wished = new Set<number>();
  /** Counts what was ever changed. */
  changes = 0;
  /** Oldest first, as `withoutNotes` writes them; by story. */
  readonly values = new Map<number, string[]>();
  /** When a story last went from one of backlog, icebox and done to another. */
  readonly crossedAt = new Map<number, number>();
  private readonly lists = new Map<number, string>();
  private readonly recordedAt = new Map<number, number>();
  private readonly feedLag: number;
  private readonly links = new Set<string>();
  private lastNote = 0;

  readonly knowsCommits: boolean;

  constructor({ feedLag, knowsCommits, ...options }: SimServerOptions) {
    super(options);
    this.knowsCommits = knowsCommits;
    this.feedLag = feedLag;
  }

  override listActivities(query: ActivityQuery): readonly Activity[] {
    const { limit = 10, projectId = 0, newerThanVersion = 0 } = query;
    this.requests.push('listActivities');
    const isTold = ({ id }: Activity) => (this.recordedAt.get(id) ?? 0) + this.feedLag <= this.now;
    const isNew = ({ version }: Activity) => version === 0 || version > newerThanVersion;
    return this.project(projectId)
      .activities.filter((one) => isTold(one) && isNew(one))
      .slice(0, limit);
  }

  override record(projectId: number, eventType: string, stories: readonly ChangedStory[]): void {
    super.record(projectId, eventType, stories);
    this.changes++;
    const id = this.project(projectId).activities[0]?.id;
    if (id !== undefined) this.recordedAt.set(id, this.now);
    for (const { id: storyId } of stories) this.remember(projectId, storyId);
  }

  override remove(projectId: number, storyId: number): void {
    this.removed.add(storyId);
    super.remove(projectId, storyId);
  }

  updateStory({ projectId, storyId }: StoryRef, edit: StoryEdit): Story {
    const before = this.getStory({ projectId, storyId });
    if (edit.name === '') throw new TrackerError('refused', 'A story needs a name.');
    const isFrozen = before.state === 'unscheduled';
    if (edit.state !== undefined && (edit.state === 'unscheduled') !== isFrozen)
      this.cross(projectId, before, !isFrozen);
    const given = Object.entries(edit).filter(([, value]) => value !== null);
    this.edit(projectId, storyId, Object.fromEntries(given));
    return this.getStory({ projectId, storyId });
  }

  moveStory({ projectId, storyId }: StoryRef, place: MovePlace, targetId: number): Story {
    this.getStory({ projectId, storyId });
    const moved = this.move(projectId, storyId, targetId, place);
    if (!moved) throw new TrackerError('refused', 'A story is moved beside another of the backlog or the icebox.');
    return moved;
  }

  listNotes({ projectId, storyId }: StoryRef): readonly Note[] {
    return this.getStory({ projectId, storyId }).notes;
  }

  addNote({ projectId, storyId }: StoryRef, text: string): Note {
    const { notes } = this.getStory({ projectId, storyId });
    const notedAt = aDate(new Date(Math.floor(this.now / 1000) * 1000).toISOString());
    const note = aNote({ id: ++this.lastNote, text, notedAt });
    this.edit(projectId, storyId, { notes: [...notes, note] }, 'note_create');
    return note;
  }

  postSourceCommit({ commitId, message }: SourceCommit): readonly Note[] {
    const ids = [...message.matchAll(/#(\d+)/g)].map((match) => Number(match[1]));
    return ids.flatMap((storyId) => {
      const project = this.projects.find(({ id }) => this.storyIds(id).includes(storyId));
      if (!project || (this.knowsCommits && this.links.has(`${commitId} ${storyId}`))) return [];
      this.links.add(`${commitId} ${storyId}`);
      return this.addNote({ projectId: project.id, storyId }, `Commit by Ada Fenn\n\n${message}\n\n${commitId}`);
    });
  }

  /** Whether no event of these stories can be told of only now, and be taken for one that is yet to be told. */
  isSoonTold(intents: readonly Intent[]): boolean {
    const isNew = (storyId: number) => (this.values.get(storyId)?.length ?? 0) <= 2;
    return this.feedLag === 0 || intents.every(({ kind, storyId }) => kind === 'move' && isNew(storyId));
  }

  override turn(projectId: number): void {
    super.turn(projectId);
    this.changes++;
    for (const id of this.storyIds(projectId)) this.place(projectId, id);
  }

  /** In which list a story is. */
  listOf(projectId: number, storyId: number): 'open' | 'icebox' | 'done' | undefined {
    const { open, icebox, done } = this.project(projectId);
    const isIn = (stories: readonly Story[]) => stories.some(({ id }) => id === storyId);
    if (isIn(open)) return 'open';
    if (isIn(icebox)) return 'icebox';
    return done.some(({ stories }) => isIn(stories)) ? 'done' : undefined;
  }

  private place(projectId: number, storyId: number): void {
    const list = this.listOf(projectId, storyId) ?? '';
    if (this.lists.get(storyId) !== list) this.crossedAt.set(storyId, this.now);
    this.lists.set(storyId, list);
  }

  private remember(projectId: number, storyId: number): void {
    this.place(projectId, storyId);
    if (!this.storyIds(projectId).includes(storyId)) return;
    const values = this.values.get(storyId) ?? [];
    values.push(withoutNotes(this.getStory({ projectId, storyId })));
    this.values.set(storyId, values);
  }

  /** To the end of the other list, with the last rank there where stories have ranks. */
  private cross(projectId: number, story: Story, isFreezing: boolean): void {
    const project = this.project(projectId);
    const others = (stories: readonly Story[]) => stories.filter(({ id }) => id !== story.id);
    const [open, icebox] = [others(project.open), others(project.icebox)];
    const list = isFreezing ? icebox : open;
    list.push(story.rank === undefined ? story : { ...story, rank: generateKeyBetween(list.at(-1)?.rank, null) });
    [project.open, project.icebox] = [open, icebox];
    this.place(projectId, story.id);
  }
}

/** A story as text, but for its comments, to which a client adds its own, and its rank, which changes with its neighbours'. */
export function withoutNotes(story: Story): string {
  return JSON.stringify({ ...story, notes: [], rank: '' });
}
