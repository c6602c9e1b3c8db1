import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hasShownStories, rememberedName } from '../../../../src/features/activeStory/shownStory.ts';
import { ExpandedRows, ShapeMemory } from '../../../../src/features/stories/tree/treeShape.ts';
import { rememberedNames, rememberName } from '../../../../src/host/accounts/ownNames.ts';
import { isText, rememberedTable, rememberedTexts } from '../../../../src/host/shell/remembered.ts';

/** A memory as VS Code's: what was never written is `undefined`, and `null` may have been written. */
class KeptValues {
  private readonly kept = new Map<string, unknown>();
  private readonly first: unknown;

  /** Under each name there is `first` to begin with. */
  constructor(first: unknown) {
    this.first = first;
  }

  keys(): readonly string[] {
    return [...this.kept.keys()];
  }

  get<T>(name: string, fallback?: T): T {
    const value = this.kept.has(name) ? this.kept.get(name) : this.first;
    return (value === undefined ? fallback : value) as T;
  }

  async update(name: string, value: unknown): Promise<void> {
    this.kept.set(name, value);
  }
}

describe('what a memory has', () => {
  it('is taken as far as it is of the kind that is wanted', () => {
    const texts = (value: unknown) => rememberedTexts(new KeptValues(value), 'a');
    assert.deepEqual(texts(['a', 1, null, 'b']), ['a', 'b']);
    for (const other of [undefined, null, 'a', 7, {}]) assert.deepEqual(texts(other), []);
    const table = (value: unknown) => rememberedTable(new KeptValues(value), 'a', isText);
    assert.deepEqual(table({ a: 'x', b: 1, c: null }), { a: 'x' });
    for (const other of [undefined, null, 'a', 7, ['a']]) assert.deepEqual(table(other), {});
  });

  it('stops nothing that reads it, whatever it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything({ withNullPrototype: false }), async (value) => {
        const memory = new KeptValues(value);
        assert.doesNotThrow(() => new ExpandedRows(memory).apply({ id: 'a', collapsibleState: 1 }));
        const shape = new ShapeMemory(memory);
        assert.ok(shape.history.every(isText) && (shape.filter === undefined || isText(shape.filter)));
        assert.ok(['string', 'undefined'].includes(typeof shape.ownName('account')));
        assert.ok(['string', 'undefined'].includes(typeof nameShown(memory)));
        await shape.keepFilter('type:bug');
        assert.deepEqual(shape.history.slice(0, 1), ['type:bug']);
        await rememberName(memory, { id: 'account', tokenSince: 7 }, 'Ada');
        assert.deepEqual([rememberedNames(memory).account, shape.ownName('account')], ['Ada', 'Ada']);
      }),
    );
  });
});

function nameShown(memory: KeptValues): string | undefined {
  hasShownStories(memory);
  return rememberedName(memory, 'file:///repository', { accountId: 'a', projectId: 1, storyId: 2 });
}
