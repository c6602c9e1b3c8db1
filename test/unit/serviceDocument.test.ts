import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

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

  it('names every feature with the commands that it registers', () => {
    const rows = [...read('docs/architecture.md').matchAll(/^\| `(\w+)` \|.*\|([^|]*)\|$/gm)];
    const told = rows.map(([, name = '', commands = '']) => [name, (commands.match(/\w+/g) ?? []).toSorted()]);
    const features = readdirSync(new URL('src/features', root)).toSorted();
    assert.deepEqual(
      told,
      features.map((name) => [name, commandsOf(name)]),
    );
  });
});

function commandsOf(feature: string): readonly string[] {
  const path = `src/features/${feature}/register.ts`;
  if (!existsSync(new URL(path, root))) return [];
  return [...read(path).matchAll(/\bcommand\(\s*commandIds\.(\w+)/g)].map(([, name = '']) => name).toSorted();
}

function titlesOf(path: string): readonly string[] {
  return [...read(path).matchAll(/(?:it|describe|copyFollows)\(\s*(['"`])(.+?)\1/g)].map(([, , title = '']) => title);
}
