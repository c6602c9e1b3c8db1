import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { IterationOverride, PlannedStory, PlanningRules } from '../../../../src/core/backlog/plannedIteration.ts';
import { type Plan, plan } from '../../../../src/core/backlog/planning.ts';
import { averagedIterations, velocityScheme } from '../../../../src/core/backlog/velocity.ts';

const DAY = 86_400_000;
const MONDAY = Date.UTC(2026, 10, 16);
const NOW = MONDAY + 2 * DAY;

const rules: PlanningRules = {
  iterationLength: 1,
  weekStartDay: 'Monday',
  averagedIterations: 3,
  initialVelocity: 3,
};

function accepted(id: number, estimate: number | null, daysAgo: number): PlannedStory {
  return { id, state: 'accepted', estimate, acceptedAt: NOW - daysAgo * DAY };
}

const open = (id: number, estimate: number | null, state = 'unstarted'): PlannedStory => ({ id, state, estimate });

/** Done iterations, `current`, backlog and `icebox` as rows of story ids. */
function rowsOf({ done, current, backlog, icebox }: Plan<PlannedStory>): string {
  const ids = (stories: readonly PlannedStory[]) => stories.map(({ id }) => id).join(' ');
  return [
    ...done.map((one) => `done ${one.number}: ${ids(one.stories)}`),
    `current ${current.number}: ${ids(current.stories)}`,
    ...backlog.map((one) => `backlog ${one.number}: ${ids(one.stories)}`),
    `icebox: ${ids(icebox)}`,
  ].join('\n');
}

function assertPlan(stories: readonly PlannedStory[], given: Partial<PlanningRules>, ...expected: string[]): void {
  assert.equal(rowsOf(plan(stories, { ...rules, ...given }, NOW)), expected.join('\n'));
}

function assertVelocity(stories: readonly PlannedStory[], given: Partial<PlanningRules>, expected: number): void {
  assert.equal(plan(stories, { ...rules, ...given }, NOW).velocity, expected);
}

const teamStrength = (strengths: Readonly<Record<number, number>>): ReadonlyMap<number, IterationOverride> =>
  new Map(Object.entries(strengths).map(([number, strength]) => [Number(number), { teamStrength: strength }]));

describe('planning iterations', () => {
  it('fills them by velocity in the order of priority', () => {
    assertPlan(
      [open(1, 2), open(2, 1), open(3, 2), open(4, 2), open(5, 1)],
      {},
      'current 1: 1 2',
      'backlog 2: 3',
      'backlog 3: 4 5',
      'icebox: ',
    );
  });

  it('gives the points of an iteration to one story that is larger than the velocity', () => {
    assertPlan([open(1, 8), open(2, null), open(3, 1)], {}, 'current 1: 1 2', 'backlog 2: 3', 'icebox: ');
    assertPlan([open(1, 8), open(2, 1), open(3, 8)], {}, 'current 1: 1', 'backlog 2: 2', 'backlog 3: 3', 'icebox: ');
  });

  it('takes stories without points along in their order', () => {
    assertPlan(
      [open(1, 3), open(2, null), open(3, 0), open(4, 1), open(5, null)],
      {},
      'current 1: 1 2 3',
      'backlog 2: 4 5',
      'icebox: ',
    );
  });

  it('keeps what is in progress in the current iteration, whatever its rank and points', () => {
    assertPlan(
      [open(1, 2), open(2, 2), open(3, 2, 'started'), open(4, 0, 'rejected'), open(5, 9, 'delivered')],
      {},
      'current 1: 3 4 5',
      'backlog 2: 1',
      'backlog 3: 2',
      'icebox: ',
    );
  });

  it('puts what was accepted into the iteration of its acceptance, first in the current one', () => {
    assertPlan(
      [open(1, 1), accepted(2, 1, 1), accepted(3, 2, 8), accepted(4, 1, 16), open(5, 1)],
      {},
      'done 1: 4',
      'done 2: 3',
      'current 3: 2',
      'backlog 4: 1',
      'backlog 5: 5',
      'icebox: ',
    );
  });

  it('counts the moment in which an iteration starts to it', () => {
    const atStart = { id: 1, state: 'accepted', acceptedAt: MONDAY };
    assertPlan([atStart], { startAt: MONDAY - 1 }, 'done 1: ', 'current 2: 1', 'icebox: ');
    assert.equal(plan([], { ...rules, startAt: MONDAY - 1 }, MONDAY).current.number, 2);
  });

  it('knows iterations in which nothing was accepted', () => {
    assertPlan([accepted(1, 1, 22)], {}, 'done 1: 1', 'done 2: ', 'done 3: ', 'current 4: ', 'icebox: ');
    assertPlan([], { startAt: NOW - 10 * DAY }, 'done 1: ', 'done 2: ', 'current 3: ', 'icebox: ');
  });

  it('keeps the icebox apart and counts unknown states as unstarted', () => {
    assertPlan(
      [open(1, 1, 'unscheduled'), open(2, 1, 'paused'), open(3, 1, 'unscheduled')],
      {},
      'current 1: 2',
      'icebox: 1 3',
    );
  });

  it('loses nothing that was accepted before the start, in the future or at no known time', () => {
    assertPlan(
      [accepted(1, 1, 8), accepted(2, 1, -30), { id: 3, state: 'accepted', acceptedAt: null }],
      { startAt: NOW },
      'done 1: 1',
      'current 2: 2 3',
      'icebox: ',
    );
    assertPlan([open(1, 1)], { startAt: NOW + 30 * DAY }, 'current 1: 1', 'icebox: ');
  });

  it('has the first iteration begin with a start that is to come, which is the current one until then', () => {
    const startAt = MONDAY + 30 * DAY;
    const { done, current, backlog } = plan([open(1, 3), open(2, 3)], { ...rules, startAt }, NOW);
    assert.deepEqual(
      [done.length, current.number, current.start, current.finish],
      [...[0, 1, MONDAY + 28 * DAY, MONDAY + 35 * DAY]],
    );
    assert.equal(backlog[0]?.start, current.finish);
    assert.equal(plan([], { ...rules, startAt }, MONDAY + 35 * DAY).current.number, 2);
    assert.equal(plan([accepted(1, 3, 0)], { ...rules, startAt }, NOW).current.start, MONDAY, 'begun before');
  });

  it('starts iterations at midnight UTC on the week start day', () => {
    const starting = (weekStartDay: string) => plan([], { ...rules, weekStartDay }, NOW).current.start;
    assert.equal(starting('Monday'), MONDAY);
    assert.equal(starting(' wednesday '), MONDAY + 2 * DAY);
    assert.equal(starting('Thursday'), MONDAY - 4 * DAY);
    assert.equal(starting('Someday'), MONDAY);
    assert.equal(plan([], rules, MONDAY).current.start, MONDAY);
    assert.equal(plan([], rules, MONDAY - 1).current.start, MONDAY - 7 * DAY);
    assert.equal(plan([], rules, -1).current.start, Date.UTC(1969, 11, 29));
  });

  it('gives iterations their own length', () => {
    const { done, current } = plan(
      [accepted(1, 1, 30)],
      { ...rules, iterationLength: 2, overrides: new Map([[2, { length: 1 }]]) },
      NOW,
    );
    const weeks = [...done, current].map(({ start, finish }) => (finish - start) / (7 * DAY));
    assert.deepEqual(weeks, [2, 1, 2]);
  });

  it('plans nothing unstarted into the current one in commit mode, whatever room there is', () => {
    assertPlan(
      [open(1, 1), open(2, 1, 'started'), open(3, null), open(4, 3), accepted(5, 1, 1)],
      { commitMode: true },
      'current 1: 5 2',
      'backlog 2: 1 3',
      'backlog 3: 4',
      'icebox: ',
    );
    assertPlan([], { commitMode: true }, 'current 1: ', 'icebox: ');
  });

  it('leaves stories out of iterations without a team', () => {
    assertPlan(
      [open(1, 3), open(2, 3), open(3, 3)],
      { overrides: teamStrength({ 2: 0, 3: 0.5 }) },
      'current 1: 1',
      'backlog 2: ',
      'backlog 3: 2',
      'backlog 4: 3',
      'icebox: ',
    );
  });
});

describe('velocity', () => {
  it('is the initial one before an iteration is done', () => {
    assertVelocity([accepted(1, 50, 0)], { initialVelocity: 7 }, 7);
    assertVelocity([], { initialVelocity: 0 }, 1);
  });

  it('is the initial one until something was accepted in an iteration that is done, whenever the project started', () => {
    const startAt = NOW - 30 * DAY;
    assertVelocity([open(1, 3)], { startAt, initialVelocity: 7 }, 7);
    assertVelocity([accepted(1, 50, 0)], { startAt, initialVelocity: 7 }, 7);
    assertVelocity([accepted(1, 6, 8)], { startAt, initialVelocity: 7 }, 2);
    assertVelocity([accepted(1, 6, 29)], { startAt, initialVelocity: 7 }, 1);
  });

  it('is the average over the last done iterations, rounded down, at least 1', () => {
    const history = [accepted(1, 90, 29), accepted(2, 5, 22), accepted(3, 5, 15), accepted(4, 1, 8)];
    assertVelocity(history, {}, 3);
    assertVelocity(history, { averagedIterations: 1 }, 1);
    assertVelocity(history, { averagedIterations: 9 }, 25);
    assertVelocity([accepted(1, null, 8)], {}, 1);
  });

  it('counts iterations by team strength and length', () => {
    const history = [accepted(1, 6, 15), accepted(2, 3, 8)];
    assertVelocity(history, { overrides: teamStrength({ 2: 0.5 }) }, 6);
    assertVelocity(history, { overrides: teamStrength({ 2: 0 }) }, 9);
    assertVelocity([accepted(1, 6, 8)], { overrides: teamStrength({ 1: 0 }) }, 3);
    assertVelocity([accepted(1, 6, 8)], { overrides: new Map([[1, { length: 2 }]]), startAt: NOW - 14 * DAY }, 3);
  });

  it('looks beyond iterations without a team, since who was away is no slower than before', () => {
    const history = [accepted(1, 90, 43), accepted(2, 6, 36), accepted(3, 6, 29)];
    assertVelocity(history, { overrides: teamStrength({ 4: 0, 5: 0, 6: 0 }), averagedIterations: 2 }, 6);
    assertVelocity(history, { overrides: teamStrength({ 2: 0, 4: 0, 5: 0, 6: 0 }), averagedIterations: 2 }, 51);
    assertVelocity(history, { overrides: teamStrength({ 4: 0, 5: 0, 6: 0 }), averagedIterations: 9 }, 34);
  });

  it('is whole where it is whole, though strengths such as 0.8 are not in binary', () => {
    const history = [accepted(1, 8, 22), accepted(2, 8, 15), accepted(3, 8, 8)];
    assertVelocity(history, { overrides: teamStrength({ 1: 0.8, 2: 0.8, 3: 0.8 }) }, 10);
    const { current } = plan(
      [accepted(1, 100, 8), open(2, 57)],
      { ...rules, overrides: teamStrength({ 2: 0.57 }) },
      NOW,
    );
    assert.deepEqual(
      current.stories.map(({ id }) => id),
      [2],
    );
  });

  it('is averaged over as many iterations as the scheme says', () => {
    assert.equal(averagedIterations('Average of 2 iterations'), 2);
    assert.equal(averagedIterations('Average of 10 iterations'), 10);
    assert.equal(averagedIterations('Average of 0 iterations'), 1);
    assert.equal(averagedIterations(undefined), 3);
    assert.equal(averagedIterations(velocityScheme(4)), 4);
    assert.equal(averagedIterations('as the wind blows'), 3);
  });
});

const aState = fc.constantFrom(
  'unscheduled',
  'unstarted',
  'started',
  'finished',
  'delivered',
  'rejected',
  'accepted',
  'x',
);
const stories = fc
  .array(
    fc.record({
      state: aState,
      estimate: fc.option(fc.integer({ min: -1, max: 8 })),
      acceptedAt: fc.option(fc.integer({ min: NOW - 60 * DAY, max: NOW + DAY })),
    }),
    { maxLength: 60 },
  )
  .map((list): readonly PlannedStory[] => list.map((story, index) => ({ ...story, id: index + 1 })));
const overrides = fc
  .array(
    fc.tuple(
      fc.integer({ min: 1, max: 14 }),
      fc.record(
        { teamStrength: fc.constantFrom(0, 0.2, 1, 1.5), length: fc.integer({ min: 1, max: 4 }) },
        { requiredKeys: [] },
      ),
    ),
  )
  .map((list) => new Map(list));
const anyRules = fc.record({
  iterationLength: fc.integer({ min: 1, max: 4 }),
  weekStartDay: fc.constantFrom('Monday', 'Sunday', 'Friday'),
  averagedIterations: fc.integer({ min: 1, max: 4 }),
  initialVelocity: fc.integer({ min: 0, max: 20 }),
  overrides,
  commitMode: fc.boolean(),
});

describe('any plan', () => {
  it('has every story once, each list in the order of priority', () => {
    fc.assert(
      fc.property(stories, anyRules, (given, some) => {
        const { done, current, backlog, icebox } = plan(given, some, NOW);
        const iterations = [...done, current, ...backlog];
        const all = [...iterations.flatMap((one) => one.stories), ...icebox].map(({ id }) => id);
        assert.deepEqual(
          all.toSorted((a, b) => a - b),
          given.map(({ id }) => id),
        );
        const isInOrder = (list: readonly PlannedStory[]) =>
          list.every(({ id }, index) => index === 0 || id > (list[index - 1]?.id ?? 0));
        const justAccepted = current.stories.filter(({ state }) => state === 'accepted');
        const rest = current.stories.filter(({ state }) => state !== 'accepted');
        assert.deepEqual([...justAccepted, ...rest], current.stories);
        const waiting = [current, ...backlog].flatMap((one) =>
          one.stories.filter(({ state }) => state === 'unstarted'),
        );
        for (const list of [...done.map((one) => one.stories), justAccepted, rest, waiting, icebox])
          assert.ok(isInOrder(list));
      }),
      { numRuns: 500 },
    );
  });

  it('joins its iterations without a gap, numbered from 1, now in the current one', () => {
    fc.assert(
      fc.property(stories, anyRules, (given, some) => {
        const { done, current, backlog } = plan(given, some, NOW);
        const iterations = [...done, current, ...backlog];
        assert.deepEqual(
          iterations.map(({ number }) => number),
          iterations.map((_, index) => index + 1),
        );
        for (const [index, { finish, start }] of iterations.entries()) {
          assert.ok(finish > start && (finish - start) % (7 * DAY) === 0);
          assert.equal(iterations[index + 1]?.start ?? finish, finish);
        }
        assert.ok(current.start <= NOW && NOW < current.finish);
        for (const { start, finish, stories: inIt } of done) {
          assert.ok(inIt.every(({ acceptedAt }) => (acceptedAt ?? 0) >= start && (acceptedAt ?? 0) < finish));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the backlog within velocity, and starts an iteration only when the next story did not fit', () => {
    fc.assert(
      fc.property(stories, anyRules, (given, some) => {
        const { velocity, backlog } = plan(given, some, NOW);
        const pointsOf = (story: PlannedStory) => Math.max(0, story.estimate ?? 0);
        for (const [index, { stories: inIt, share }] of backlog.entries()) {
          const capacity = share === 0 ? 0 : Math.max(1, Math.floor(velocity * share));
          const pointed = inIt.map(pointsOf).filter((points) => points > 0);
          const points = pointed.reduce((sum, more) => sum + more, 0);
          assert.ok(points <= capacity || (pointed.length === 1 && capacity > 0));
          const next = backlog.slice(index + 1).find((one) => one.stories.length > 0)?.stories[0];
          if (next) assert.ok(points + pointsOf(next) > capacity && (points > 0 || capacity === 0));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the current iteration within velocity, but for what was begun or is too large for any, and leaves no room', () => {
    fc.assert(
      fc.property(stories, anyRules, (given, some) => {
        const { velocity, current, backlog } = plan(given, some, NOW);
        const pointsOf = (story: PlannedStory) => Math.max(0, story.estimate ?? 0);
        const isWaiting = ({ state }: PlannedStory) => state === 'unstarted' || state === 'x';
        const sum = (list: readonly PlannedStory[]) => list.reduce((points, story) => points + pointsOf(story), 0);
        const capacity = current.share === 0 ? 0 : Math.max(1, Math.floor(velocity * current.share));
        const planned = current.stories.filter(isWaiting);
        const total = sum(current.stories);
        assert.equal(current.points, total);
        if (some.commitMode) return assert.deepEqual(planned, []);
        const isOneTooLarge = planned.filter((story) => pointsOf(story) > 0).length === 1 && sum(planned) === total;
        assert.ok(sum(planned) === 0 || total <= capacity || (isOneTooLarge && capacity > 0));
        const next = backlog.find((one) => one.stories.length > 0)?.stories[0];
        if (next) assert.ok(pointsOf(next) > 0 && total + pointsOf(next) > capacity && (total > 0 || capacity === 0));
      }),
      { numRuns: 500 },
    );
  });

  it('is the same for a story whatever comes after it', () => {
    fc.assert(
      fc.property(stories, anyRules, fc.nat(60), (given, some, count) => {
        const unaccepted = given.filter(({ state }) => state === 'unstarted');
        const iterationsOf = (list: readonly PlannedStory[]) => {
          const { current, backlog } = plan(list, some, NOW);
          return [current, ...backlog].flatMap((one) => one.stories.map(({ id }) => [id, one.number]));
        };
        const first = unaccepted.slice(0, count);
        assert.deepEqual(iterationsOf(first), iterationsOf(unaccepted).slice(0, first.length));
      }),
      { numRuns: 200 },
    );
  });

  it('can be large', () => {
    const many = Array.from({ length: 100_000 }, (_, index) =>
      index % 2 === 0 ? open(index, index % 5) : accepted(index, 1, index % 3000),
    );
    const { done, current, backlog } = plan(many, rules, NOW);
    const count = [...done, current, ...backlog].reduce((sum, one) => sum + one.stories.length, 0);
    assert.equal(count, many.length);
  });
});
