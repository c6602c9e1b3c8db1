import assert from 'node:assert/strict';
import type { Story } from '../../../../../src/core/story/story.ts';
import { linkedStory, StorySearch, searchedId } from '../../../../../src/features/stories/find/storySearch.ts';
import { aStory } from '../../../../support/builders/builders.ts';

const key = { accountId: 'home', projectId: 7 };

function searchIn(...stories: readonly Story[]): StorySearch {
  const search = new StorySearch();
  search.add(stories.map((story) => ({ key, story })));
  return search;
}

describe('StorySearch', () => {
  const search = searchIn(
    aStory({ id: 120, name: 'Bake bread in ovens' }),
    aStory({ id: 12, name: 'Clean the oven', state: 'accepted' }),
    aStory({ id: 3, name: 'Sell 12 loaves', labels: ['Shop front'] }),
    aStory({ id: 4, name: 'Ovens are hot' }),
  );

  async function assertFound(query: string, expected: readonly number[], limit = 10): Promise<void> {
    const found = await search.find(query, limit);
    assert.deepEqual(
      found.map(({ story }) => story.id),
      expected,
      query,
    );
  }

  it('puts the exact id first, then words, then ids that begin so', async () => {
    await assertFound('12', [12, 3, 120]);
    await assertFound('#12', [12, 120]);
    await assertFound('999', []);
  });

  it('wants all words, in any order and case, and puts first what begins with them', async () => {
    await assertFound('OVEN', [4, 120, 12]);
    await assertFound('oven bread', [120]);
    await assertFound('oven car', []);
  });

  it('looks at labels too', async () => {
    await assertFound('shop loaves', [3]);
  });

  it('shows all in the order given when nothing is asked, and never more than wished for', async () => {
    await assertFound('  ', [120, 12, 3, 4]);
    await assertFound('oven', [4, 120], 2);
    await assertFound('', [120], 1);
  });

  it('shows first what is of the most interest, of whatever project', async () => {
    const several = new StorySearch();
    const interest = new Map([
      [3, 1],
      [4, 2],
      [5, -1],
      [6, 1],
    ]);
    for (const ids of [
      [1, 2, 3],
      [4, 5, 6, 7],
    ]) {
      const found = ids.map((id) => ({ key, story: aStory({ id, name: 'Bake' }) }));
      several.add(found, ({ story }) => interest.get(story.id) ?? 9);
    }
    for (const query of ['', 'bake']) {
      const ids = (await several.find(query, 10)).map(({ story }) => story.id);
      assert.deepEqual(ids, [5, 3, 6, 4, 1, 2, 7]);
    }
  });

  it('takes a search for an id only when it can be nothing else', () => {
    assert.deepEqual(['12', ' #12 ', '012', '12 loaves', '#', ''].map(searchedId), [
      12,
      12,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('lets others work while it goes through 50,000 stories, and stops when it is no longer needed', async () => {
    const many = searchIn(...Array.from({ length: 50_000 }, (_, index) => aStory({ id: index + 1, description: 'x' })));
    let turns = 0;
    const counting = setInterval(() => {
      turns += 1;
    });
    const found = await many.find('story 50000', 100);
    clearInterval(counting);
    assert.deepEqual(
      found.map(({ story }) => story.id),
      [50_000],
    );
    assert.ok(turns > 0, 'nothing else ran');
    const stopped = new AbortController();
    const late = many.find('story 49999', 100, stopped.signal);
    stopped.abort();
    assert.deepEqual(await late, []);
  });
});

function assertStory(
  path: string,
  expected: number | undefined,
  rest: { query?: string; fragment?: string } = {},
): void {
  assert.equal(linkedStory({ path, query: '', fragment: '', ...rest }), expected, path);
}

describe('linkedStory', () => {
  it('is the number of the story', () => {
    assertStory('/story/12', 12);
    assertStory('/story/999999999999999', 999_999_999_999_999);
  });

  it('is nothing for every other link', () => {
    for (const path of ['/story/0', '/story/012', '/story/-1', '/story/1.5', '/story/1e3', '/story/12/', '/story/12/x'])
      assertStory(path, undefined);
    for (const path of ['', '/', '/story', '/story/', '/Story/12', 'story/12', '/signIn/12', '/story/9999999999999999'])
      assertStory(path, undefined);
    assertStory('/story/12', undefined, { query: 'token=x' });
    assertStory('/story/12', undefined, { fragment: 'x' });
  });
});
