import type { MovePlace } from '../../../src/core/backlog/ordering.ts';
import { TrackerError } from '../../../src/core/errors.ts';
import { editedStory, pendingStory } from '../../../src/core/intents/edit.ts';
import type { CallOptions, Tagged, Tracker } from '../../../src/core/ports/tracker.ts';
import type { Project } from '../../../src/core/story/project.ts';
import type { NewStory, Note, Story, StoryEdit, StoryRef, Task } from '../../../src/core/story/story.ts';
import type { SourceCommit } from '../../../src/core/story/storyAddress.ts';
import { aDate, anIteration, aProject, aStory } from '../builders/builders.ts';
import { answerOf, fakeTracker } from './fakeTracker.ts';

/**
 * What becomes of one request. A lost one was done or not; who sent it never hears. One without a connection never left. One that leaves late is still in its process
 * for a while, one that arrives late is on its way.
 */
export type Fate =
  | { readonly kind: 'answered' | 'noConnection' | 'lostBefore' | 'lostAfter' }
  | { readonly kind: 'late' | 'leavesLate' | 'arrivesLate'; readonly wait: () => Promise<void> }
  | { readonly kind: 'throws'; readonly error: TrackerError };

/** A server as far as the outbox knows one; does every write that reaches it, doubled or not. */
export class OutboxServer {
  readonly orders: Record<number, number[]> = { 1: [11, 12, 13, 14], 2: [21, 22, 23, 24] };
  private readonly stories = new Map<number, Story>();
  /** Every write that was done, in order. */
  readonly done: string[] = [];
  /** Every request that reached the server. */
  readonly asked: string[] = [];
  /** With which the requests can be given up, in order. */
  readonly signals: AbortSignal[] = [];
  fate: (method: string) => Fate = () => ({ kind: 'answered' });
  /** Whether it tells tags and takes changes that are conditional; something on the way may rewrite them, so that none ever fits. */
  tags: 'right' | 'none' | 'rewritten' = 'right';
  /** What it stores of an edit. */
  stores = (edit: StoryEdit): StoryEdit => edit;
  /** Some ignore which project a story is to be in. */
  movesToProjects = true;
  /** Something else answers in its place, and knows of nothing. */
  isPutAway = false;
  /** The comment that it makes of a commit. */
  commitText = ({ commitId, message }: SourceCommit): string => `${commitId} ${message}`;
  /** Whether it answers a commit with the comments that it made of it. */
  tellsNotes = true;
  /** When comments are made, by its clock. */
  notedAt = '2026-03-02T09:00:00Z';
  private lastNote = 500;

  constructor() {
    for (const [projectId, ids] of Object.entries(this.orders)) {
      for (const id of ids) this.stories.set(id, aStory({ id, projectId: Number(projectId) }));
    }
  }

  story(id: number): Story {
    const story = this.stories.get(id);
    if (!story) throw new TrackerError('notFound', 'No such story.');
    return story;
  }

  put(story: Story): void {
    this.stories.set(story.id, story);
  }

  remove(id: number): void {
    this.stories.delete(id);
    for (const [projectId, ids] of Object.entries(this.orders)) {
      this.orders[Number(projectId)] = ids.filter((one) => one !== id);
    }
  }

  getProject(projectId: number): Project {
    if (this.isPutAway || !this.orders[projectId]) throw new TrackerError('notFound', 'No such project.');
    return aProject({ id: projectId });
  }

  texts(id: number): readonly string[] {
    return this.story(id).notes.map(({ text }) => text);
  }

  getStory({ projectId, storyId }: StoryRef): Story {
    const story = this.story(storyId);
    if (this.isPutAway || story.projectId !== projectId) throw new TrackerError('notFound', 'No such story here.');
    return story;
  }

  getTaggedStory(ref: StoryRef): Tagged<Story> {
    return this.tagged(this.getStory(ref));
  }

  getTaggedTask(ref: StoryRef, taskId: number): Tagged<Task> {
    return this.tagged(this.task(ref, taskId));
  }

  deleteStory(ref: StoryRef): Story {
    const story = this.getStory(ref);
    this.remove(story.id);
    this.done.push(`delete ${story.id}`);
    return story;
  }

  moveToProject(ref: StoryRef, targetId: number): Story {
    const story = this.getStory(ref);
    if (!this.movesToProjects) return story;
    this.remove(story.id);
    const moved = { ...story, projectId: targetId };
    this.put(moved);
    this.orders[targetId] = [...(this.orders[targetId] ?? []), story.id];
    this.done.push(`move ${story.id} to ${targetId}`);
    return moved;
  }

  updateStory(ref: StoryRef, edit: StoryEdit, condition: Pick<CallOptions, 'ifMatch'> = {}): Story {
    const { storyId } = ref;
    this.requireMatch(this.getStory(ref), condition);
    const after = editedStory(this.story(storyId), this.stores(edit));
    this.put(after);
    this.done.push(`edit ${storyId} ${JSON.stringify(edit)}`);
    return after;
  }

  moveStory({ projectId, storyId }: StoryRef, place: MovePlace, targetId: number): Story {
    this.story(storyId);
    const others = (this.orders[projectId] ?? []).filter((id) => id !== storyId);
    const at = others.indexOf(targetId);
    if (at < 0) throw new TrackerError('refused', 'There is no such target.');
    this.orders[projectId] = others.toSpliced(place === 'before' ? at : at + 1, 0, storyId);
    this.done.push(`move ${storyId} ${place} ${targetId}`);
    return this.story(storyId);
  }

  listNotes({ storyId }: StoryRef): readonly Note[] {
    return this.story(storyId).notes;
  }

  addNote({ storyId }: StoryRef, text: string): Note {
    const note: Note = { id: ++this.lastNote, text: text.trim(), author: 'Ada Fenn', notedAt: aDate(this.notedAt) };
    const story = this.story(storyId);
    this.put({ ...story, notes: [...story.notes, note] });
    this.done.push(`comment ${storyId} ${text}`);
    return note;
  }

  postSourceCommit(commit: SourceCommit): readonly Note[] {
    const ids = [...commit.message.matchAll(/#(\d+)/g)].map(([, id]) => Number(id));
    this.done.push(`link ${commit.commitId}`);
    const notes = ids.map((storyId) => {
      const note: Note = { id: ++this.lastNote, text: this.commitText(commit), notedAt: aDate(this.notedAt) };
      const story = this.story(storyId);
      this.put({ ...story, notes: [...story.notes, note] });
      return note;
    });
    return this.tellsNotes ? notes : [];
  }

  currentBacklog(projectId: number) {
    return [anIteration({ stories: (this.orders[projectId] ?? []).map((id) => this.story(id)) })];
  }

  /** Those that were created here; nobody asks for others. */
  listStories(projectId: number): readonly Story[] {
    return [...this.stories.values()].filter(({ id, projectId: of }) => of === projectId && id > 1000);
  }

  createStory(projectId: number, story: NewStory): Story {
    const created = { ...pendingStory(1001 + this.done.length, story), projectId };
    this.put(created);
    this.done.push(`create ${story.name}`);
    return created;
  }

  listTasks(ref: StoryRef): readonly Task[] {
    return this.getStory(ref).tasks;
  }

  addTask({ storyId }: StoryRef, description: string): Task {
    const task: Task = { id: ++this.lastNote, description: description.trim(), complete: false };
    const story = this.story(storyId);
    this.put({ ...story, tasks: [...story.tasks, task] });
    this.done.push(`task ${storyId} ${description}`);
    return task;
  }

  updateTask(
    ref: StoryRef,
    taskId: number,
    { position, ...edit }: { readonly description?: string; readonly complete?: boolean; readonly position?: number },
    condition: Pick<CallOptions, 'ifMatch'> = {},
  ): Task {
    const { storyId } = ref;
    const before = this.task(ref, taskId);
    this.requireMatch(before, condition);
    const task = { ...before, ...edit };
    const others = this.story(storyId).tasks.filter(({ id }) => id !== taskId);
    const at = position === undefined ? this.story(storyId).tasks.indexOf(before) : Math.max(0, position - 1);
    this.put({ ...this.story(storyId), tasks: others.toSpliced(at, 0, task) });
    const what = position === undefined ? Object.values(edit).join() : `to ${position}`;
    this.done.push(`${edit.complete === undefined ? 'change' : 'tick'} ${storyId} ${taskId} ${what}`);
    return position === undefined ? task : { ...task, position: Math.min(at, others.length) + 1 };
  }

  removeTask(ref: StoryRef, taskId: number): Task {
    const task = this.task(ref, taskId);
    const story = this.story(ref.storyId);
    this.put({ ...story, tasks: story.tasks.filter(({ id }) => id !== taskId) });
    this.done.push(`delete task ${ref.storyId} ${taskId}`);
    return task;
  }

  private task(ref: StoryRef, taskId: number): Task {
    const task = this.getStory(ref).tasks.find(({ id }) => id === taskId);
    if (!task) throw new TrackerError('notFound', 'No such task.');
    return task;
  }

  private tagged<T>(value: T): Tagged<T> {
    return this.tags === 'none' ? { value } : { value, tag: this.tagOf(value) };
  }

  private tagOf(value: unknown): string {
    return JSON.stringify(JSON.stringify(value));
  }

  private requireMatch(value: unknown, { ifMatch }: Pick<CallOptions, 'ifMatch'>): void {
    if (ifMatch === undefined) return;
    if (this.tags === 'rewritten' || ifMatch !== this.tagOf(value))
      throw new TrackerError('conflict', 'It has been changed.', { status: 412 });
  }

  /** The server as a client has it. */
  tracker(): Tracker {
    return fakeTracker(async (call) => {
      const { method, options } = call;
      const fate = this.fate(method);
      if (options?.signal) this.signals.push(options.signal);
      if (fate.kind === 'leavesLate' || fate.kind === 'arrivesLate') {
        if (fate.kind === 'leavesLate') await fate.wait();
        if (options?.signal?.aborted || options?.mayGo?.() === false) throw new TrackerError('cancelled', 'Not sent.');
        if (fate.kind === 'arrivesLate') await fate.wait();
      }
      if (fate.kind === 'noConnection') throw noConnection();
      if (fate.kind === 'lostBefore') throw new TrackerError('unreachable', 'Cut off.');
      this.asked.push(method);
      if (fate.kind === 'throws') throw fate.error;
      const value = answerOf(this, call);
      if (fate.kind === 'lostAfter') throw new TrackerError('timeout', 'No answer came.');
      if (fate.kind === 'late') await fate.wait();
      return value;
    });
  }
}

/** As the client has it where nothing answers at the server's address. */
export function noConnection(): TrackerError {
  const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  return new TrackerError('unreachable', 'Nothing answers.', { cause });
}
