import assert from 'node:assert/strict';
import type { Backlog } from '../../../../../src/core/backlog/backlog.ts';
import type { Story } from '../../../../../src/core/story/story.ts';
import { shownProject } from '../../../../../src/features/stories/tree/shownProject.ts';
import { ShownProjects } from '../../../../../src/features/stories/tree/shownProjects.ts';
import { TreeFilter } from '../../../../../src/features/stories/tree/treeFilter.ts';
import { type TreeShape, wholeTree } from '../../../../../src/features/stories/tree/treeShape.ts';
import { type Steps, stepwise } from '../../../../../src/host/shell/turnBudget.ts';
import { aBakeryBacklog, iterationOf } from '../../../../support/builders/bakery.ts';
import { aStory } from '../../../../support/builders/builders.ts';
import { key } from './treeBench.ts';

const COUNT = 5000;
/** Stories that are looked at in one step. */
const STEP = 256;

/** A backlog that counts how often its stories are looked at. */
function watched(): { readonly backlog: Backlog; readonly looks: () => number } {
  let looks = 0;
  const story = (id: number): Story =>
    new Proxy(aStory({ id, type: id % 2 ? 'bug' : 'feature', labels: [`label ${id % 7}`] }), {
      get: (target, field, receiver) => {
        if (field === 'id' || field === 'type' || field === 'labels') looks += 1;
        return Reflect.get(target, field, receiver);
      },
    });
  const stories = (from: number) => Array.from({ length: COUNT }, (_, index) => story(from + index));
  const iterations = [iterationOf(12, stories(1))];
  return { backlog: aBakeryBacklog({ done: [], iterations, icebox: stories(COUNT + 1) }), looks: () => looks };
}

function filter(text: string): TreeFilter {
  return new TreeFilter(text, () => ({ now: 0 }));
}

function mostInOneStep(steps: Steps<unknown>, looks: () => number): { readonly most: number; readonly steps: number } {
  let [most, count, before] = [0, 0, looks()];
  for (let step = steps.next(); !step.done; step = steps.next()) {
    most = Math.max(most, looks() - before);
    before = looks();
    count += 1;
  }
  return { most: Math.max(most, looks() - before), steps: count };
}

function assertSliced(shape: Partial<TreeShape>, looksAtEach: number): void {
  const { backlog, looks } = watched();
  const { most, steps } = mostInOneStep(shownProject(key, backlog, { ...wholeTree, ...shape }), looks);
  assert.ok(most <= STEP * looksAtEach, `${most} looks in one step`);
  assert.ok(steps >= (2 * COUNT) / STEP, `${steps} steps`);
}

describe('Long backlogs are worked out in steps', () => {
  it('by iteration, filtered or not', () => {
    assertSliced({}, 1);
    assertSliced({ filter: filter('type:bug') }, 1);
  });

  it('by what stories have in common, filtered or not', () => {
    assertSliced({ groupBy: 'label' }, 3);
    assertSliced({ groupBy: 'type', filter: filter('type:bug') }, 3);
  });

  it('for saved filters', () => {
    const saved = ['type:bug', 'label:"label 3"'].map((text) => ({ name: text, text, filter: filter(text) }));
    assertSliced({ saved }, 3);
  });
});

describe('ShownProjects', () => {
  it('drops what was overtaken', async () => {
    let backlog = aBakeryBacklog();
    const shown = new ShownProjects(() => backlog);
    const first = shown.prepare(key);
    backlog = aBakeryBacklog({ icebox: [] });
    const second = shown.prepare(key);
    await first;
    assert.equal(shown.get(key)?.backlog, backlog);
    await second;
    assert.equal(shown.get(key)?.backlog, backlog);
  });

  it('is of the last shape when two come at once', async () => {
    const backlog = aBakeryBacklog();
    const shown = new ShownProjects(() => backlog);
    const one = shown.reshape({ ...wholeTree, groupBy: 'state' }, [key]);
    const other = shown.reshape({ ...wholeTree, groupBy: 'type' }, [key]);
    assert.deepEqual(await Promise.all([one, other]), [false, true]);
    assert.equal(shown.get(key)?.shape.groupBy, 'type');
  });

  it('works nothing out twice', async () => {
    const backlog = aBakeryBacklog();
    const shown = new ShownProjects(() => backlog);
    await shown.prepare(key);
    const before = shown.get(key);
    await shown.prepare(key);
    assert.equal(shown.get(key), before);
  });
});

describe('stepwise', () => {
  it('gives the result, and nothing once it is told to stop', async () => {
    function* work(): Steps<string> {
      yield;
      return 'done';
    }
    assert.equal(await stepwise(work()), 'done');
    assert.equal(await stepwise(work(), AbortSignal.abort()), undefined);
  });
});
