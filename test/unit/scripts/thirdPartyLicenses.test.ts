import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Bundles, thirdPartyLicenses } from '../../../scripts/thirdPartyLicenses.ts';
import { rooms } from '../../support/architecture/rooms.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const lock: { readonly packages: Readonly<Record<string, { readonly version?: string }>> } = JSON.parse(
  readFileSync(join(root, 'package-lock.json'), 'utf8'),
);
const everything = () => true;

function bundleOf(...inputs: readonly string[]): Bundles {
  return { 'dist/worker.js': { inputs: Object.fromEntries(inputs.map((input) => [input, {}])) } };
}

describe('The licenses of bundled packages', () => {
  it('are there for every package that the source may import, in the version of the lock file', () => {
    const names = Object.values(rooms)
      .flatMap(({ packages }) => packages)
      .filter((name) => name !== 'vscode' && name !== 'node:')
      .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
    assert.ok(names.length > 10, names.join());
    for (const name of new Set(names)) {
      const text = thirdPartyLicenses(root, bundleOf(`node_modules/${name}/index.js`), everything);
      assert.ok(text.startsWith(`${name} ${lock.packages[`node_modules/${name}`]?.version}\n`), text.slice(0, 200));
      assert.match(text, /\b(?:MIT|ISC|BSD|Apache|Copyright|copyright)\b/, name);
    }
  });

  it('are those of what is in the shipped bundles, once each, in alphabetical order', () => {
    const built = {
      ...bundleOf('src/worker.ts', 'node_modules/undici/index.js', 'node_modules/undici/lib/a.js'),
      'dist/xml.js': { inputs: { 'node_modules/saxes/saxes.js': {} } },
      'dist/mail.js': { inputs: { 'node_modules/nodemailer/a.js': {} } },
    };
    const text = thirdPartyLicenses(root, built, (path) => path !== 'dist/mail.js');
    const heads = [...text.matchAll(/^(saxes|undici|nodemailer) \d+\./gm)].map(([, name]) => name);
    assert.deepEqual(heads, ['saxes', 'undici']);
  });

  describe('in a made-up project', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'story-tracker-licenses-'));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    function place(path: string, manifest: object): void {
      mkdirSync(join(folder, path), { recursive: true });
      writeFileSync(join(folder, path, 'package.json'), JSON.stringify(manifest));
    }

    it('are those of the package that lies in another, not of that one', () => {
      place('node_modules/outer', { version: '1.0.0', license: 'MIT' });
      place('node_modules/outer/node_modules/@in/ner', { version: '2.0.0', license: 'ISC' });
      const text = thirdPartyLicenses(folder, bundleOf('node_modules/outer/node_modules/@in/ner/a.js'), everything);
      assert.match(text, /^@in\/ner 2\.0\.0\nISC\n/);
    });

    it('are asked for: what comes without one is not shipped', () => {
      place('node_modules/lost', { version: '1.0.0' });
      assert.throws(() => thirdPartyLicenses(folder, bundleOf('node_modules/lost/a.js'), everything), /lost .*license/);
    });
  });
});
