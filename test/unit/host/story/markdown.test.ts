import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  inlineMarkdownHtml,
  markdownHtml,
  noStoryLinks,
  plainHtml,
  type StoryLinks,
} from '../../../../src/host/story/markdown.ts';
import { growth } from '../../../support/measures/growth.ts';

/** Characters that are shown as Markdown at most. */
const LIMIT = 10_000;

const links: StoryLinks = { baseUrl: 'https://tracker.test/sub', isKnown: (id) => id === 12 };
const STORY = '<a href="#12" data-story="12">';

describe('The Markdown of texts', () => {
  assertHtml('**bold** and `code`', '<p dir="auto"><strong>bold</strong> and <code>code</code></p>');
  assertHtml('# Top', '<h3 dir="auto">Top</h3>');
  assertHtml('###### Deep', '<h6 dir="auto">Deep</h6>');
  assertHtml('[a](https://example.test/a?b=1&c)', '<p dir="auto"><a href="https://example.test/a?b=1&amp;c">a</a></p>');
  assertHtml('https://example.test', '<p dir="auto"><a href="https://example.test/">https://example.test</a></p>');
  assertHtml(
    '(see https://e.test/a_b_c.)',
    '<p dir="auto">(see <a href="https://e.test/a_b_c">https://e.test/a_b_c</a>.)</p>',
  );
  assertHtml('`https://e.test #12`', '<p dir="auto"><code>https://e.test #12</code></p>');
  assertHtml('Like #12.', `<p dir="auto">Like ${STORY}#12</a>.</p>`);
  assertHtml('**#12**', `<p dir="auto"><strong>${STORY}#12</a></strong></p>`);
  assertHtml('修正#12を', `<p dir="auto">修正${STORY}#12</a>を</p>`);
  assertHtml('_#12_', `<p dir="auto"><em>${STORY}#12</a></em></p>`);
  assertHtml('[before #12 that](#12)', `<p dir="auto">${STORY}before #12 that</a></p>`);
  assertHtml('[x](https://tracker.test/sub/story/show/12)', `<p dir="auto">${STORY}x</a></p>`);
  const address = 'vscode://story-tracker.story-tracker/story/12';
  assertHtml(address, `<p dir="auto">${STORY}${address}</a></p>`);
  assertHtml(`[x](${address})`, `<p dir="auto">${STORY}x</a></p>`);
  const page = 'https://tracker.test/sub/projects/1/stories/12';
  assertHtml(page, `<p dir="auto">${STORY}${page}</a></p>`);
  assertHtml(
    '![a pier](https://example.test/p.png)',
    '<p dir="auto"><a href="https://example.test/p.png" title="https://example.test/p.png">a pier</a></p>',
  );

  const box = (mark: string) => `<ul dir="auto">\n<li class="task" dir="auto">${mark} flour</li>\n</ul>`;
  assertHtml('- [ ] flour', box('☐'));
  assertHtml('* [x] flour', box('☑'));
  assertHtml('- [X] flour', box('☑'));
  assertHtml('- [] flour', '<ul dir="auto">\n<li dir="auto">[] flour</li>\n</ul>');
  assertHtml('- flour [ ] x', '<ul dir="auto">\n<li dir="auto">flour [ ] x</li>\n</ul>');
  assertHtml('[ ] flour', '<p dir="auto">[ ] flour</p>');

  assertText('<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;');
  assertText('<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;');
  assertText('[a](javascript:alert(1))', '[a](javascript:alert(1))');
  assertText('[a](JaVaScRiPt&#58;alert(1))', '[a](JaVaScRiPt:alert(1))');
  assertText('[a](data:text/html,x)', '[a](data:text/html,x)');
  assertText('![a](data:image/png;base64,AA)', '![a](data:image/png;base64,AA)');
  assertText('[a](command:workbench.action.quit)', '[a](command:workbench.action.quit)');
  assertText('[a](/relative)', '[a](/relative)');
  assertText('[a](vbscript:x)', '[a](vbscript:x)');
  assertText('#13', '#13');
  assertText('x#12 a/#12 ##12 #12x', 'x#12 a/#12 ##12 #12x');
  assertText('é#12 #12é a_#12', 'é#12 #12é a_#12');
  assertText('vscode://story-tracker.story-tracker/story/13', 'vscode://story-tracker.story-tracker/story/13');
  assertText('[a](vscode://story-tracker.story-tracker/story/13)', 'a');
  assertText('vscode://other.extension/story/12', 'vscode://other.extension/story/12');

  it('has the images among the attachments put in by its page, with their words until then', () => {
    const attachedImage = (filename: string) => (filename === 'a b.png' ? 71 : undefined);
    const html = (text: string) => markdownHtml(text, { ...links, attachedImage });
    const open = 'type="button" data-do="openAttachment" data-id="71"';
    const words = 'the &lt;oven&gt;';
    assert.equal(
      html('![the <oven>](attachment:a%20b.png)'),
      `<p dir="auto"><span class="attached" data-image="71"><button ${open} class="picture" data-key="image-71" hidden><img alt="${words}"></button><button ${open} class="link">${words}</button></span></p>\n`,
    );
    assert.match(html('![](attachment:a%20b.png)'), /<img alt="a b\.png">/);
    assert.equal(html('![gone](attachment:gone.png)'), '<p dir="auto">gone</p>\n');
    assert.equal(html('[x](attachment:a%20b.png)'), '<p dir="auto">x</p>\n');
    assert.match(html('[![x](attachment:a%20b.png)](https://e.test)'), /^<p dir="auto"><a href="[^"]*">x<\/a><\/p>/);
  });

  it('is the same within a line, without blocks', () => {
    const html = inlineMarkdownHtml('# *a* `b` #12 <b>', links);
    assert.equal(html, `# <em>a</em> <code>b</code> ${STORY}#12</a> &lt;b&gt;`);
  });

  it('leads to stories from plain text too, which keeps its marks', () => {
    const html = plainHtml('*a* #12 #13 https://e.test/x', links);
    const web = '<a href="https://e.test/x" title="https://e.test/x">https://e.test/x</a>';
    assert.equal(html, `<div class="plain" dir="auto">*a* ${STORY}#12</a> #13 ${web}</div>`);
  });

  it('leads to no story of another server, but to its page', () => {
    const other = 'https://other.test/sub/story/show/12';
    assert.match(markdownHtml(other, links), /<a href="https:\/\/other\.test\/sub\/story\/show\/12">/);
  });

  it('takes time that grows with the length of a line only, up to a million characters, whatever it is made of', () => {
    for (const piece of ['#1 ', 'http://', 'http://) ', '[', '![a](b', '*_', 'a://story-tracker.', '`', '\u202e']) {
      const lineOf = (length: number) => piece.repeat(length / piece.length);
      for (const make of [markdownHtml, inlineMarkdownHtml, plainHtml]) {
        assertHarmless(make(lineOf(1_000_000), noStoryLinks));
        assert.ok(growth(125_000, lineOf, (line) => make(line, noStoryLinks)) <= 3.2, JSON.stringify(piece));
      }
    }
  });

  it('puts no link into a link', () => {
    const html = markdownHtml('[![a pier](https://example.test/p.png)](https://example.test/)');
    assert.equal(html.match(/<a /g)?.length, 1);
    assert.match(html, />a pier<\/a>/);
  });

  it('has no inline styles, which the page forbids', () => {
    const html = markdownHtml('| a |\n|--:|\n| b |');
    assert.match(html, /<td [^>]*class="to-right"/);
    assert.doesNotMatch(html, /style=/);
  });

  it('shows a long text as it was written', () => {
    const text = `<b>${'*a* '.repeat(LIMIT)}`;
    assert.match(markdownHtml(text.slice(0, LIMIT + 1)), /^<div class="plain" dir="auto">&lt;b&gt;\*a\* /);
    assert.match(markdownHtml(text.slice(0, LIMIT)), /^<p dir="auto">&lt;b&gt;<em>a<\/em> /);
  });

  it('makes of any text only the elements and addresses that it knows', () => {
    const piece = fc.constantFrom(
      '<', '>', '"', "'", '&', '[', ']', '(', ')', '!', '`', '*', '_', '\n', '\n\n', '    ', '> ', '- ', '1. ', '# ',
      '|', '|-|\n', '<a href=', 'javascript:', 'https://e.test/', ' onload=x ', '&#x6a;', '\\', 'word', '#12', 'vscode://story-tracker.story-tracker/story/12',
    ); // biome-ignore format: read as one list
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        assertHarmless(markdownHtml(pieces.join(''), links));
        assertHarmless(inlineMarkdownHtml(pieces.join(''), links));
      }),
      { numRuns: 500 },
    );
  });
});

const ELEMENT =
  /<\/?(?:p|h[3-6]|ul|ol|li|blockquote|pre|code|strong|em|s|a|br|hr|table|thead|tbody|tr|th|td|div)(?: (?:dir="auto"|class="[^"<>]*"|start="\d+"|title="[^"<>]*"|href="(?:https?:|mailto:)[^"<>]*"|href="#\d+" data-story="\d+"))*>/g;

/** Whatever is left once the known elements are taken out holds no markup. */
function assertHarmless(html: string): void {
  assert.doesNotMatch(html.replace(ELEMENT, ''), /[<>]/);
}

function assertHtml(markdown: string, expected: string): void {
  it(JSON.stringify(markdown), () => assert.equal(markdownHtml(markdown, links).trim(), expected));
}

/** The whole text is shown and nothing of it works. */
function assertText(markdown: string, expected: string): void {
  it(`leaves ${JSON.stringify(markdown)} as text`, () => {
    const html = markdownHtml(markdown, links);
    assert.equal(html.trim(), `<p dir="auto">${expected}</p>`);
    assertHarmless(html);
  });
}
