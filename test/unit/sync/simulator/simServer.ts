import { generateKeyBetween } from 'fractional-indexing';
import type { MovePlace } from '../../../../src/core/backlog/ordering.ts';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import type { CallOptions, Tagged, Tracker } from '../../../../src/core/ports/tracker.ts';
import type { Activity, ActivityQuery, ChangedStory } from '../../../../src/core/story/activity.ts';
import type { NewStory, Note, Story, StoryEdit, StoryRef, Task } from '../../../../src/core/story/story.ts';
import type { SourceCommit } from '../../../../src/core/story/storyAddress.ts';
import { aDate, aNote, aTask } from '../../../support/builders/builders.ts';
import { type ModelOptions, ModelServer } from '../../../support/trackers/modelServer.ts';

export interface SimServerOptions extends ModelOptions {
  /** How long after an event the feed tells of it, in milliseconds. */
  readonly feedLag: number;
  /** The same commit for the same story is ignored the second time (protocol.md, Commit markers). */
  readonly knowsCommits: boolean;
  /** Its comments of commits have their ids. */
  readonly showsCommitIds: boolean;
  /** It answers a commit with the comments that it made of it. */
  readonly tellsCommitNotes: boolean;
  /** It makes a change only where what is changed is as its sender names it; else it ignores such conditions. */
  readonly takesConditions: boolean;
}

type Condition = Pick<CallOptions, 'ifMatch'>;
type TaskEdit = Parameters<Tracker['updateTask']>[2];

/** The model server as it is written to, with a memory of every value that each story ever had. */
export class SimServer extends ModelServer {
  readonly removed = new Set<number>();
  /** To which projects stories were ever taken, in order. */
  readonly movedTo = new Map<number, number[]>();
  /** What a text that was written took the place of, by that text: each time that it was. */
  readonly replaced = new Map<string, string[]>();
  /** Stories that windows write, or ever wanted to. */
  readonly written = new Set<number>();
  /** Stories that a window writes past the outbox, whose answers may come in another order than the outbox's; by which. */
  readonly writtenDirectly = new Map<number, string>();
  readonly wished = new Set<number>();
  /** Counts what was ever changed. */
  changes = 0;
  /** Oldest first, as `withoutParts` writes them; by story. */
  readonly values = new Map<number, string[]>();
  /** When a story last went from one of backlog, icebox and done to another. */
  readonly crossedAt = new Map<number, number>();
  private readonly lists = new Map<number, string>();
  private readonly recordedAt = new Map<number, number>();
  private readonly feedLag: number;
  /** How often a commit was linked to a story, by both. */
  private readonly links = new Map<string, number>();
  private lastNote = 0;
  private lastTask = 0;

  readonly takesConditions: boolean;
  private readonly knowsCommits: boolean;
  private readonly showsCommitIds: boolean;
  private readonly tellsCommitNotes: boolean;

  constructor(options: SimServerOptions) {
    const { feedLag, knowsCommits, showsCommitIds, tellsCommitNotes, takesConditions, ...ofModel } = options;
    super(ofModel);
    this.takesConditions = takesConditions;
    this.knowsCommits = knowsCommits;
    this.showsCommitIds = showsCommitIds;
    this.tellsCommitNotes = tellsCommitNotes;
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

  getTaggedStory(ref: StoryRef): Tagged<Story> {
    return this.tagged(this.getStory(ref));
  }

  getTaggedTask(ref: StoryRef, taskId: number): Tagged<Task> {
    return this.tagged(this.task(ref, taskId));
  }

  createStory(projectId: number, { name, type = 'feature', state = 'unscheduled' }: NewStory): Story {
    const story = this.create(projectId, state === 'unscheduled', { name, type });
    // The answers to what its window does next to it may come late too.
    this.written.add(story.id);
    this.wished.add(story.id);
    return story;
  }

  deleteStory(ref: StoryRef): Story {
    const story = this.getStory(ref);
    this.remove(ref.projectId, ref.storyId);
    return story;
  }

  /** To the end of the same list. */
  moveToProject({ projectId, storyId }: StoryRef, targetId: number): Story {
    const story = this.getStory({ projectId, storyId });
    const list = this.listOf(projectId, storyId);
    if (list === 'done' || projectId === targetId) throw new TrackerError('refused', 'It stays where it is.');
    super.remove(projectId, storyId);
    const target = this.project(targetId);
    const stories = list === 'icebox' ? target.icebox : target.open;
    const isRanked = story.rank !== undefined;
    const rank = isRanked ? { rank: generateKeyBetween(stories.at(-1)?.rank, null) } : {};
    stories.push({ ...story, ...rank, projectId: targetId });
    this.movedTo.set(storyId, [...(this.movedTo.get(storyId) ?? []), targetId]);
    this.record(targetId, 'story_create', [{ id: storyId, changed: { name: story.name }, cleared: [] }]);
    return this.getStory({ projectId: targetId, storyId });
  }

  updateStory({ projectId, storyId }: StoryRef, edit: StoryEdit, condition: Condition = {}): Story {
    const before = this.getStory({ projectId, storyId });
    this.requireMatch(before, condition);
    if (edit.name !== undefined) this.noteReplaced(edit.name, before.name);
    if (edit.description) this.noteReplaced(edit.description, before.description);
    if (edit.name === '') throw new TrackerError('refused', 'A story needs a name.');
    if (edit.state !== undefined && this.listOf(projectId, storyId) === 'done') {
      throw new TrackerError('refused', 'A story of an iteration that is over keeps its state.');
    }
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

  listTasks(ref: StoryRef): readonly Task[] {
    return this.getStory(ref).tasks;
  }

  addTask(ref: StoryRef, description: string): Task {
    const { tasks } = this.getStory(ref);
    const task = aTask({ id: ++this.lastTask, description, position: tasks.length + 1 });
    this.putTasks(ref, [...tasks, task], 'task_create');
    return task;
  }

  updateTask(ref: StoryRef, taskId: number, { position, ...edit }: TaskEdit, condition: Condition = {}): Task {
    const before = this.task(ref, taskId);
    this.requireMatch(before, condition);
    if (edit.description !== undefined) this.noteReplaced(edit.description, before.description);
    const { tasks } = this.getStory(ref);
    const at = position === undefined ? tasks.indexOf(before) : Math.max(0, position - 1);
    const others = tasks.filter(({ id }) => id !== taskId);
    this.putTasks(ref, others.toSpliced(at, 0, { ...before, ...edit }), 'task_edit');
    return this.task(ref, taskId);
  }

  removeTask(ref: StoryRef, taskId: number): Task {
    const task = this.task(ref, taskId);
    this.putTasks(
      ref,
      this.getStory(ref).tasks.filter(({ id }) => id !== taskId),
      'task_delete',
    );
    return task;
  }

  private task(ref: StoryRef, taskId: number): Task {
    const task = this.getStory(ref).tasks.find(({ id }) => id === taskId);
    if (!task) throw new TrackerError('notFound', 'No such task.');
    return task;
  }

  private putTasks({ projectId, storyId }: StoryRef, tasks: readonly Task[], event: string): void {
    const numbered = tasks.map((task, index) => ({ ...task, position: index + 1 }));
    this.edit(projectId, storyId, { tasks: numbered }, event);
  }

  private tagged<T>(value: T): Tagged<T> {
    return this.takesConditions ? { value, tag: JSON.stringify(value) } : { value };
  }

  private requireMatch(value: unknown, { ifMatch }: Condition): void {
    if (ifMatch === undefined || ifMatch === JSON.stringify(value)) return;
    throw new TrackerError('conflict', 'It has been changed.', { status: 412 });
  }

  private noteReplaced(text: string, before = ''): void {
    this.replaced.set(text, [...(this.replaced.get(text) ?? []), before]);
  }

  postSourceCommit({ commitId, message, author }: SourceCommit): readonly Note[] {
    const ids = new Set([...message.matchAll(/#(\d+)/g)].map((match) => Number(match[1])));
    const notes = [...ids].flatMap((storyId) => {
      const project = this.projects.find(({ id }) => this.storyIds(id).includes(storyId));
      const times = this.timesLinked(commitId, storyId);
      if (!project || (this.knowsCommits && times > 0)) return [];
      this.links.set(`${commitId} ${storyId}`, times + 1);
      const id = this.showsCommitIds ? `\n\n${commitId}` : '';
      const text = `Commit by ${author}\r\n${message.trim().replaceAll('\n', '\r\n')} (https://git.example.org)${id}`;
      return this.addNote({ projectId: project.id, storyId }, text);
    });
    return this.tellsCommitNotes ? notes : [];
  }

  timesLinked(commitId: string, storyId: number): number {
    return this.links.get(`${commitId} ${storyId}`) ?? 0;
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
    values.push(withoutParts(this.getStory({ projectId, storyId })));
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

/** A story as text, but for its comments and tasks, to which a client adds its own, and its rank, which changes with its neighbours'. */
export function withoutParts(story: Story): string {
  return JSON.stringify({ ...story, notes: [], tasks: [], rank: '' });
}
