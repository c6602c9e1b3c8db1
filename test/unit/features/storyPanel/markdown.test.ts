import assert from 'node:assert/strict';
import fc from 'fast-check';
import { renderMarkdown } from '../../../../src/features/storyPanel/markdown.ts';

/** Characters that are shown as Markdown at most. */
const LIMIT = 10_000;

describe('The Markdown of a description', () => {
  assertHtml('**bold** and `code`', '<p dir="auto"><strong>bold</strong> and <code>code</code></p>');
  assertHtml('# Top', '<h3 dir="auto">Top</h3>');
  assertHtml('###### Deep', '<h6 dir="auto">Deep</h6>');
  assertHtml('[a](https://example.test/a?b=1&c)', '<p dir="auto"><a href="https://example.test/a?b=1&amp;c">a</a></p>');
  assertHtml('https://example.test', '<p dir="auto">https://example.test</p>');
  assertHtml(
    '![a pier](https://example.test/p.png)',
    '<p dir="auto"><a href="https://example.test/p.png" title="https://example.test/p.png">a pier</a></p>',
  );

  assertText('<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;');
  assertText('<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;');
  assertText('[a](javascript:alert(1))', '[a](javascript:alert(1))');
  assertText('[a](JaVaScRiPt&#58;alert(1))', '[a](JaVaScRiPt:alert(1))');
  assertText('[a](data:text/html,x)', '[a](data:text/html,x)');
  assertText('![a](data:image/png;base64,AA)', '![a](data:image/png;base64,AA)');
  assertText('[a](command:workbench.action.quit)', '[a](command:workbench.action.quit)');
  assertText('[a](/relative)', '[a](/relative)');
  assertText('[a](vbscript:x)', '[a](vbscript:x)');

  it('puts no link into a link', () => {
    const html = renderMarkdown('[![a pier](https://example.test/p.png)](https://example.test/)');
    assert.equal(html.match(/<a /g)?.length, 1);
    assert.match(html, />a pier<\/a>/);
  });

  it('has no inline styles, which the page forbids', () => {
    const html = renderMarkdown('| a |\n|--:|\n| b |');
    assert.match(html, /<td [^>]*class="to-right"/);
    assert.doesNotMatch(html, /style=/);
  });

  it('shows a long text as it was written', () => {
    const text = `<b>${'*a* '.repeat(LIMIT)}`;
    assert.match(renderMarkdown(text.slice(0, LIMIT + 1)), /^<div class="plain" dir="auto">&lt;b&gt;\*a\* /);
    assert.match(renderMarkdown(text.slice(0, LIMIT)), /^<p dir="auto">&lt;b&gt;<em>a<\/em> /);
  });

  it('makes of any text only the elements and addresses that it knows', () => {
    const piece = fc.constantFrom(
      '<', '>', '"', "'", '&', '[', ']', '(', ')', '!', '`', '*', '_', '\n', '\n\n', '    ', '> ', '- ', '1. ', '# ',
      '|', '|-|\n', '<a href=', 'javascript:', 'https://e.test/', ' onload=x ', '&#x6a;', '\\', 'word',
    ); // biome-ignore format: read as one list
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => assertHarmless(renderMarkdown(pieces.join('')))),
      { numRuns: 500 },
    );
  });
});

const ELEMENT =
  /<\/?(?:p|h[3-6]|ul|ol|li|blockquote|pre|code|strong|em|s|a|br|hr|table|thead|tbody|tr|th|td|div)(?: (?:dir="auto"|class="[^"<>]*"|start="\d+"|title="[^"<>]*"|href="(?:https?:|mailto:)[^"<>]*"))*>/g;

/** Whatever is left once the known elements are taken out holds no markup. */
function assertHarmless(html: string): void {
  assert.doesNotMatch(html.replace(ELEMENT, ''), /[<>]/);
}

function assertHtml(markdown: string, expected: string): void {
  it(JSON.stringify(markdown), () => assert.equal(renderMarkdown(markdown).trim(), expected));
}

/** The whole text is shown and nothing of it works. */
function assertText(markdown: string, expected: string): void {
  it(`leaves ${JSON.stringify(markdown)} as text`, () => {
    const html = renderMarkdown(markdown);
    assert.equal(html.trim(), `<p dir="auto">${expected}</p>`);
    assertHarmless(html);
  });
}
