import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

describe('the table of the service', () => {
  const rows = read('docs/service.md')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(1, -1).split(' | '));

  it('names code that is there', () => {
    const files = rows.flatMap(([, code = '']) => [...code.matchAll(/`([^`]+\.ts)`/g)].map(([, path]) => path));
    assert.ok(files.length > 100);
    for (const path of files) assert.ok(existsSync(new URL(`src/${path}`, root)), path);
  });

  it('names tests that are there, by their titles', () => {
    for (const [claim, , held = ''] of rows) {
      let path = '';
      for (const [, file, title] of held.matchAll(/`([^`]+\.test\.ts)`|“([^”]+)”/g)) {
        if (file !== undefined) path = `test/${file}`;
        if (file !== undefined) assert.ok(existsSync(new URL(path, root)), path);
        else
          assert.ok(
            titlesOf(path).some((known) => known.includes(title ?? '')),
            `${claim}: ${path} “${title}”`,
          );
      }
    }
  });
});

describe('the page on the architecture', () => {
  it('names files that are there', () => {
    const paths = [...read('docs/architecture.md').matchAll(/`([^`\s]+\/[^`\s]+\.ts)`/g)].map(([, path = '']) => path);
    assert.ok(paths.length > 40);
    for (const path of paths) {
      const isThere = [`src/${path}`, path].some((each) => existsSync(new URL(each, root)));
      assert.ok(isThere, path);
    }
  });
});

function titlesOf(path: string): readonly string[] {
  return [...read(path).matchAll(/(?:it|describe|copyFollows)\(\s*(['"`])(.+?)\1/g)].map(([, , title = '']) => title);
}
