import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lexer, type Token, walkTokens } from 'marked';
import { type HoverLinks, hoverMarkdown } from '../../../../src/host/story/hoverMarkdown.ts';

const STORY = 'command:storyTracker.openStory?12';
const links: HoverLinks = { baseUrl: 'https://tracker.test', isKnown: (id) => id === 12, addressOf: () => STORY };

const IMAGE = '![x](https://evil.test/p.png)';

describe('The Markdown of hovers', () => {
  const attacks = [
    ...['www.a.b', 'WWW.a.b', 'ftp://a.b', 'http://a.b', 'see https://a.b/', 'a@b.test', 'x.www.a.b', '(www.a.b'].map(
      (before) => `${before}\`${IMAGE}\``,
    ),
    ...[`www.a.b\`[click](command:workbench.action.quit)\``, `www.a.b**\`[t](javascript:1)\`**`, 'www.a.b`<img src=x>`'],
    ...[`[\`\` \` ] \`\`](http://a.b)\`${IMAGE}\``, `[a](mailto:a@www.b.c)\`${IMAGE}\``, `<http://a.b/x>\`${IMAGE}\``],
    ...[`*a [\\[b *c* d](http://u.v)*\`${IMAGE}\``, `![www.a.b](x)\`${IMAGE}\``, `# www.a.b\`${IMAGE}\``],
    ...[`- www.a.b\`${IMAGE}\``, `> www.a.b\`${IMAGE}\``, `|a|\n|-|\n|www.a.b\`${IMAGE}\`|`, `&#119;ww.a.b\`${IMAGE}\``],
    ...[`#12\`${IMAGE}\``, `http://a.b/\`${IMAGE}\``, `vscode://story-tracker.story-tracker/story/12\`${IMAGE}\``],
  ]; // biome-ignore format: read as lists
  for (const text of attacks) it(`holds nothing alive of ${JSON.stringify(text)}`, () => assertInert(text));

  it('holds nothing alive of any text', () => {
    const piece = fc.constantFrom(
      'www.', 'www.a.b', 'http://', 'https://a.b/c', 'ftp://a.b', 'a@b.test', 'mailto:', '`', '``', '` `', IMAGE, '![', '[', ']', '](', '(', ')', '*', '**', '_', '~~', '~',
      '\\', '<', '>', '&', '&#96;', '&lt;', '\n', '\n\n', '    ', '> ', '- ', '1. ', '# ', '|', '\n|a|b|\n|-|-|\n', '```', '#12', 'https://tracker.test/story/show/12', '<b>',
      '`![x](y)`', '`[x](command:y)`', 'command:x', '[r]', '\n[r]: https://e.test "t"\n', '<https://a.b>', '\n---\n', '\n===\n', 'word', ' ', '[ ] ', '"',
    ); // biome-ignore format: read as one list
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => assertInert(pieces.join(''))),
      { numRuns: 3000 },
    );
  });

  it('leads where a text leads on purpose', () => {
    const text =
      'https://www.a.test/b_c?d=1&e, [mail](mailto:a@b.test), [`code`](https://www.b.test/), #12 and [x](https://c.test/`d)';
    assert.deepEqual(linksOf(text), [
      ['https://www.a.test/b_c?d=1&e', 'https://www.a.test/b_c?d=1&e'],
      ['mail', 'mailto:a@b.test'],
      ['code', 'https://www.b.test/'],
      ['#12', STORY],
      ['x', 'https://c.test/%60d'],
    ]);
  });

  it('shows bare addresses that lead nowhere as text', () => {
    assert.deepEqual(linksOf('www.a.test, ftp://a.test and a@b.test'), []);
  });
});

function tokensOf(markdown: string): readonly Token[] {
  const tokens: Token[] = [];
  walkTokens(lexer(markdown), (token) => void tokens.push(token));
  return tokens;
}

function linksOf(text: string): readonly (readonly [string, string])[] {
  return tokensOf(hoverMarkdown(text, links)).flatMap((token) => {
    if (token.type !== 'link') return [];
    // VS Code reads these when it opens the link.
    const href = String(token.href).replaceAll('&amp;', '&');
    const words: string[] = [];
    walkTokens(token.tokens ?? [], (one) => {
      if ('text' in one && !('tokens' in one)) words.push(String(one.text));
    });
    return [[words.join('').trim(), href]];
  });
}

/** By the parser that VS Code has: no image, no HTML, no link but those that the hover makes, and these lead to the web, to mail or to a known story. */
function assertInert(text: string): void {
  const markdown = hoverMarkdown(text, links);
  for (const token of tokensOf(markdown)) {
    const told = `${JSON.stringify(text)} is ${JSON.stringify(markdown)}, which holds ${token.raw}`;
    assert.ok(token.type !== 'image' && token.type !== 'html' && token.type !== 'def', told);
    if (token.type !== 'link') continue;
    assert.ok(token.raw.startsWith('['), told);
    assert.match(String(token.href), /^(?:https?:\/\/|mailto:|command:storyTracker\.openStory\?12$)/, told);
  }
}
