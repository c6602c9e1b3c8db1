import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Story } from '../../../src/core/story/story.ts';
import type { Element } from '../../../src/v3/element.ts';
import { longIterations } from '../../../src/v3/iteration.ts';
import { type Item, type LongElement, longDocument } from '../../../src/v3/longDocument.ts';
import { storyElement } from '../../../src/v3/story.ts';
import { longStories } from '../../../src/v3/storyList.ts';
import { writeDocument, writeElement } from '../../../src/v3/write.ts';
import { iterationsElement, storiesElement } from '../../support/v3/lists.ts';
import * as any from './arbitraries.ts';

describe('writing a long document in pieces', () => {
  const item =
    (story: Story): Item =>
    (depth) =>
      writeElement(storyElement(story), depth);
  const leaf = (name: string, text = ''): Element => ({ name, attributes: {}, children: [], text });

  function assertSame(long: LongElement, whole: Element): void {
    assert.equal([...longDocument(long)].join(''), writeDocument(whole));
  }

  it('gives the very text of the whole, for any element whose children are written one by one', () => {
    fc.assert(
      fc.property(any.element, fc.nat(), (element, split) => {
        const { children } = element;
        const own = children.slice(0, split % (children.length + 1));
        const items = children.slice(own.length).map(
          (child): Item =>
            (depth) =>
              writeElement(child, depth),
        );
        assertSame(
          { start: { ...element, children: own, text: items.length > 0 ? '' : element.text }, items },
          element,
        );
      }),
    );
  });
  it('gives the very text of the whole, however deep the pieces go', () => {
    fc.assert(
      fc.property(any.element, (element) => {
        const cut = (part: Element): LongElement => ({
          start: { ...part, children: [] },
          items: part.children.map(cut),
        });
        assertSame(cut(element), element);
      }),
    );
  });
  it('gives the very text of the whole, for any iterations', () => {
    fc.assert(
      fc.property(fc.array(any.iteration, { maxLength: 4 }), (iterations) => {
        assertSame(longIterations(iterations, item), iterationsElement(iterations));
      }),
    );
  });
  it('gives the very text of the whole, for any list of stories', () => {
    const facts = fc.record({ total: fc.nat(), limit: fc.nat(), filter: any.text }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.array(any.story, { maxLength: 4 }), facts, (stories, of) => {
        assertSame(longStories(stories, of, item), storiesElement(stories, of));
      }),
    );
  });
  it('asks for the text of an item only when its turn comes', () => {
    let asked = 0;
    const count: Item = (depth) => {
      asked += 1;
      return writeElement(leaf('x'), depth);
    };
    const pieces = longDocument({ start: leaf('list'), items: [count, count, count] });
    for (const piece of pieces) if (piece.includes('<x/>')) break;
    assert.equal(asked, 1);
  });
  it('is not misled by an element that looks like its own hole', () => {
    const hole = leaf('hole');
    const items = [(depth: number) => writeElement(hole, depth)];
    assertSame(
      { start: { ...leaf('a'), children: [hole, hole] }, items },
      { ...leaf('a'), children: [hole, hole, hole] },
    );
  });
});
