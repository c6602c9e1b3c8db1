import assert from 'node:assert/strict';
import { draggedIds } from '../../../../src/host/tree/treeDrops.ts';

const carried = (itemHandles: unknown) => JSON.stringify({ id: 'storyTracker.stories', itemHandles });

describe('Ids of dragged rows', () => {
  it('are read from the handles that VS Code carries, in their order', () => {
    assert.deepEqual(draggedIds(carried(['1/story/builtIn/1/41', '1/story/builtIn/1/40'])), [
      'story/builtIn/1/41',
      'story/builtIn/1/40',
    ]);
  });

  it('may hold slashes and what addresses hold', () => {
    assert.deepEqual(draggedIds(carried(['1/story/http://127.0.0.1:8080/services/v3/7/41'])), [
      'story/http://127.0.0.1:8080/services/v3/7/41',
    ]);
  });

  for (const unreadable of [
    undefined,
    7,
    '',
    '{',
    'null',
    '{}',
    carried('1/x'),
    carried([]),
    carried([7]),
    carried(['0/0:x']),
  ]) {
    it(`are unknown in ${JSON.stringify(unreadable)}`, () => assert.equal(draggedIds(unreadable), undefined));
  }
});
