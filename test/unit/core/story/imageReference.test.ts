import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  imageReferences,
  type PastedImages,
  referredImage,
  withoutReference,
} from '../../../../src/core/story/imageReference.ts';
import { markdownHtml } from '../../../../src/host/story/markdown.ts';

/** What stands for one image. */
const imageReference = (name: string) => imageReferences([name]);

/** The text once these are given up. */
function withoutImages(text: string, names: readonly string[], pastes: readonly PastedImages[] = []): string {
  const edit = withoutReference(text, names, pastes);
  return edit ? withoutImages(text.slice(0, edit.start) + edit.text + text.slice(edit.end), names, pastes) : text;
}

describe('An image that is not attached after all', () => {
  const [a, b] = [imageReference('a.png'), imageReference('b.png')];

  it('leaves the words that it was pasted over', () => {
    const pastes = [{ names: ['a.png'], replaced: 'the oven' }];
    assert.equal(withoutImages(`See ${a} here`, ['a.png'], pastes), 'See the oven here');
    const both = [{ names: ['a.png', 'b.png'], replaced: 'both' }];
    assert.equal(withoutImages(`See ${imageReferences(['a.png', 'b.png'])}.`, ['a.png', 'b.png'], both), 'See both.');
  });

  it('leaves no empty line, and the others as they are', () => {
    const pastes = [{ names: ['a.png', 'b.png'], replaced: 'both' }];
    assert.equal(withoutImages(`${a}\n${b}`, ['a.png'], pastes), b);
    assert.equal(withoutImages(`${a}\n${b}\nx`, ['b.png'], pastes), `${a}\nx`);
    assert.equal(withoutImages(`x ${a}\ny`, ['a.png']), 'x \ny');
    assert.equal(withoutImages(`x ${a}`, ['b.png']), `x ${a}`);
  });

  it('comes back not even where it was pasted over one of its name', () => {
    assert.equal(withoutImages(`x ${a}`, ['a.png'], [{ names: ['a.png'], replaced: `y ${a}` }]), 'x y ');
  });
});

describe('What refers to an image among the attachments', () => {
  it('is Markdown with its name', () => {
    assert.equal(imageReference('oven.png'), '![oven.png](attachment:oven.png)');
    assert.equal(imageReference('a [b] (1).png'), '![a b (1).png](attachment:a%20%5Bb%5D%20%281%29.png)');
  });

  it('leads to the image again, whatever it is called', () => {
    const characters = fc.constantFrom(...'()[]<>\\"\'`*_#%&! \t\n.é\u202e🥐\ud800a');
    const names = fc.array(characters, { minLength: 1, maxLength: 12 }).map((some) => `${some.join('')}.png`);
    fc.assert(
      fc.property(names, (name) => {
        const asked: string[] = [];
        const attachedImage = (filename: string) => {
          asked.push(filename);
          return 71;
        };
        const html = markdownHtml(`Look: ${imageReference(name)}.`, { isKnown: () => false, attachedImage });
        assert.deepEqual(asked, [name.toWellFormed()]);
        assert.match(
          html,
          /^<p dir="auto">Look: <span class="attached" data-image="71"><button [^<>]*><img [^<>]*><\/button>/,
        );
      }),
    );
  });

  it('is told from other addresses, and read where it is malformed', () => {
    const read = ['attachment:a%20b.png', 'ATTACHMENT:a', 'attachment:%', 'attachment:', 'https://e.test/a.png'];
    assert.deepEqual(read.map(referredImage), ['a b.png', 'a', '%', undefined, undefined]);
  });
});
