import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';
import type { Backlog } from '../../../src/core/backlog/backlog.ts';
import type { MovePlace } from '../../../src/core/backlog/ordering.ts';
import { slotAt } from '../../../src/core/backlog/plannedIteration.ts';
import { layOut } from '../../../src/core/backlog/planning.ts';
import { TrackerError } from '../../../src/core/errors.ts';
import type { StoryQuery } from '../../../src/core/ports/tracker.ts';
import type { Activity, ActivityQuery, ChangedStory } from '../../../src/core/story/activity.ts';
import type { Iteration, IterationGroup } from '../../../src/core/story/iteration.ts';
import type { Project } from '../../../src/core/story/project.ts';
import type { Story, StoryRef } from '../../../src/core/story/story.ts';
import { digestOf } from '../../../src/sync/replica/laidOutLists.ts';
import { aDate, aProject, aStory } from '../builders/builders.ts';

export interface ModelOptions {
  readonly projects?: number;
  /** Versions count over all projects; else per project. */
  readonly isOneCount?: boolean;
  /** No activity has a version that can be used. */
  readonly isWithoutVersions?: boolean;
  /** Iterations are filled by points, stories have ranks, and the project tells the digest of their order, or another one. */
  readonly digests?: 'right' | 'wrong';
}

interface ModelProject {
  readonly id: number;
  name: string;
  number: number;
  open: Story[];
  icebox: Story[];
  done: Iteration[];
  activities: Activity[];
  lastActivityAt: number;
}

const IN_PROGRESS: ReadonlySet<string> = new Set(['started', 'finished', 'delivered', 'rejected', 'accepted']);
const PER_ITERATION = 3;
const WEEK = 7 * 86_400_000;
const FIRST_MONDAY = Date.parse('2026-03-02T00:00:00Z');

/** A server in a few lines: what is asked of it is true at the moment of asking. */
export class ModelServer {
  readonly projects: readonly ModelProject[];
  private readonly options: ModelOptions;
  private version = 0;
  private lastId = 0;
  /** Milliseconds; moves on by less than the second that dates can tell. */
  now = Date.parse('2026-03-02T09:00:00Z');
  requests: string[] = [];

  constructor(options: ModelOptions = {}) {
    this.options = options;
    this.projects = Array.from({ length: options.projects ?? 1 }, (_, index) => ({
      ...{ id: index + 1, name: `Project ${index + 1}`, number: 1, lastActivityAt: this.now },
      ...{ open: [], icebox: [], done: [], activities: [] },
    }));
  }

  project(projectId: number): ModelProject {
    const project = this.projects.find(({ id }) => id === projectId);
    if (!project) throw new TrackerError('notFound', 'No such project.');
    return project;
  }

  /** Everything, as a client that knows it all has it. */
  truth(projectId: number, doneCount: number): Backlog {
    const { icebox, done } = this.project(projectId);
    const iterations = this.currentBacklog(projectId);
    return { project: this.projectOf(projectId), iterations, icebox, done: done.slice(-doneCount) };
  }

  listProjects(): readonly Project[] {
    this.requests.push('listProjects');
    return this.projects.map(({ id }) => this.projectOf(id));
  }

  getProject(projectId: number): Project {
    this.requests.push('getProject');
    return this.projectOf(projectId);
  }

  private projectOf(projectId: number): Project {
    const { id, name, number, lastActivityAt, done } = this.project(projectId);
    const second = new Date(Math.floor(lastActivityAt / 1000) * 1000).toISOString();
    const points = done.flatMap(({ stories }) => stories).length;
    const orderDigest = this.orderDigest(projectId);
    return aProject({
      ...(orderDigest !== undefined && { orderDigest }),
      id,
      name,
      currentIterationNumber: number,
      currentVelocity: points,
      lastActivityAt: aDate(second),
    });
  }

  currentBacklog(projectId: number): readonly Iteration[] {
    this.requests.push('currentBacklog');
    return this.iterationsOf(projectId);
  }

  private iterationsOf(projectId: number): readonly Iteration[] {
    const { open, number } = this.project(projectId);
    if (this.options.digests) return this.filledIterations(projectId);
    const current = open.filter(({ state }) => IN_PROGRESS.has(state));
    const planned = open.filter(({ state }) => !IN_PROGRESS.has(state));
    const lists = [[...current, ...planned.slice(0, PER_ITERATION)]];
    for (let from = PER_ITERATION; from < planned.length; from += PER_ITERATION) {
      lists.push(planned.slice(from, from + PER_ITERATION));
    }
    return lists.map((stories, index) => ({ id: number + index, number: number + index, stories }));
  }

  private filledIterations(projectId: number): readonly Iteration[] {
    const { open, number, done } = this.project(projectId);
    const accepted = open.filter(({ state }) => state === 'accepted').map(planned);
    const others = open.filter(({ state }) => state !== 'accepted').map(planned);
    const rules = { iterationLength: 1 };
    const velocity = done.flatMap(({ stories }) => stories).length;
    const { current, backlog } = layOut(accepted, others, slotAt(number, mondayOf(number), rules), rules, velocity);
    return [current, ...backlog].map(({ number, start, finish, teamStrength, stories }) => ({
      ...{ id: number, number, start: dateOf(start), finish: dateOf(finish), teamStrength },
      stories: stories.map(({ story }) => story),
    }));
  }

  private orderDigest(projectId: number): string | undefined {
    const { digests } = this.options;
    if (digests !== 'right') return digests && `wrong ${this.project(projectId).activities.length % 3}`;
    const iterations = this.iterationsOf(projectId).map(({ stories, ...own }) => ({
      ...own,
      storyIds: idsOf(stories),
    }));
    return digestOf({ iterations, icebox: idsOf(this.project(projectId).icebox) });
  }

  listIterations(
    projectId: number,
    group: IterationGroup | undefined,
    { limit = 0, offset = 0 }: { readonly limit?: number; readonly offset?: number },
  ): readonly Iteration[] {
    this.requests.push(`listIterations ${group}`);
    const { done } = this.project(projectId);
    const start = Math.max(0, done.length + offset);
    const end = Math.max(0, done.length + offset + limit);
    return done.slice(start, end);
  }

  /** The icebox, or more than all that were created since some day. */
  listStories(projectId: number, { filter = '' }: StoryQuery): readonly Story[] {
    this.requests.push('listStories');
    const { open, icebox, done } = this.project(projectId);
    const isOfAll = filter === '' || filter.startsWith('created_since:');
    return isOfAll ? [...done.flatMap(({ stories }) => stories), ...open, ...icebox] : icebox;
  }

  getStory({ projectId, storyId }: StoryRef): Story {
    this.requests.push('getStory');
    const story = this.find(projectId, storyId);
    if (!story) throw new TrackerError('notFound', 'No such story.');
    return story;
  }

  listActivities({ projectId = 0, newerThanVersion = 0, limit = 10 }: ActivityQuery): readonly Activity[] {
    this.requests.push('listActivities');
    const { activities } = this.project(projectId);
    return activities.filter(({ version }) => version === 0 || version > newerThanVersion).slice(0, limit);
  }

  create(projectId: number, isFrozen: boolean, named: Partial<Pick<Story, 'name' | 'type'>> = {}): Story {
    const { open, icebox } = this.project(projectId);
    const list = isFrozen ? icebox : open;
    const rank = this.options.digests && generateKeyBetween(list.at(-1)?.rank, null);
    const fields = { ...named, id: ++this.lastId, projectId, state: isFrozen ? 'unscheduled' : 'unstarted' };
    const story = aStory({ ...fields, ...(rank !== undefined && { rank }) });
    list.push(story);
    this.record(projectId, 'story_create', [{ id: story.id, changed: { name: story.name }, cleared: [] }]);
    return story;
  }

  edit(projectId: number, storyId: number, fields: Partial<Story>, eventType = 'story_update'): Story | undefined {
    const before = this.find(projectId, storyId);
    if (!before) return undefined;
    const after = { ...before, ...fields };
    const project = this.project(projectId);
    const put = (stories: readonly Story[]) => stories.map((one) => (one.id === storyId ? after : one));
    project.open = put(project.open);
    project.icebox = put(project.icebox);
    project.done = project.done.map((one) => ({ ...one, stories: put(one.stories) }));
    this.record(projectId, eventType, [{ id: storyId, changed: fields, cleared: [] }]);
    return after;
  }

  move(projectId: number, storyId: number, targetId: number, place: MovePlace = 'before'): Story | undefined {
    const project = this.project(projectId);
    const story = [...project.open, ...project.icebox].find(({ id }) => id === storyId);
    const isFrozen = project.icebox.some(({ id }) => id === targetId);
    const isOpen = project.open.some(({ id }) => id === targetId);
    if (!story || storyId === targetId || !(isFrozen || isOpen)) return undefined;
    const isCrossing = project.icebox.includes(story) !== isFrozen;
    const changed = isCrossing ? { state: isFrozen ? 'unscheduled' : 'unstarted' } : {};
    const moved = { ...story, ...changed };
    const others = (stories: Story[]) => stories.filter(({ id }) => id !== storyId);
    const beside = (target: Story) => (place === 'before' ? [moved, target] : [target, moved]);
    const placed = (stories: Story[]) => stories.flatMap((one) => (one.id === targetId ? beside(one) : [one]));
    project.open = placed(others(project.open));
    project.icebox = placed(others(project.icebox));
    if (this.options.digests) for (const list of [project.open, project.icebox]) rerank(list, storyId);
    const now = this.find(projectId, storyId) ?? moved;
    const { rank } = now;
    const told = { ...changed, ...(rank !== undefined && { rank }) };
    this.record(projectId, 'story_update', [{ id: storyId, changed: told, cleared: [] }]);
    return now;
  }

  remove(projectId: number, storyId: number): void {
    const project = this.project(projectId);
    const others = (stories: readonly Story[]) => stories.filter(({ id }) => id !== storyId);
    project.open = others(project.open);
    project.icebox = others(project.icebox);
    project.done = project.done.map((one) => ({ ...one, stories: others(one.stories) }));
    this.record(projectId, 'story_delete', [{ id: storyId, changed: {}, cleared: [] }]);
  }

  /** The iteration ends, of which no activity tells. */
  turn(projectId: number): void {
    const project = this.project(projectId);
    const stories = project.open.filter(({ state }) => state === 'accepted');
    project.done = [...project.done, { id: project.number, number: project.number, stories }];
    project.open = project.open.filter(({ state }) => state !== 'accepted');
    project.number++;
  }

  record(projectId: number, eventType: string, stories: readonly ChangedStory[]): void {
    const project = this.project(projectId);
    project.lastActivityAt = this.now;
    const { isOneCount, isWithoutVersions } = this.options;
    this.version++;
    const counted = isOneCount ? this.version : (project.activities[0]?.version ?? 0) + 1;
    const version = isWithoutVersions ? 0 : counted;
    const occurredAt = aDate(new Date(Math.floor(this.now / 1000) * 1000).toISOString());
    project.activities.unshift({
      ...{ id: 1000 + this.version, version, eventType, occurredAt },
      ...{ projectId, description: `event ${this.version}`, stories },
    });
  }

  storyIds(projectId: number): readonly number[] {
    const { open, icebox, done } = this.project(projectId);
    return [...open, ...icebox, ...done.flatMap(({ stories }) => stories)].map(({ id }) => id);
  }

  private find(projectId: number, storyId: number): Story | undefined {
    const { open, icebox, done } = this.project(projectId);
    return [...open, ...icebox, ...done.flatMap(({ stories }) => stories)].find(({ id }) => id === storyId);
  }
}

function planned(story: Story) {
  return { id: story.id, state: story.state, estimate: story.estimate, story };
}

function idsOf(stories: readonly Story[]): readonly number[] {
  return stories.map(({ id }) => id);
}

function mondayOf(number: number): number {
  return FIRST_MONDAY + (number - 1) * WEEK;
}

function dateOf(time: number) {
  return aDate(new Date(time).toISOString());
}

/** Gives a moved story its rank, or all of its list new ones where there is no room, of which nothing tells. */
function rerank(list: Story[], movedId: number): void {
  const index = list.findIndex(({ id }) => id === movedId);
  const moved = list[index];
  if (!moved) return;
  const [before = null, after = null] = [list[index - 1]?.rank, list[index + 1]?.rank];
  if (before === null || after === null || before < after) {
    list[index] = { ...moved, rank: generateKeyBetween(before, after) };
    if ((list[index]?.rank ?? '').length < 8) return;
  }
  const ranks = generateNKeysBetween(null, null, list.length);
  for (const [place, story] of list.entries()) list[place] = { ...story, rank: ranks[place] ?? '' };
}
