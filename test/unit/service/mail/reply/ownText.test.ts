import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type AssignedMail, composedMail } from '../../../../../src/service/mail/assigned/composedMail.ts';
import { ownText } from '../../../../../src/service/mail/reply/ownText.ts';
import { growsBySquare } from '../../../../support/measures/growth.ts';
import { anAssignedMail } from '../assignedMail.ts';
import { mailStyles } from '../mailStyles.ts';

/** Words and sentences that no program writes by itself. */
const sentences = fc.array(
  fc.constantFrom(
    'I am on it',
    'why not?',
    'done, see #12',
    'x < y',
    'Überprüft – gut',
    '今日やります',
    '3.5 of 4',
    'to: be',
  ),
  { minLength: 1, maxLength: 5 },
);
const paragraphs = fc.array(sentences, { minLength: 1, maxLength: 4 });
const originals = fc.constantFrom(
  textOf(anAssignedMail()),
  textOf(anAssignedMail({ replyTo: undefined })),
  'Somebody took our first line away.\n\nFrom: the old days\nand more\n',
);

describe('the own text of a reply', () => {
  for (const { name, reply } of mailStyles) {
    it(`is found in a reply of ${name}`, () => {
      fc.assert(
        fc.property(paragraphs, originals, (written, original) => {
          const own = written.map((lines) => lines.join('\n')).join('\n\n');
          assert.equal(ownText(reply(own, original)), own);
          assert.equal(ownText(reply(own, original).replaceAll('\n', '\r\n')), own);
        }),
        { numRuns: 40 },
      );
    });
  }

  it('ends above the first line of our mail, also when a program quotes it as it is', () => {
    const original = textOf(anAssignedMail());
    const indented = original.replace(/^/gm, '\t');
    for (const quoted of [original, indented, `Story Tracker skrifaði 21.11.2026 kl. 10:00:\n${original}`]) {
      assert.equal(ownText(`I am on it.\n\nTomorrow.\n\n${quoted}`), 'I am on it.\n\nTomorrow.');
    }
  });

  it('is kept between quoted lines', () => {
    const reply = 'On 21/11/2026 10:00, Ada wrote:\n> Red or green?\n\nGreen.\n\n> When?\nToday.\n';
    assert.equal(ownText(reply), 'Green.\n\nToday.');
  });

  assertOwn('Deploy at 10:00:\n\n1. stop\n2. start', 'Deploy at 10:00:\n\n1. stop\n2. start');
  assertOwn('From: A\nthe report says it all', 'From: A\nthe report says it all');
  assertOwn('a -- b\n---\nc', 'a -- b\n---\nc');
  assertOwn('Steps\n--\nfirst\n--\nsecond\n'.repeat(4), 'Steps\n--\nfirst\n--\nsecond\n'.repeat(4).trim());
  assertOwn('Thanks\n\nSent from my Pixel 9 Pro', 'Thanks');
  assertOwn('It was sent from my machine, then lost', 'It was sent from my machine, then lost');
  assertOwn('', '');
  assertOwn('> only\n> quoted', '');

  it('never throws and never grows', () => {
    const pieces = fc.constantFrom(
      '> ',
      '\n',
      'From: a@b.c',
      'To: x',
      ' wrote:',
      '2026 ',
      '-- ',
      ':',
      'Sent: 1',
      'é',
      '____',
      '\u2028',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: 'grapheme' }))), (all) => {
        const text = all.join('');
        assert.ok(ownText(text).length <= text.length);
      }),
      { numRuns: 500 },
    );
  });

  it('takes time that grows with the length only', () => {
    const head = '\nFrom: Ada\nTo: Ben\nSubject: x\n';
    const texts = {
      ...Object.fromEntries(
        ['> a\n\nOn 2026, b wrote:\n', '> \n', 'From: a\n', '-- \n', ':\n', '\n', 'On 1,\n', '_'.repeat(40)].map(
          (line) => [line, (length: number) => line.repeat(length / line.length)],
        ),
      ),
      dashes: (length: number) => `${'-'.repeat(length)}a${head}`,
      'mixed dashes': (length: number) => `${'-–—'.repeat(length / 3)} x${head}`,
      'dashes and words': (length: number) => `${'-- a '.repeat(length / 5)}${head}`,
      'empty lines': (length: number) => `a${'\n'.repeat(length)}a`,
      'lines of dashes': (length: number) => `a\n${`${'-'.repeat(30)}\n`.repeat(length / 31)}${head}`,
      'a taglines spaces': (length: number) => `a\n${' '.repeat(length)}<https:`,
      sentence: (length: number) => `On ${'1 '.repeat(length / 2)}:\n> a`,
      addresses: (length: number) => `${'a@'.repeat(length / 2)}:\n> a`,
    };
    for (const [name, text] of Object.entries(texts)) {
      assert.equal(
        growsBySquare((length) => ownText(text(length))),
        false,
        name,
      );
    }
  }).timeout(30_000);
});

function assertOwn(text: string, expected: string): void {
  it(`of ${JSON.stringify(text.slice(0, 40))} is ${JSON.stringify(expected.slice(0, 40))}`, () => {
    assert.equal(ownText(text), expected);
  });
}

function textOf(mail: AssignedMail): string {
  return String(composedMail(mail).text);
}
