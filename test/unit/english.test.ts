import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/** Phrases that are correct but that no one would write, or that VS Code words in another way. */
const FORBIDDEN: readonly RegExp[] = [
  /\bSay [a-z#{]/,
  /\b(?:is|are) meant by\b/i,
  /\bhas to be\b/i,
  /\b(?:some|any|every)body\b/i,
  /\bnobody waits\b/i,
  /\bis none of\b/i,
  /\bshall\b/i,
  /\bmeanwhile\b/i,
  /\be-mails?\b/i,
  /\bas it was before\b/i,
];

const PROSE = /\/\*[\s\S]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
const TITLE = /\b(?:it|describe)(?:\.\w+)?\(\s*(['"`])(.+?)\1/g;

function sourcesBelow(folder: string): readonly string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`);
}

function assertPlain(path: string, texts: readonly string[]): void {
  for (const text of texts) {
    const found = FORBIDDEN.find((phrase) => phrase.test(text));
    assert.equal(found, undefined, `${path}: ${text.trim().slice(0, 200)}`);
  }
}

describe('what people read is plain English', () => {
  it('in the texts and comments of the source', () => {
    const paths = sourcesBelow('src');
    assert.ok(paths.length > 100);
    for (const path of paths) assertPlain(path, read(path).match(PROSE) ?? []);
  });

  it('in the documents and the manifest', () => {
    const documents = readdirSync(new URL('docs', root))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`);
    for (const path of ['README.md', 'CHANGELOG.md', 'package.json', 'package.nls.json', ...documents]) {
      assertPlain(path, read(path).split('\n'));
    }
  });

  it('in the names of tests', () => {
    for (const path of sourcesBelow('test')) {
      const titles = [...read(path).matchAll(TITLE)].map(([, , title = '']) => title);
      assertPlain(path, titles);
    }
  });
});
