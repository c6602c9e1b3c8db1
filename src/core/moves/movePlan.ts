import { type Backlog, findStory } from '../backlog/backlog.ts';
import { isPendingStory } from '../intents/edit.ts';
import type { Intent } from '../intents/intent.ts';
import type { Story } from '../story/story.ts';
import { fewestMoves, type Spot } from './fewestMoves.ts';

/** One story's part in a move: a new state when it crosses the border of the icebox, then its new place. */
export interface MoveStep {
  readonly storyId: number;
  readonly state?: 'unstarted' | 'unscheduled';
  /** Absent when there is no other story to be put next to. */
  readonly spot?: Spot;
}

/** Why stories stay where they are. */
export interface MoveRefusal {
  readonly because: 'done' | 'inProgress' | 'doneTarget' | 'unknown' | 'unsent';
  readonly storyId: number;
}

/** Where stories go, and by which single moves; others than those chosen may have to make room. */
export interface PossibleMove {
  readonly storyIds: readonly number[];
  readonly steps: readonly MoveStep[];
  /** Next to which story they go together. */
  readonly spot?: Spot;
  /** The number of the iteration that they are to be in, where one was chosen. */
  readonly iteration?: number;
}

export type MovePlan = PossibleMove | { readonly refusal: MoveRefusal };

export type Area = 'scheduled' | 'icebox';

/** Whether a story has a place that it can leave, and others be put next to it. */
export function isMovable(story: Pick<Story, 'id' | 'state'>): boolean {
  return story.state !== 'accepted' && !isPendingStory(story);
}

/** In which part of a project's order a story stands; `undefined` for accepted ones, which have no priority any more. */
export function areaOf(backlog: Backlog, storyId: number): Area | undefined {
  const story = findStory(backlog, storyId);
  return story && areaOfStory(backlog, story);
}

/** The stories of an area that can be put in order, in their order; none that no server has yet. */
export function movableIn(backlog: Backlog, area: Area): readonly number[] {
  const ids: number[] = [];
  for (const { stories } of area === 'icebox' ? [{ stories: backlog.icebox }] : backlog.iterations) {
    for (const story of stories) if (isMovable(story)) ids.push(story.id);
  }
  return ids;
}

/** Each id once, in the order of the backlog; first those that are not in it. */
export function inOrder(backlog: Backlog, storyIds: readonly number[]): readonly number[] {
  const left = new Set(storyIds);
  const found: number[] = [];
  for (const { stories } of [...backlog.iterations, { stories: backlog.icebox }]) {
    for (const { id } of stories) if (left.delete(id)) found.push(id);
  }
  return [...left, ...found];
}

/** Puts stories, given in their order, next to another, one behind the other. */
export function planNextTo(backlog: Backlog, storyIds: readonly number[], spot: Spot): MovePlan {
  if (isPendingStory({ id: spot.targetId })) return { refusal: { because: 'unsent', storyId: spot.targetId } };
  const area = areaOf(backlog, spot.targetId);
  if (!area)
    return {
      refusal: { because: findStory(backlog, spot.targetId) ? 'doneTarget' : 'unknown', storyId: spot.targetId },
    };
  return planInto(
    backlog,
    area,
    storyIds.filter((id) => id !== spot.targetId),
    spot,
  );
}

/** Puts stories into an area, with as few moves as can be: next to a story, or just there when the area has no other. */
export function planInto(backlog: Backlog, area: Area, storyIds: readonly number[], spot: Spot | undefined): MovePlan {
  const coming = new Set<number>();
  for (const storyId of storyIds) {
    const story = findStory(backlog, storyId);
    if (!story) return { refusal: { because: 'unknown', storyId } };
    const from = areaOfStory(backlog, story);
    const refusal = refusalOf(story, from, area);
    if (refusal) return { refusal };
    if (from !== area) coming.add(storyId);
  }
  const state = area === 'icebox' ? 'unscheduled' : 'unstarted';
  const placements: readonly MoveStep[] = spot
    ? fewestMoves(movableIn(backlog, area), storyIds, spot)
    : storyIds.map((storyId, index) => besideNothing(storyId, storyIds[index - 1]));
  const steps = placements.map((step) => (coming.has(step.storyId) ? { ...step, state } : step) satisfies MoveStep);
  return { storyIds, steps: steps.filter((step) => step.spot || coming.has(step.storyId)), ...(spot && { spot }) };
}

/** Where no other story is the state alone brings the first one, and the others follow it. */
function besideNothing(storyId: number, previous: number | undefined): MoveStep {
  return previous === undefined ? { storyId } : { storyId, spot: { place: 'after', targetId: previous } };
}

/** Only what nobody has begun may leave the backlog, or its progress would be lost. */
function refusalOf({ id, state }: Story, from: Area | undefined, area: Area): MoveRefusal | undefined {
  if (isPendingStory({ id })) return { because: 'unsent', storyId: id };
  if (!from) return { because: 'done', storyId: id };
  const mayCross = from === 'icebox' || state === 'unstarted';
  return from === area || mayCross ? undefined : { because: 'inProgress', storyId: id };
}

function areaOfStory({ iterations, icebox }: Backlog, story: Story): Area | undefined {
  if (icebox.includes(story)) return 'icebox';
  return isMovable(story) && iterations.some(({ stories }) => stories.includes(story)) ? 'scheduled' : undefined;
}

/** What the steps of a move ask of a server, one after the other. */
export function intentsOf(steps: readonly MoveStep[]): readonly Intent[] {
  return steps.flatMap(intentsOfStep);
}

/** First the state, which carries a story over the border of the icebox, then the place. */
export function intentsOfStep({ storyId, state, spot }: MoveStep): readonly Intent[] {
  return [
    ...(state ? [{ kind: 'edit', storyId, edit: { state } } as const] : []),
    ...(spot ? [{ kind: 'move', storyId, ...spot } as const] : []),
  ];
}
