import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  finishedState,
  isEstimatable,
  isScheduled,
  isStarted,
  needsEstimate,
  nextActions,
  stateAfterCommit,
  statesOf,
  storyStates,
  storyTypes,
} from '../../../../src/core/backlog/workflow.ts';
import { type MarkerEffect, markerEffects } from '../../../../src/core/marker/markerSyntax.ts';

const usual = { bugsAndChoresAreEstimatable: false };
const allEstimated = { bugsAndChoresAreEstimatable: true };

function assertActions(type: string, state: string, expected: string, estimate?: number): void {
  const story = { type, state, ...(estimate !== undefined && { estimate }) };
  const actions = nextActions(story, usual).map((one) => `${one.action} → ${one.state}`);
  assert.equal(actions.join(', '), expected, `${type} ${state}`);
}

function assertCommitted(type: string, state: string, effect: MarkerEffect, expected: string, estimate = 1): void {
  assert.equal(stateAfterCommit({ type, state, estimate }, effect, usual), expected, `${type} ${state} ${effect}`);
}

describe('what can be estimated', () => {
  it('is features always, bugs and chores by the project, releases never', () => {
    const estimatable = (project: typeof usual) => storyTypes.filter((type) => isEstimatable(type, project));
    assert.deepEqual(estimatable(usual), ['feature']);
    assert.deepEqual(estimatable(allEstimated), ['feature', 'bug', 'chore']);
    assert.equal(isEstimatable('feature', {}), true);
    assert.equal(isEstimatable('epic', allEstimated), false);
  });

  it('must be before it starts', () => {
    for (const state of ['started', 'finished', 'delivered', 'accepted', 'rejected']) {
      assert.ok(needsEstimate('feature', state, -1, usual), state);
      assert.ok(needsEstimate('feature', state, undefined, usual), state);
      assert.ok(needsEstimate('bug', state, null, allEstimated), state);
      assert.ok(!needsEstimate('bug', state, -1, usual), state);
      assert.ok(!needsEstimate('feature', state, 0, usual), state);
    }
    assert.ok(!needsEstimate('feature', 'unstarted', -1, usual));
    assert.ok(!needsEstimate('feature', 'unscheduled', -1, usual));
  });
});

describe('the states of a story', () => {
  it('are those of its type', () => {
    assert.deepEqual(statesOf('chore'), ['unscheduled', 'unstarted', 'started', 'accepted']);
    assert.deepEqual(statesOf('release'), ['unscheduled', 'unstarted', 'accepted']);
    assert.deepEqual(statesOf('feature').toSorted(), storyStates.toSorted());
    assert.deepEqual(statesOf('epic'), []);
    assert.deepEqual(statesOf('constructor'), []);
  });

  it('tell scheduled and started ones', () => {
    assert.deepEqual(
      storyStates.filter((state) => !isScheduled(state)),
      ['unscheduled'],
    );
    assert.deepEqual(
      storyStates.filter((state) => !isStarted(state)),
      ['unscheduled', 'unstarted'],
    );
  });
});

describe('next actions', () => {
  it('lead a feature or a bug from start to acceptance', () => {
    for (const type of ['feature', 'bug']) {
      assertActions(type, 'unscheduled', 'start → started', 1);
      assertActions(type, 'unstarted', 'start → started', 1);
      assertActions(type, 'started', 'finish → finished', 1);
      assertActions(type, 'finished', 'deliver → delivered', 1);
      assertActions(type, 'delivered', 'accept → accepted, reject → rejected', 1);
      assertActions(type, 'rejected', 'restart → started', 1);
      assertActions(type, 'accepted', '', 1);
    }
  });

  it('take the short ways of chores and releases', () => {
    assertActions('chore', 'unstarted', 'start → started');
    assertActions('chore', 'started', 'finish → accepted');
    assertActions('chore', 'accepted', '');
    assertActions('release', 'unstarted', 'finish → accepted');
  });

  it('are none before the estimate, for unknown types and for unknown states', () => {
    assertActions('feature', 'unstarted', '', -1);
    assertActions('feature', 'unstarted', '');
    assertActions('bug', 'unstarted', 'start → started', -1);
    assertActions('epic', 'unstarted', '');
    assertActions('bug', 'paused', '');
    assertActions('bug', 'constructor', '');
    assertActions('chore', 'delivered', '');
  });

  it('lead only to states of the type', () => {
    for (const type of storyTypes) {
      for (const state of storyStates) {
        const actions = nextActions({ type, state, estimate: 1 }, allEstimated);
        assert.ok(actions.every((action) => statesOf(type).includes(action.state) && action.state !== state));
      }
    }
  });
});

describe('a commit that names a story', () => {
  it('starts an unstarted one', () => {
    assertCommitted('feature', 'unstarted', 'comment', 'started');
    assertCommitted('chore', 'unstarted', 'comment', 'started');
    for (const state of storyStates) {
      if (state !== 'unstarted') assertCommitted('bug', state, 'comment', state);
    }
    assertCommitted('release', 'unstarted', 'comment', 'unstarted');
  });

  it('finishes or delivers it', () => {
    assertCommitted('feature', 'unscheduled', 'finish', 'finished');
    assertCommitted('feature', 'started', 'finish', 'finished');
    assertCommitted('bug', 'rejected', 'finish', 'finished');
    assertCommitted('bug', 'started', 'deliver', 'delivered');
    assertCommitted('bug', 'finished', 'deliver', 'delivered');
  });

  it('accepts chores and releases', () => {
    assertCommitted('chore', 'unstarted', 'finish', 'accepted');
    assertCommitted('chore', 'started', 'deliver', 'accepted');
    assertCommitted('release', 'unstarted', 'finish', 'accepted');
  });

  it('only comments while the estimate is missing', () => {
    for (const effect of markerEffects) assertCommitted('feature', 'unstarted', effect, 'unstarted', -1);
    assertCommitted('bug', 'unstarted', 'finish', 'finished', -1);
  });

  it('never takes it back', () => {
    assertCommitted('feature', 'finished', 'finish', 'finished');
    assertCommitted('feature', 'delivered', 'finish', 'delivered');
    assertCommitted('feature', 'accepted', 'deliver', 'accepted');
  });

  it('leaves types and states alone that we do not know', () => {
    const anyText = fc.oneof(fc.string(), fc.constantFrom(...storyTypes, ...storyStates));
    fc.assert(
      fc.property(anyText, anyText, fc.constantFrom(...markerEffects), (type, state, effect) => {
        const after = stateAfterCommit({ type, state, estimate: 1 }, effect, usual);
        const known = statesOf(type).map(String);
        if (!storyStates.map(String).includes(state) || known.length === 0) assert.equal(after, state);
        else assert.ok(after === state || known.includes(after));
      }),
    );
  });

  it('finishes, whatever the estimate, what is not finished yet', () => {
    const finished = (type: string, state: string) => finishedState({ type, state });
    assert.equal(finished('feature', 'unstarted'), 'finished');
    assert.equal(finished('bug', 'started'), 'finished');
    assert.equal(finished('chore', 'started'), 'accepted');
    assert.equal(finished('release', 'unstarted'), 'accepted');
    for (const state of ['finished', 'delivered', 'accepted'])
      assert.equal(finished('feature', state), undefined, state);
    assert.equal(finished('feature', 'paused'), 'finished', 'a state that only its server knows');
    assert.equal(finished('epic', 'started'), undefined);
  });
});
