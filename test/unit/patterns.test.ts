import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { growsBySquare } from '../support/measures/growth.ts';
import { timesAsLong } from '../support/measures/processorTime.ts';
import { type GrowingText, hurtfulTexts } from '../support/patterns/hurtfulTexts.ts';
import { patternsOf, type SourcePattern } from '../support/patterns/sourcePatterns.ts';

const top = fileURLToPath(new URL('../../', import.meta.url));
/** Lengths on which patterns are tried that may double their time with every character or two. */
const SHORT = [24, 32, 48, 64, 96];
/** Those on which others are tried before they are measured. */
const [LONGER, LONG] = [400, 8_000];
/** Lengths that are compared with those eight times as long, and how many times as long what grows with the length takes at most. */
const COMPARED = [1_000, LONG];
const PLAIN = 12;
/** Milliseconds. What is slower on a short text is guilty; what is quicker on the long ones too is not measured any closer. */
const QUICK = 0.4;
/** Milliseconds. What takes longer is not tried often. */
const MUCH = 20;

describe('the patterns of src', function () {
  this.timeout(240_000);

  it('take time that grows with the length of a text only, whatever is in it', () => {
    const patterns = globSync('src/**/*.ts', { cwd: top }).flatMap((path) =>
      patternsOf(path.replaceAll('\\', '/'), readFileSync(join(top, path), 'utf8')),
    );
    assert.ok(patterns.length > 300, `There are more patterns than ${patterns.length}.`);
    assert.deepEqual(patterns.flatMap(guilt), []);
  });
});

describe('the test of patterns', function () {
  this.timeout(60_000);

  it('finds those whose time grows by the square, or worse', () => {
    for (const [source, flags = ''] of [
      ['^\\d+\\.?\\d*$'],
      ['^\\n+|\\n+$', 'g'],
      ['^(?:a+)+$'],
      ['(?<=-.*)-[^-]*$'],
      ['-----BEGIN CERTIFICATE-----[\\s\\S]*?-----END CERTIFICATE-----', 'g'],
    ] as const) {
      assert.notDeepEqual(guilt({ path: '', line: 0, source, flags, findsAll: flags.includes('g') }), [], source);
    }
  });

  it('reads patterns wherever they stand in a file', () => {
    const code = [
      "const A = '[0-9]+';",
      'const a = /x+$/g; // and not /this/',
      "const b = 1 / 2 / 3, text = 'no /pattern/ here', c = total / list.length / 2;",
      'const d = `$' + '{one.replace(/"[`}]/u, (all) => `<$' + '{all}>`)} / of / them`;',
      'return /[/"]/.test(d) ? a[0] / 2 : (b) / 3;',
      'const e = new RegExp(`^$' + '{A}\\\\.$' + "{name}$`, 'i');",
      "const f = new RegExp(query.replace(/[.*]/g, '\\\\$&'));",
      'const SPACES = /\\s+/;',
      'const parts = text.split(SPACES), lines = text.split(/\\r?\\n/);',
    ].join('\n');
    const found = patternsOf('src/a.ts', code).map(
      ({ line, source, flags, findsAll }) => `${line} /${source}/${flags}${findsAll ? ' all' : ''}`,
    );
    assert.deepEqual(found, [
      '2 /x+$/g all',
      '4 /"[`}]/u',
      '5 /[/"]/',
      '6 /^[0-9]+\\.word$/i',
      '7 /word/',
      '7 /[.*]/g all',
      '8 /\\s+/ all',
      '9 /\\r?\\n/ all',
    ]);
  });

  it('refuses a pattern whose text only shows at run time', () => {
    assert.throws(() => patternsOf('src/a.ts', 'new RegExp(given)'), /only shows at run time/);
  });
});

/** What hurts a pattern; nothing when nothing does. */
function guilt({ path, line, source, flags, findsAll }: SourcePattern): readonly string[] {
  const pattern = new RegExp(source, findsAll && !flags.includes('g') ? `${flags}g` : flags);
  const isHurtful = (make: GrowingText): boolean => {
    const work = (length: number): void => search(pattern, make(length));
    if (!SHORT.every((length) => isQuick(work, length))) return true;
    if (isQuick(work, LONGER) && (isQuick(work, LONG) || COMPARED.every((length) => isPlain(work, length))))
      return false;
    // Of tens of thousands that are measured beside other work, one looks slow by chance: not twice.
    return growsBySquare(work, 100) && growsBySquare(work, 100);
  };
  const hurtful = hurtfulTexts(source, flags).find(isHurtful);
  return hurtful ? [`${path}:${line} /${source}/${flags} on texts such as ${JSON.stringify(hurtful(40))}`] : [];
}

/** Looks through a text as the code does: to the first match, to all, or to one after the other from the beginning. */
function search(pattern: RegExp, text: string): void {
  if (pattern.sticky) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match && match[0] !== ''; ) match = pattern.exec(text);
  } else if (pattern.global) text.replace(pattern, '');
  else pattern.exec(text);
}

function isPlain(work: (length: number) => void, length: number): boolean {
  return (
    timesAsLong(
      () => work(8 * length),
      () => work(length),
      PLAIN,
    ) <= PLAIN
  );
}

/** What was held up by something else is tried again, as long as that is not much. */
function isQuick(work: (length: number) => void, length: number): boolean {
  for (let tries = 1; tries <= 10; tries++) {
    const begun = performance.now();
    work(length);
    const took = performance.now() - begun;
    if (took < QUICK) return true;
    if (tries >= 3 && took > MUCH) return false;
  }
  return false;
}
