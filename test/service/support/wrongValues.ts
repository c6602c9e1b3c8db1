import type { Seeded } from '../../support/measures/seeded.ts';

/** Whole numbers at the borders of what programs keep them in, and what only looks like one. */
const NUMBERS = [
  ...[
    '0',
    '-0',
    '-1',
    '1',
    '+1',
    '01',
    '10',
    '100',
    '101',
    '1e3',
    '1.5',
    '0x10',
    '1_000',
    '١٢',
    ' 7 ',
    'NaN',
    'Infinity',
  ],
  ...['2147483647', '2147483648', '-2147483649', '4294967296', '9007199254740991', '9007199254740993'],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775809', '999999999999999', '9999999999999999'],
  ...['99999999999999999999', '-99999999999999999999', `${'9'.repeat(400)}`],
];

const DATES = [
  ...['2026/03/31', '2026/03/31 12:00:00 UTC', '2026/02/30', '0000/00/00', '0001/01/01', '1969/12/31', '9999/12/31'],
  ...['9999/12/31 23:59:59 -14:00', '10000/01/01', '-1/1/1', '2026-03-31T00:00:00Z', '2026/13/01 25:61:61 XYZ', 'now'],
];

const TEXTS = [
  ...[
    '',
    ' ',
    '\t\n',
    '\0',
    'a\0b',
    'a\0',
    'a\uFFFD',
    '\u0001\u0008',
    '\uFFFE',
    '\uD800',
    'a\uDC00b',
    '\u202E',
    '👩‍🚀',
    'é',
    'é',
  ],
  ...[
    'null',
    'undefined',
    'true',
    'false',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    ',,,',
    ', a,, a ,a',
  ],
  ...[
    "' or 1=1 --",
    "'; drop table stories; --",
    '" or ""="',
    '%27%20or%201%3D1',
    '$1',
    '?1',
    ':id',
    'select * from users',
  ],
  ...[
    '../../etc/passwd',
    '..\\..\\x',
    '/dev/null',
    'CON',
    'a/b',
    '<b>&amp;</b>',
    ']]>',
    '&#0;',
    '&#xD800;',
    '&nope;',
    '<!--',
  ],
  ...[
    '%',
    '%E0%A4%A',
    '%00',
    '%ff',
    '+',
    '&',
    '=',
    '[',
    ']',
    '#',

    '{{7*7}}',
    '\r\nX-Injected: 1',
    'feature',
    'bug',
  ],
  ...[
    'chore',
    'release',
    'started',
    'accepted',
    'unscheduled',
    'rejected',
    'Owner',
    'Viewer',
    'a@b',
    'A@B',
    'Monday',
    '0,1,2',
  ],
  ...['Average of 3 iterations', 'before', 'after', '[fixes #1]', '[#1 #2 #3]', '[delivered #999999999999999]', '#1'],
];

const FILTERS = [
  ...[
    'type:bug',
    'state:',
    ':',
    'id:1,2,',
    'id:99999999999999999999',
    '"',
    '"a',
    'label:"\'"',
    'owner:me',
    'mywork:',
    'points:>',
  ],
  ...[
    'points:>=3',
    'points:9e9',
    'created_since:2026/02/30',
    'modified_since:9999w',
    'created_since:0d',
    'includedone:maybe',
  ],
  ...[
    'has_attachment:true has_external_id:0',
    '-state:started',
    'nosuch:1',
    'a:b:c',
    '\\',
    '\\"',
    '*',
    '%',
    '()',
    'state:a,b,c',
  ],
];

/** Longer than a page of a database, and nothing that a compression makes short. */
const LENGTHS = [300, 3_000, 9_000, 70_000, 300_000];

export function wrongNumber(chance: Seeded): string {
  return chance.of(NUMBERS) ?? '';
}

/** Of any kind, for a field or a parameter that may be of any. */
export function wrongText(chance: Seeded): string {
  switch (chance.below(12)) {
    case 0:
      return wrongNumber(chance);
    case 1:
      return chance.of(DATES) ?? '';
    case 2:
      return chance.of(FILTERS) ?? '';
    case 3:
      return chance.chance(4) ? longText(chance) : noise(chance, 12);
    case 4:
      return `${chance.of(TEXTS)}${chance.of(TEXTS)},${chance.of(TEXTS)}`;
    default:
      return chance.of(TEXTS) ?? '';
  }
}

function longText(chance: Seeded): string {
  const length = chance.of(LENGTHS) ?? 0;
  if (chance.chance(3)) return (chance.of(TEXTS) ?? '').repeat(20).slice(0, length) || ' '.repeat(length);
  const letters: string[] = [];
  while (letters.length < length / 4)
    letters.push(
      chance
        .below(36 ** 4)
        .toString(36)
        .padStart(4, '0'),
    );
  return letters.join('');
}

/** Characters of the whole Basic Multilingual Plane, halves of pairs included. */
export function noise(chance: Seeded, most: number): string {
  const units = Array.from({ length: chance.below(most) + 1 }, () => chance.below(chance.chance(2) ? 0x80 : 0x1_0000));
  return String.fromCharCode(...units);
}
