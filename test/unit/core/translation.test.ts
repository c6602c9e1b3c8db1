import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { networkError } from '../../../src/client/network/networkError.ts';
import { stateWord, typeWord } from '../../../src/core/backlog/stateWords.ts';
import { parseFilter } from '../../../src/core/filter/filter.ts';
import { setTranslations, t } from '../../../src/core/translation.ts';

const root = new URL('../../../', import.meta.url);
const german = JSON.parse(readFileSync(new URL('l10n/bundle.l10n.de.json', root), 'utf8'));

const refused = () => networkError(Object.assign(new Error(), { code: 'ECONNREFUSED' }), '', 'a.test:80');

describe('texts of what runs without VS Code', () => {
  afterEach(() => setTranslations({}));

  it('are English until translations are set, as in the service', () => {
    assert.equal(refused().message, 'Nothing answers at a.test:80. Check that the server is running there.');
    const users = readdirSync(new URL('src', root), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .filter((name) => /import .*\bsetTranslations\b/.test(readFileSync(new URL(`src/${name}`, root), 'utf8')));
    assert.deepEqual(users.toSorted(), ['extension.ts', 'worker.ts']);
  });

  it('are in the language of the bundle from then on', () => {
    setTranslations(german);
    assert.equal(
      refused().message,
      'Unter a.test:80 antwortet nichts. Überprüfen Sie, ob der Server dort ausgeführt wird.',
    );
    assert.throws(() => parseFilter('lable:api'), {
      message: 'Unbekannter Filterschlüssel „lable:“. Meinten Sie „label:“?',
    });
  });

  it('name states and types so too, and as they came those that only a server knows', () => {
    const words = () => [stateWord('started'), typeWord('feature'), stateWord('on hold'), typeWord('constructor')];
    assert.deepEqual(words(), ['started', 'feature', 'on hold', 'constructor']);
    setTranslations(german);
    assert.deepEqual(words(), ['begonnen', 'Feature', 'on hold', 'constructor']);
  });

  it('take values as they are, and keep what no value was given for', () => {
    assert.equal(t('{0} of {1}', '{1}', 2), '{1} of 2');
    assert.equal(t('{0} of {1}', 1), '1 of {1}');
  });
});
