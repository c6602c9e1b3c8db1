import assert from 'node:assert/strict';
import fc from 'fast-check';
import { generateKeyBetween, generateNKeysBetween } from 'fractional-indexing';
import type { IterationOverride, PlanningRules } from '../../../../src/core/backlog/plannedIteration.ts';
import { type Plan, plan } from '../../../../src/core/backlog/planning.ts';
import { isScheduled } from '../../../../src/core/backlog/workflow.ts';
import type { BacklogLists } from '../../../../src/core/replica/replica.ts';
import type { Project } from '../../../../src/core/story/project.ts';
import type { Story } from '../../../../src/core/story/story.ts';
import { digestOf, listsLaidOut } from '../../../../src/sync/replica/laidOutLists.ts';
import { placesAfter, placesOf, readPlaces, writePlaces } from '../../../../src/sync/replica/places.ts';
import { zonedDate } from '../../../../src/v3/dates.ts';
import { aDate, aProject, aStory, without } from '../../../support/builders/builders.ts';

const DAY = 86_400_000;
const NOW = Date.parse('2026-03-18T10:00:00Z');
const STATES = ['unscheduled', 'unstarted', 'started', 'finished', 'delivered', 'rejected', 'accepted'];

interface Change {
  readonly kind: 'state' | 'estimate' | 'move' | 'create' | 'remove';
  readonly index: number;
  readonly to: number;
  readonly state: string;
  readonly estimate: number;
}

const state = fc.constantFrom(...STATES);
const estimate = fc.integer({ min: -1, max: 8 });
const drawnStory = fc.record({ state, estimate, daysAgo: fc.integer({ min: 0, max: 25 }) });
const change = fc.record<Change>({
  kind: fc.constantFrom('state', 'estimate', 'move', 'create', 'remove'),
  ...{ index: fc.nat(), to: fc.nat(), state, estimate },
});
const override = fc.tuple(
  fc.integer({ min: 1, max: 5 }),
  fc.record<IterationOverride>({ teamStrength: fc.constantFrom(0.5, 1, 1.5), length: fc.constantFrom(1, 2) }),
);
const world = fc.record({
  stories: fc.array(drawnStory, { maxLength: 25 }),
  changes: fc.array(change, { minLength: 1, maxLength: 3 }),
  overrides: fc.array(override, { maxLength: 2 }),
  iterationLength: fc.constantFrom(1, 2),
  initialVelocity: fc.integer({ min: 1, max: 12 }),
});

/** The project's stories in priority order, the icebox last, as a service keeps them. */
type Kept = readonly Story[];

function kept(drawn: readonly { state: string; estimate: number; daysAgo: number }[]): Kept {
  const ranks = generateNKeysBetween(null, null, drawn.length);
  return drawn.map(({ daysAgo, ...fields }, index) => {
    const acceptedAt = fields.state === 'accepted' ? { acceptedAt: zonedDate(NOW - daysAgo * DAY) } : {};
    return aStory({ id: index + 1, ...fields, ...acceptedAt, rank: ranks[index] ?? '' });
  });
}

function inOrder(stories: Kept): Kept {
  const key = ({ state, rank = '' }: Story) => `${isScheduled(state) ? 0 : 1} ${rank}`;
  return stories.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

function changed(stories: Kept, { kind, index, to, ...fields }: Change): Kept {
  const story = stories[index % Math.max(1, stories.length)];
  const others = stories.filter((one) => one !== story);
  if (kind === 'create' || !story) {
    const rank = generateKeyBetween(
      stories
        .map((one) => one.rank ?? '')
        .toSorted()
        .at(-1) ?? null,
      null,
    );
    return [...stories, aStory({ id: 1000 + stories.length, state: 'unstarted', estimate: fields.estimate, rank })];
  }
  if (kind === 'remove') return others;
  if (kind === 'estimate') return [...others, { ...story, estimate: fields.estimate }];
  if (kind === 'state') {
    const accepted = fields.state === 'accepted' ? { acceptedAt: zonedDate(NOW) } : {};
    return [...others, { ...without(story, 'acceptedAt'), state: fields.state, ...accepted }];
  }
  const ranks = others.map(({ rank = '' }) => rank).toSorted();
  const place = to % (ranks.length + 1);
  return [...others, { ...story, rank: generateKeyBetween(ranks[place - 1] ?? null, ranks[place] ?? null) }];
}

function planOf(stories: Kept, rules: PlanningRules): Plan<ReturnType<typeof toPlan>> {
  return plan(inOrder(stories).map(toPlan), rules, NOW);
}

function toPlan({ id, state, estimate, acceptedAt }: Story) {
  return { id, state, estimate, acceptedAt: acceptedAt?.time };
}

function listsOfPlan({ current, backlog, icebox }: ReturnType<typeof planOf>): BacklogLists {
  const ids = (stories: readonly { readonly id: number }[]) => stories.map(({ id }) => id);
  const iterations = [current, ...backlog].map(({ number, start, finish, teamStrength, stories }) => ({
    ...{ id: number, number, start: zonedDate(start), finish: zonedDate(finish), teamStrength },
    storyIds: ids(stories),
  }));
  return { iterations, icebox: ids(icebox), done: [] };
}

describe('A plan made here', () => {
  it('is what the service makes of the same stories, after any few of them changed', () => {
    let compared = 0;
    fc.assert(
      fc.property(world, ({ stories: drawn, changes, overrides, iterationLength, initialVelocity }) => {
        const rules = {
          ...{ iterationLength, initialVelocity, weekStartDay: 'Monday', averagedIterations: 3 },
          ...{ startAt: NOW - 30 * DAY, overrides: new Map(overrides) },
        };
        const before = kept(drawn);
        const [held, after] = [planOf(before, rules), changes.reduce(changed, before)];
        const known = listsOfPlan(held);
        const expected = planOf(after, rules);
        const last = known.iterations.at(-1)?.number ?? 0;
        if ([...rules.overrides.keys()].some((number) => number > last)) return;
        if (expected.velocity !== held.velocity || expected.done.length !== held.done.length) return;
        compared++;
        const project: Project = aProject({
          ...{ iterationLength, currentVelocity: held.velocity, currentIterationNumber: held.current.number },
        });
        const doneIds = new Set(held.done.flatMap(({ stories }) => stories.map(({ id }) => id)));
        const nowDone = new Set(expected.done.flatMap(({ stories }) => stories.map(({ id }) => id)));
        const places = placesOf(before.filter(({ id }) => !doneIds.has(id))) ?? [];
        const touched = after.filter((story) => !before.includes(story) && !nowDone.has(story.id));

        const isGone = ({ id }: Story) => nowDone.has(id) || !after.some((one) => one.id === id);
        const left = new Set(before.filter(isGone).map(({ id }) => id));
        const now = placesAfter(readPlaces(writePlaces(places)), touched, left) ?? [];
        const made = listsLaidOut(known.iterations, project, now);
        const { iterations, icebox } = listsOfPlan(expected);
        assert.deepEqual(made, { iterations, icebox });
        assert.equal(made && digestOf(made), digestOf({ iterations, icebox }));
      }),
      { numRuns: 1000 },
    );
    assert.ok(compared > 300, `${compared} were compared`);
  });

  it('is none for another iteration, without dates, or without a velocity', () => {
    const current = { id: 3, number: 3, storyIds: [1], start: aDate('2026-03-16T00:00:00Z') };
    const places = placesOf([aStory({ id: 1, rank: 'a0' })]) ?? [];
    assert.notEqual(listsLaidOut([current], aProject(), places), undefined);
    assert.equal(listsLaidOut([current], aProject({ currentIterationNumber: 4 }), places), undefined);
    assert.equal(listsLaidOut([{ id: 3, number: 3, storyIds: [1] }], aProject(), places), undefined);
    assert.equal(listsLaidOut([current], without(aProject(), 'currentVelocity'), places), undefined);
    assert.equal(listsLaidOut([], aProject(), places), undefined);
  });

  it('needs the rank of every story', () => {
    assert.equal(placesOf([aStory({ id: 1, rank: 'a0' }), aStory({ id: 2 })]), undefined);
    assert.equal(placesAfter([], [aStory()], new Set()), undefined);
  });
});
