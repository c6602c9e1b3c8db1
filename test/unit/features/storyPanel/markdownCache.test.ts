import assert from 'node:assert/strict';
import type { Attachment } from '../../../../src/core/story/attachment.ts';
import { MarkdownCache } from '../../../../src/features/storyPanel/markdown.ts';
import { anAttachment } from '../../../support/builders/builders.ts';

describe('The Markdown of many texts', () => {
  it('is made once for each text', () => {
    let asked = 0;
    const known = new Set<number>();
    const isKnown = (id: number) => {
      asked += 1;
      return known.has(id);
    };
    const cache = new MarkdownCache({ isKnown });
    const first = cache.block('*Like* #12');
    asked = 0;
    assert.equal(cache.block('*Like* #12'), first);
    assert.equal(asked, 1, 'only whether the story is still unknown');
    known.add(12);
    assert.match(cache.block('*Like* #12'), /data-story="12"/);
  });

  it('is made anew once an image to which it refers is attached, and shows none in a task', () => {
    const cache = new MarkdownCache();
    const text = '![x](attachment:oven.png)';
    const shown = (...attachments: readonly Attachment[]) => {
      cache.begin(attachments);
      return /data-image="(\d+)"/.exec(cache.block(text))?.[1];
    };
    const first = anAttachment({ id: 71, filename: 'oven.png' });
    assert.equal(shown(), undefined);
    assert.equal(shown(first), '71');
    assert.equal(shown(first, anAttachment({ id: 72, filename: 'oven.png' })), '72', 'the last of that name');
    assert.equal(shown(anAttachment({ id: 73, filename: 'oven.png', size: 9 * 1024 * 1024 })), undefined);
    cache.begin([first]);
    assert.equal(cache.line(text), 'x');
  });

  it('waits for another turn where there is much, and is shown as it was written until then', () => {
    let now = 0;
    const cache = new MarkdownCache({ isKnown: () => false }, () => (now += 1));
    const texts = Array.from({ length: 200 }, (_, index) => `*Said* ${index}`);
    const turn = () => {
      cache.begin();
      return texts.map((text) => cache.block(text)).filter((html) => html.includes('<em>')).length;
    };
    const first = turn();
    assert.ok(first > 0 && first < 200 && cache.isBehind, `${first}`);
    for (let turns = 0; cache.isBehind && turns < 200; turns++) turn();
    assert.deepEqual([turn(), cache.isBehind], [200, false]);
  });

  it('is forgotten where there is too much of it, the least used first', () => {
    let made = 0;
    const cache = new MarkdownCache({ isKnown: () => Boolean(made++) });
    const texts = Array.from({ length: 150 }, (_, index) => `#${index + 1} ${'x'.repeat(9_900)}`);
    for (const text of texts) cache.block(text);
    made = 0;
    cache.block(texts.at(-1) ?? '');
    cache.block(texts[0] ?? '');
    assert.equal(made > 0, true);
  });
});
