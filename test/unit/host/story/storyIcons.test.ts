import assert from 'node:assert/strict';
import { storyStates, storyTypes } from '../../../../src/core/backlog/workflow.ts';
import { storyIcon } from '../../../../src/host/story/storyIcons.ts';

const nameOf = (...story: Parameters<typeof storyIcon>) => storyIcon(...story).dark;

const begun = storyStates.filter((state) => state !== 'unscheduled' && state !== 'unstarted');

describe('Icons of stories', () => {
  it('are one for each type and state that is begun', () => {
    const types = [...storyTypes, 'epic'];
    const states = [...begun, 'unstarted', 'on_hold'];
    const names = types.flatMap((type) => states.map((state) => nameOf(type, state, false)));
    assert.equal(new Set(names).size, types.length * states.length);
  });

  it('do not tell what is not begun from what is not scheduled', () => {
    for (const type of storyTypes) {
      assert.equal(nameOf(type, 'unscheduled', false), nameOf(type, 'unstarted', false));
    }
  });

  it('are one for each state of the story that is worked on, of whatever type', () => {
    assert.equal(new Set(begun.map((state) => nameOf('feature', state, true))).size, begun.length);
    for (const state of storyStates) {
      assert.equal(nameOf('feature', state, true), nameOf('bug', state, true));
      assert.notEqual(nameOf('feature', state, true), nameOf('feature', state, false));
    }
  });

  it('are one for all types, and one for all states, that nobody knows', () => {
    for (const name of ['epic', '', 'active', 'unknown', 'none', 'constructor', '__proto__', '../icon', '<script>']) {
      assert.equal(storyIcon(name, 'started', false), storyIcon('other', 'started', false));
      assert.equal(storyIcon('bug', name, false), storyIcon('bug', 'other', false));
    }
    assert.equal(storyIcon('bug', 'started', false), storyIcon('bug', 'started', false));
  });
});
