import { TrackerError } from '../errors.ts';
import { filterDay } from './filterDay.ts';
import { pointsTest } from './filterPoints.ts';
import { folded } from '../folded.ts';
import { type FoldedStory, foldedStory } from './foldedStory.ts';
import type { Integration } from '../story/project.ts';
import type { Story } from '../story/story.ts';
import { isInProgress } from '../backlog/workflow.ts';

/** What the answer to a filter depends on besides the story. */
export interface FilterContext {
  /** Name of the person who asks: `me` in `owner:me`. */
  readonly me?: string;
  /** Initials by name, so that `owner:AL` finds them. */
  readonly initials?: ReadonlyMap<string, string>;
  /** What the project's integrations are called, by id: see `integrationNames`. */
  readonly integrations?: ReadonlyMap<number, readonly string[]>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** By what a filter may name each integration: its name or its kind. */
export function integrationNames(
  integrations: readonly Pick<Integration, 'id' | 'name' | 'type'>[],
): ReadonlyMap<number, readonly string[]> {
  return new Map(integrations.map(({ id, name, type }) => [id, [folded(name), folded(type)]]));
}

export type StoryTest = (story: Story, context: FilterContext) => boolean;

type TestMaker = (value: string, key: string) => StoryTest;

/** What a key asks of a story for one value (protocol.md, Story filter); a maker throws `input` for a value it cannot take. */
export const filterKeys: ReadonlyMap<string, TestMaker> = new Map<string, TestMaker>([
  ['id', idTest],
  ['type', (value) => isOneOf(value, ({ type }) => [type])],
  ['state', (value) => isOneOf(value, ({ state }) => [state])],
  ['label', (value) => isOneOf(value, ({ labels }) => labels)],
  ['requester', (value) => isPerson(value, 'requester')],
  ['owner', (value) => isPerson(value, 'owner')],
  ['mywork', isWorkOf],
  ['created_since', (value) => since(value, (story) => [story.createdAt?.time])],
  ['modified_since', (value) => since(value, (story) => [story.updatedAt?.time, story.createdAt?.time])],
  ['has_attachment', (value, key) => claim(value, key, (story) => story.attachments.length > 0)],
  ['has_external_id', (value, key) => claim(value, key, (story) => story.ticket !== undefined)],
  ['external_id', isTicket],
  ['integration', isIntegration],
  ['points', pointsTest],
  ['estimate', pointsTest],
]);

/** `true` or `false`; throws `input` for anything else. */
export function claimed(value: string, key: string): boolean {
  if (isSame(value, 'true')) return true;
  if (isSame(value, 'false')) return false;
  throw new TrackerError('input', `“${key}:” takes true or false, not “${value}”.`);
}

function isSame(text: string, value: string): boolean {
  return folded(text) === folded(value);
}

function idTest(value: string): StoryTest {
  const digits = /^#?(\d{1,15})$/.exec(value)?.[1];
  if (digits === undefined) throw new TrackerError('input', `“id:” takes story numbers, not “${value}”.`);
  const wanted = Number(digits);
  return ({ id }) => id === wanted;
}

function isOneOf(value: string, textsOf: (story: FoldedStory) => readonly string[]): StoryTest {
  const wanted = folded(value);
  return (story) => textsOf(foldedStory(story)).includes(wanted);
}

/** By whole name, one word of it, or initials; `me` is whoever asks. */
function isPerson(value: string, part: 'requester' | 'owner'): StoryTest {
  const wanted = folded(value);
  return (story, { me, initials }) => {
    const name = part === 'owner' ? story.ownedBy : story.requestedBy;
    if (name === undefined) return false;
    const names = foldedStory(story)[part];
    if (me !== undefined && wanted === 'me') return names[0] === folded(me);
    return names.includes(wanted) || folded(initials?.get(name) ?? '') === wanted;
  };
}

/** What waits for a person: stories of theirs not yet accepted, and delivered ones they asked for. */
function isWorkOf(value: string): StoryTest {
  const [isOwner, isRequester] = [isPerson(value, 'owner'), isPerson(value, 'requester')];
  return (story, context) => {
    const isOpen = ['unscheduled', 'unstarted'].includes(story.state) || isInProgress(story.state);
    if (isOpen && isOwner(story, context)) return true;
    return story.state === 'delivered' && isRequester(story, context);
  };
}

function isTicket(value: string): StoryTest {
  const wanted = folded(value);
  return (story) => foldedStory(story).ticket?.id === wanted;
}

/** By the name or kind of the integration, or by what its tickets are called in a story: `jira` for `jira_id`. */
function isIntegration(value: string): StoryTest {
  const wanted = folded(value);
  return (story, { integrations }) => {
    const names = integrations?.get(story.ticket?.integrationId ?? 0) ?? [];
    return story.ticket !== undefined && (names.includes(wanted) || foldedStory(story).ticket?.prefix === wanted);
  };
}

function since(value: string, timesOf: (story: Story) => readonly (number | undefined)[]): StoryTest {
  const start = filterDay(value);
  return (story, { now }) => timesOf(story).some((time) => time !== undefined && time >= start(now));
}

function claim(value: string, key: string, holds: (story: Story) => boolean): StoryTest {
  const wanted = claimed(value, key);
  return (story) => holds(story) === wanted;
}
