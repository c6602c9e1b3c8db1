import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import type { StandingRun } from '../../../../src/core/moves/formerPositions.ts';
import type { Story } from '../../../../src/core/story/story.ts';
import type { EntryKind, EntryValues, StoredEntry } from '../../../../src/host/story/entryValues.ts';
import { isStoredEntry } from '../../../../src/host/story/storedEntry.ts';
import { aStory } from '../../../support/builders/builders.ts';

const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
/** Without the members that are not there. */
const made = <T extends object>(values: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  values.map((value) => JSON.parse(JSON.stringify(value)));

const id = fc.integer({ min: 1, max: 9_999_999 });
const text = fc.string({ maxLength: 12 });
const date = made(fc.record({ text, time: optional(fc.integer()) }));
const problem = made(
  fc.record({ kind: fc.constantFrom('unreachable', 'unauthorized'), message: text, times: optional(fc.nat()) }),
);
const ids = fc.array(id, { maxLength: 4 });
const texts = fc.array(text, { maxLength: 3 });
const run: fc.Arbitrary<StandingRun> = made(
  fc.record({
    kind: fc.constantFrom('open', 'inProgress', 'icebox'),
    area: fc.constantFrom('scheduled', 'icebox'),
    storyIds: ids,
    above: optional(id),
    below: optional(id),
    beside: optional(fc.record({ place: fc.constantFrom('before', 'after'), targetId: id })),
  }),
) as fc.Arbitrary<StandingRun>;
const runs = fc.array(run, { maxLength: 3 });
const fields = made(
  fc.record({
    name: optional(text),
    description: optional(fc.option(text)),
    estimate: optional(fc.option(fc.integer({ min: -1, max: 8 }))),
    labels: optional(texts),
    ownedBy: optional(fc.option(text)),
    deadline: optional(fc.option(date)),
    ticket: optional(fc.option(fc.record({ externalId: text }))),
  }),
);
const intent = made(
  fc.oneof(
    fc.record({ kind: fc.constant('edit'), storyId: id, edit: fields, known: optional(fields) }),
    fc.record({
      kind: fc.constant('labels'),
      storyId: id,
      change: fc.record({ add: texts, remove: texts }),
      known: texts,
    }),
    fc.record({ kind: fc.constant('task'), storyId: id, taskId: id, complete: fc.boolean() }),
    fc.record({ kind: fc.constant('editTask'), storyId: id, taskId: id, description: text, known: text }),
    fc.record({ kind: fc.constant('moveTask'), storyId: id, taskId: id, position: id }),
  ),
) as fc.Arbitrary<Intent>;
const task = made(fc.record({ id, description: text, complete: fc.boolean(), createdAt: optional(date) }));
const story = made(
  fc.record({ id, name: text, description: optional(text), labels: texts, tasks: fc.array(task, { maxLength: 2 }) }),
).map((values) => aStory(values as Partial<Story>));
const waits = { entryIds: optional(texts), waiting: optional(problem) };

/** Any value of each kind: one that is new does not compile without. */
const values = {
  move: fc.record({
    made: fc.record({ storyIds: ids, now: runs, formerly: runs }),
    isNew: fc.boolean(),
    submission: optional(
      fc.record({ entryIds: texts, waiting: optional(problem), isReplaced: optional(fc.boolean()) }),
    ),
  }),
  edit: fc.record({
    made: fc.array(fc.record({ intent, back: intent, waitingEntries: optional(texts) }), { maxLength: 3 }),
    formerly: runs,
  }),
  thereStories: fc.array(
    fc.record({
      storyId: fc.integer(),
      made: optional(fields.map((all) => ({ ...all, name: 'Bake' }))),
      tasks: optional(fc.array(fc.record({ description: text, complete: fc.boolean() }), { maxLength: 2 })),
      newestOther: optional(id),
      entryId: optional(text),
    }),
    { maxLength: 3 },
  ),
  goneStories: fc.record({
    stories: fc.array(fc.record({ story, waiting: optional(problem), waitingEntries: optional(texts) }), {
      maxLength: 2,
    }),
    places: runs,
  }),
  thereTask: fc.record({ storyId: id, task: fc.record({ taskId: optional(id), description: text, ...waits }) }),
  goneTask: fc.record({
    storyId: id,
    task: fc.record({
      taskId: optional(id),
      description: text,
      complete: optional(fc.boolean()),
      position: optional(id),
      ...waits,
    }),
  }),
  carriedStories: fc.record({
    to: fc.record({ accountId: text, projectId: id }),
    way: fc.constantFrom('back', 'there'),
    carried: fc.record({
      stories: fc.array(story, { maxLength: 2 }),
      places: runs,
      waiting: optional(problem),
      waitingEntries: optional(fc.array(fc.tuple(id, texts), { maxLength: 2 })),
    }),
  }),
} satisfies { readonly [K in EntryKind]: fc.Arbitrary<unknown> };

const kinds = Object.keys(values) as EntryKind[];
const entry: fc.Arbitrary<unknown> = fc.constantFrom(...kinds).chain((kind) =>
  made(
    fc.record({
      kind: fc.constant(kind),
      key: fc.record({ accountId: text, projectId: id }),
      storyIds: ids,
      value: values[kind] as fc.Arbitrary<EntryValues[EntryKind]>,
    }),
  ),
);

/** The ways to every value in it. */
function waysIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([name, one]) => waysIn(one).map((way) => [name, ...way]))];
}

function withOther(value: unknown, [name, ...way]: readonly string[]): unknown {
  // Nothing that is written down is a number between two others, in a list.
  if (name === undefined) return [[0.5]];
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[name] = withOther(copy[name], way);
  return copy;
}

describe('An entry that was written down', () => {
  it('is known again, whatever it is of, and is as it was', () => {
    fc.assert(
      fc.property(entry, (one) => {
        const read: unknown = JSON.parse(JSON.stringify(one));
        assert.ok(isStoredEntry(read), JSON.stringify(one));
        assert.deepEqual(read, one);
      }),
      { numRuns: 500 },
    );
  });

  it('is not taken for one where anything in it has another form', () => {
    fc.assert(
      fc.property(entry, fc.nat(), (one, die) => {
        const ways = waysIn(one).filter((way) => !way.includes('older'));
        const way = ways[die % ways.length] ?? [];
        assert.equal(isStoredEntry(withOther(one, way)), false, `${JSON.stringify(one)} at ${way.join('.')}`);
      }),
      { numRuns: 1000 },
    );
  });

  it('is not taken for one where it is of a kind that is not known', () => {
    const good: StoredEntry = {
      kind: 'thereTask',
      key: { accountId: 'a', projectId: 7 },
      storyIds: [12],
      value: { storyId: 12, task: { description: 'Knead' } },
    };
    assert.ok(isStoredEntry(good));
    for (const other of [null, 3, 'thereTask', [], {}, { ...good, kind: 'thereNote' }, { ...good, kind: 'toString' }])
      assert.equal(isStoredEntry(other), false);
    const edited = (intent: object) => ({
      ...good,
      kind: 'edit',
      value: { made: [{ intent, back: intent }], formerly: [] },
    });
    const task = { kind: 'task', storyId: 12, taskId: 3, complete: true };
    assert.ok(isStoredEntry(edited(task)));
    assert.equal(isStoredEntry(edited({ ...task, kind: 'comment', text: 'Hi' })), false);
  });
});
