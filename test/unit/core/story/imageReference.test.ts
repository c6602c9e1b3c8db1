import assert from 'node:assert/strict';
import fc from 'fast-check';
import { imageReference, referredImage } from '../../../../src/core/story/imageReference.ts';
import { markdownHtml } from '../../../../src/host/story/markdown.ts';

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
