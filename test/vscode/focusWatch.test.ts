import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { watchFocus } from '../../src/host/tree/selectedRow.ts';

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
});
