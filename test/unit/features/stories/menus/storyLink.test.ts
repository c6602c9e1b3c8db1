import assert from 'node:assert/strict';
import { linkedStory } from '../../../../../src/features/stories/menus/storyLink.ts';

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
