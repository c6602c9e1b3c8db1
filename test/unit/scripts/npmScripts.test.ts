import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readyText } from '../../../scripts/start/web.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const scripts: Readonly<Record<string, string>> = JSON.parse(read('package.json')).scripts;
const run = (...args: readonly string[]) =>
  spawnSync('npm', ['run', '--silent', ...args], { cwd: root, encoding: 'utf8' });

describe('npm scripts', () => {
  it('are all run by the project’s own Node', () => {
    const { stderr } = spawnSync(process.execPath, ['scripts/run.mjs', 'none'], { cwd: root, encoding: 'utf8' });
    const known = (/there are (.+)\.\n/.exec(stderr)?.[1] ?? '').split(', ');
    for (const [name, script] of Object.entries(scripts)) {
      const [, program = ''] = /^node scripts\/run\.mjs (\S+)/.exec(script) ?? [];
      assert.ok(known.includes(program), `${name}: ${script}`);
    }
  });

  it('are there when a page names them, and pages name no other way to run a script', () => {
    const pages = [
      'README.md',
      ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? `docs/${name}` : [])),
    ];
    for (const page of pages) {
      const text = read(page);
      for (const [, name = ''] of text.matchAll(/npm run ([\w:]+)/g))
        assert.ok(Object.hasOwn(scripts, name), `${page}: ${name}`);
      assert.doesNotMatch(text, /node (?:scripts|node_modules)\//, page);
    }
  });

  it('run a file that a person names, and a test', () => {
    const version = run('node', '--', '--print', 'process.versions.node');
    assert.equal(version.stdout, `${process.versions.node}\n`);
    const tests = run('test:file', '--', 'test/unit/scripts/ipAddressParts.test.ts');
    assert.deepEqual([tests.status, / passing/.test(tests.stdout)], [0, true], tests.stderr);
  });

  it('say in a terminal where the window is, how to stop it and what is kept', () => {
    const text = readyText('http://localhost:3000/?folder=/a', false, '/a/.start');
    assert.match(
      text,
      /^\nOpen this address in a browser:\n\n {2}http:\/\/localhost:3000\/\?folder=\/a\n\n.*Ctrl\+C.* \/a\/\.start\.\n$/,
    );
    assert.match(
      readyText('http://localhost:3000/', true, '/a/.start'),
      /^\nStory Tracker opens in your browser, at\n/,
    );
  });
});
