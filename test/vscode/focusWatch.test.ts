import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { IterationNode, StoryNode } from '../../src/host/tree/nodes.ts';
import { selectNeighbor, watchFocus } from '../../src/host/tree/selectedRow.ts';
import type { RevealOptions } from '../../src/host/tree/storiesView.ts';
import { aStory } from '../support/builders/builders.ts';
import { silentLog } from '../support/silentLog.ts';

describe('Whether a person waits where they called something', () => {
  it('is told by how much time has passed, not by a clock that was set back', () => {
    const [now, passed] = [Date.now, performance.now];
    const isFocused = vscode.window.state.focused;
    let later = 0;
    try {
      performance.now = () => passed.call(performance) + later;
      const isHere = watchFocus();
      assert.equal(isHere(), isFocused);
      Date.now = () => now() - 3_600_000;
      later = 4_000;
      assert.equal(isHere(), false);
    } finally {
      Object.assign(performance, { now: passed });
      Date.now = now;
    }
  });

  it('is asked when the row is there to which the focus would go, not when that row was looked for', async () => {
    const key = { accountId: 'a', projectId: 7 };
    const stories = [aStory({ id: 1 }), aStory({ id: 2 })];
    const icebox = new IterationNode(key, 'icebox', undefined, stories);
    const [row = assert.fail()] = stories.map((story) => new StoryNode(key, story, icebox));
    const revealed: RevealOptions[] = [];
    const storiesView = {
      selection: () => [row],
      reveal: async (_story: number, _project: number, options: RevealOptions = {}) => void revealed.push(options),
    };
    const passed = performance.now;
    try {
      const { selectNext } = await selectNeighbor({ storiesView, log: silentLog }, row, [row]);
      await selectNext();
      const focus = revealed.at(-1)?.focus;
      assert.ok(typeof focus === 'function');
      assert.equal(focus(), vscode.window.state.focused);
      performance.now = () => passed.call(performance) + 4_000;
      assert.equal(focus(), false);
    } finally {
      performance.now = passed;
    }
  });
});
