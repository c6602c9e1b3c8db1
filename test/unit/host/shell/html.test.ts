import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lexer, parse } from 'marked';
import { plainMarkdown } from '../../../../src/host/shell/html.ts';
import { growth } from '../../../support/measures/growth.ts';

/** What shows text and nothing else, as VS Code's parser calls it. */
const PLAIN = new Set(['paragraph', 'text', 'escape', 'space']);

describe('Plain text as Markdown', () => {
  const texts = [
    ...['www.a.test', 'WWW.a.test/b', 'http://a.test', 'ftp://a.test', 'a@b.test', '<https://a.test>', '[a](b)', '![a](b)'],
    ...['&lt;b&gt; &#x3c;', '1. one', '1) one', '- one', '+ one', '# a', '> a', 'a | b', '~~a~~', '\\', '`a`', '***', '[r]: b'],
    ...['a www.b`![x](https://e.test/p.png)`', '<b>', '$(zap)', '_a_', '"a" \'b\' ; = % ^ , / ? : {c}'],
  ]; // biome-ignore format: read as lists
  for (const text of texts) it(`shows ${JSON.stringify(text)} as it is`, () => assertShown(text));

  it('is no heading, table, code or definition where lines follow each other', () => {
    for (const text of [
      'a\n===',
      'a\n---',
      '|a|\n|-|\n|b|',
      '```\na\n```',
      '    a',
      '[r]: /x\n[r]',
      'a\r\n    b',
      'a\n\tb',
    ])
      assertShown(text);
  });

  it('shows any text as it is', () => {
    const piece = fc.oneof(
      fc.constantFrom('www.', 'http://', 'ftp://', 'HTTPS://', 'a.b', '@', '![x](y)', '`', '[', '](', ')', '\n', ' ', '&', '&#x60;', '<', 'a', '\\', '\t'),
      fc.string({ maxLength: 3 }),
    ); // biome-ignore format: read as one list
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => assertShown(pieces.join(''))),
      { numRuns: 2000 },
    );
  });

  it('takes time that grows with the length only, up to a million characters, whatever they are', () => {
    for (const one of ['www.', 'http://', 'a@', '\\', ' ', '\n', '&']) {
      const textOf = (length: number) => one.repeat(length / one.length);
      assert.ok(growth(125_000, textOf, plainMarkdown) <= 3.2, JSON.stringify(one));
    }
  });
});

function assertShown(text: string): void {
  const markdown = plainMarkdown(text);
  const isPlain = ({ type }: { readonly type: string }) => PLAIN.has(type);
  const tokens = lexer(markdown).flatMap((token) => [token, ...('tokens' in token ? (token.tokens ?? []) : [])]);
  assert.ok(tokens.every(isPlain), `${JSON.stringify(text)}: ${tokens.map(({ type }) => type).join(' ')}`);
  assert.equal(words(textOf(parse(markdown, { async: false }))), words(text));
}

const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function textOf(html: string): string {
  return html
    .replaceAll(/<\/?p>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (all, name) => CHARACTERS[String(name)] ?? all);
}

/** Where one line ends and another begins is up to whoever shows it. */
function words(text: string): string {
  return text.split(/\s+/).filter(Boolean).join(' ');
}
