import assert from 'node:assert/strict';
import { age, happening, readerTexts } from '../../../../src/features/activity/activityTexts.ts';
import { anActivity } from '../../../support/builders/builders.ts';
import { l10n } from '../../../support/texts/untranslated.ts';

describe('happening', () => {
  function assertHappening(description: string, text: string, isNamed: boolean, author = 'Ada Fenn'): void {
    assert.deepEqual(happening(anActivity({ description, author })), { text, isNamed });
  }

  it('is the server’s sentence, which may begin with who did it', () => {
    assertHappening('Ada Fenn started “Bread”', 'Ada Fenn started “Bread”', true);
    assertHappening('“Bread” was started by Ada Fenn', '“Bread” was started by Ada Fenn', false);
    assertHappening('Ada Fennimore came', 'Ada Fennimore came', false);
    assertHappening('Something came', 'Something came', false, '');
  });

  it('says “You” of what one did oneself, at its beginning only', () => {
    const reader = { isAuthor: true, texts: readerTexts({ l10n }) };
    const own = (description: string) => happening(anActivity({ description, author: 'Ada Fenn' }), reader).text;
    assert.equal(own('Ada Fenn started “Bread”'), 'You started “Bread”');
    assert.equal(own('“Bread” was started by Ada Fenn'), '“Bread” was started by Ada Fenn');
  });

  it('says “you” of whom someone makes the owner', () => {
    function assertTold(description: string, expected: string, ownedBy = 'Bo Marsh', isAuthor = false): void {
      const stories = [{ id: 3, changed: { ownedBy }, cleared: [] }];
      const activity = anActivity({ description, author: 'Ada Fenn', stories });
      const name = isAuthor ? 'Ada Fenn' : 'Bo Marsh';
      assert.equal(happening(activity, { isAuthor, name, texts: readerTexts({ l10n }) }).text, expected);
    }
    assertTold('Ada Fenn made Bo Marsh the owner of "Bread"', 'Ada Fenn made you the owner of "Bread"');
    assertTold('Ada Fenn made Cy Dahl the owner of "Bread"', 'Ada Fenn made Cy Dahl the owner of "Bread"', 'Cy Dahl');
    assertTold(
      'Ada Fenn made Bo Marsh the owner of "Bread"',
      'You made Bo Marsh the owner of "Bread"',
      'Bo Marsh',
      true,
    );
    assertTold('Ada Fenn made Ada Fenn the owner of "B"', 'You made yourself the owner of "B"', 'Ada Fenn', true);
    // The name alone may be that of a story.
    assertTold('Ada Fenn made Bo Marsh the owner of "B"', 'Ada Fenn made Bo Marsh the owner of "B"', 'Cy Dahl');
    assertTold('Ada Fenn edited "made Bo Marsh the owner of"', 'Ada Fenn edited "made Bo Marsh the owner of"');
  });

  it('is one line of visible text', () => {
    assertHappening('Ada  Fenn\nsaid \u202eno\u0007', 'Ada Fenn said \ufffdno\ufffd', true);
    assert.ok(happening(anActivity({ description: 'x'.repeat(100_000) })).text.length <= 300);
  });

  it('is the event’s own name when the server gave no sentence', () => {
    assertHappening(' ', 'story_update', false);
  });
});

const now = new Date(2026, 10, 20, 14, 0).getTime();

describe('age', () => {
  function assertAge(time: number | undefined, short: string, long: string, language = 'en'): void {
    const date = { text: 'as the server wrote it', ...(time !== undefined && { time }) };
    assert.equal(age(date, { now, language, style: 'short' }).replaceAll('\u202f', ' '), short);
    assert.equal(age(date, { now, language, style: 'long' }), long);
  }
  const ago = (minutes: number) => now - minutes * 60_000;

  it('is told in the largest unit that says enough', () => {
    assertAge(ago(0.5), 'now', 'now');
    assertAge(ago(1), '1 min. ago', '1 minute ago');
    assertAge(ago(59.9), '59 min. ago', '59 minutes ago');
    assertAge(ago(60), '1 hr. ago', '1 hour ago');
    assertAge(ago(13 * 60), '13 hr. ago', '13 hours ago');
  });

  it('goes by the calendar from the day before on', () => {
    assertAge(new Date(2026, 10, 19, 23, 0).getTime(), 'yesterday', 'yesterday');
    assertAge(new Date(2026, 10, 18, 23, 0).getTime(), '2 days ago', '2 days ago');
    assertAge(new Date(2026, 10, 14, 8, 0).getTime(), '6 days ago', '6 days ago');
    assertAge(new Date(2026, 10, 13, 23, 0).getTime(), 'Nov 13', 'November 13');
    assertAge(new Date(2025, 11, 24, 8, 0).getTime(), 'Dec 24, 2025', 'December 24, 2025');
  });

  it('counts hours over midnight while they are few', () => {
    const early = new Date(2026, 10, 20, 1, 0).getTime();
    const time = new Date(2026, 10, 19, 23, 0).getTime();
    assert.equal(age({ text: '', time }, { now: early, language: 'en', style: 'long' }), '2 hours ago');
  });

  it('takes what is still to come for now, since clocks differ', () => {
    assertAge(ago(-90), 'now', 'now');
  });

  it('is as the server wrote it when nobody knows its zone', () => {
    assertAge(undefined, 'as the server wrote it', 'as the server wrote it');
  });

  it('speaks the language of the window', () => {
    assertAge(ago(5), 'vor 5 Min.', 'vor 5 Minuten', 'de');
  });
});
