import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { initialsOf, withoutIcons, withoutLinks } from '../../../../src/host/shell/plainText.ts';
import { safeFileName } from '../../../../src/host/shell/safeFileName.ts';
import { aProject } from '../../../support/builders/builders.ts';

describe('Text of others', () => {
  it('draws no icons', () => {
    const text = 'Use $(pwd), not $(trash) or $5';
    const shown = withoutIcons(text);
    assert.doesNotMatch(shown, /\$\(/);
    assert.equal(shown.replaceAll('\u2060', ''), text);
  });

  it('is one short line of a list that nothing in it turns or hides', () => {
    assert.equal(withoutIcons('Rye\u202e\u0000\nand $(flame)'), 'Rye\ufffd\ufffd and $\u2060(flame)');
    assert.ok(withoutIcons('x'.repeat(1_000_000)).length <= 1000);
  });

  it('makes no links, and looks the same', () => {
    const text = 'See [here](command:workbench.action.quit) and [x] (y)';
    const shown = withoutLinks(text);
    assert.doesNotMatch(shown, /\]\(/);
    assert.equal(shown.replaceAll('\u2060', ''), text);
  });
});

describe('safeFileName', () => {
  const assertName = (given: string, expected: string) =>
    it(`makes “${expected}” of ${JSON.stringify(given)}`, () => assert.equal(safeFileName(given), expected));

  assertName('orders.txt', 'orders.txt');
  assertName('brød & butter (1).tar.gz', 'brød & butter (1).tar.gz');
  assertName('../../etc/passwd', 'passwd');
  assertName('C:\\Users\\ana\\notes.txt', 'notes.txt');
  assertName('folder/', 'folder');
  assertName('..', 'attachment');
  assertName('', 'attachment');
  assertName('.env', '.env');
  assertName('a:b?.txt', 'a_b_.txt');
  assertName('name.txt. . ', 'name.txt');
  assertName('NUL.txt', '_NUL.txt');
  assertName('console.log', 'console.log');
  assertName('evil\u202etxt.exe', 'evil_txt.exe');
  assertName(`${'x'.repeat(400)}.html`, `${'x'.repeat(195)}.html`);

  assertName(`${'報'.repeat(150)}.html`, `${'報'.repeat(65)}.html`);
  assertName(`${'x'.repeat(199)}.${'y'.repeat(50)}`, 'x'.repeat(199));
  assertName('aux .txt', '_aux .txt');
  assertName(`${'.'.repeat(300)}${'x'.repeat(30)}`, 'attachment');
  assertName(`con${' '.repeat(300)}x`, '_con');

  it('gives a name of one part, that is short and stays itself, whatever it is given', function () {
    this.timeout(20_000);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (given) => {
        const name = safeFileName(given);
        assert.doesNotMatch(name, /[/\\:*?"<>|\p{Cc}]|^\.{1,2}$|[. ]$/u);
        assert.ok(name.length > 0 && Buffer.byteLength(name) <= 201 && name.isWellFormed());
        assert.equal(safeFileName(name), name);
      }),
    );
  });
});

describe('initialsOf', () => {
  it('are those of the members list, else made from the name', () => {
    const project = aProject({
      memberships: [{ id: 1, role: 'Owner', person: { name: 'Ada Byron', initials: 'ADA' } }],
    });
    assert.equal(initialsOf('Ada Byron', project), 'ADA');
    assert.equal(initialsOf('Grace Hopper', project), 'GH');
    assert.equal(initialsOf('élodie', undefined), 'É');
    assert.equal(initialsOf('mia.keller@example.com', undefined), 'MKE');
  });
});
