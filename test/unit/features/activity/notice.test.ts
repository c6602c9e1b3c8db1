import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { ToldActivity } from '../../../../src/core/replica/replica.ts';
import type { Story } from '../../../../src/core/story/story.ts';
import { Gathered, notice } from '../../../../src/features/activity/notice.ts';
import { aChange, aTold } from '../../../support/builders/activities.ts';
import { aNote } from '../../../support/builders/builders.ts';
import { english } from './english.ts';

const ME = 'Bo Marsh';
const stories = new Map([
  [12, { name: 'Bake bread', ownedBy: ME, requestedBy: 'Cy Dunn' }],
  [13, { name: 'Sweep the floor', ownedBy: 'Cy Dunn', requestedBy: ME }],
]);

type NoticeContext = Parameters<typeof notice>[1];
type Wish = NoticeContext['wishes'][number];

describe('notice', () => {
  function context(wishes: readonly Wish[], me: string | undefined = ME): NoticeContext {
    return {
      wishes,
      personIn: () => ({ name: me, initials: 'BM' }),
      storyOf: (_, id) => stories.get(id),
      texts: english,
    };
  }
  function assertNotice(
    fresh: readonly ToldActivity[],
    text: string | undefined,
    ids: readonly number[] = [],
    wishes: readonly Wish[] = ['assigned', 'rejected'],
  ): void {
    const found = notice(fresh, context(wishes));
    assert.equal(found?.text, text);
    assert.deepEqual(found?.stories.map(({ storyId }) => storyId) ?? [], ids);
  }
  const assigned = (minute: number, id: number, who = ME) =>
    aTold(minute, { stories: [aChange(id, { ownedBy: who })] });
  const rejected = (minute: number, id: number) => aTold(minute, { stories: [aChange(id, { state: 'rejected' })] });

  it('tells of a story that became mine, and of one of mine that was rejected', () => {
    assertNotice([assigned(1, 12)], 'Ada Fenn assigned “Bake bread” to you.', [12]);
    assertNotice([rejected(1, 12)], 'Ada Fenn rejected your story “Bake bread”.', [12]);
  });

  it('is silent about what was not wished for', () => {
    assertNotice([assigned(1, 12)], undefined, [], ['rejected']);
    assertNotice([rejected(1, 12)], undefined, [], ['assigned']);
    assertNotice([assigned(1, 12), rejected(2, 12)], undefined, [], []);
    assertNotice([aTold(1, { stories: [aChange(12, { state: 'accepted' })] })], undefined);
    assertNotice([], undefined);
  });

  it('is silent about others’ stories, and about what I did myself', () => {
    assertNotice([assigned(1, 12, 'Cy Dunn')], undefined);
    assertNotice([rejected(1, 13)], undefined);
    assertNotice([{ ...assigned(1, 12), isOwn: true }], undefined);
    assertNotice([aTold(1, { author: ME, stories: [aChange(12, { ownedBy: ME })] })], undefined);
  });

  it('goes by the owner that the rejection itself gives or takes away', () => {
    const given = aTold(1, { stories: [aChange(13, { state: 'rejected', ownedBy: ME })] });
    assertNotice([given], 'Ada Fenn rejected your story “Sweep the floor”.', [13], ['rejected']);
    assertNotice([aTold(1, { stories: [aChange(12, { state: 'rejected' }, 'ownedBy')] })], undefined);
  });

  it('is silent while nobody knows what I am called', () => {
    assert.equal(notice([assigned(1, 12)], context(['assigned'], '')), undefined);
    assert.equal(notice([assigned(1, 12)], { ...context(['assigned']), personIn: () => undefined }), undefined);
  });

  const delivered = (minute: number, id: number) => aTold(minute, { stories: [aChange(id, { state: 'delivered' })] });
  const commented = (minute: number, id: number, text: string, isTold = true) =>
    aTold(minute, {
      eventType: 'note_create',
      description: `Ada Fenn added comment: "${text}" to "It"`,
      stories: [aChange(id, isTold ? { notes: [aNote({ text })] } : {})],
    });

  it('tells of a story that I requested and that was delivered, by whomever it is owned', () => {
    assertNotice([delivered(1, 13)], 'Ada Fenn delivered “Sweep the floor” for you to accept.', [13], ['delivered']);
    assertNotice([delivered(1, 12)], undefined, [], ['delivered']);
    const given = aTold(1, { stories: [aChange(77, { name: 'Mop', state: 'delivered', requestedBy: ME })] });
    assertNotice([given], 'Ada Fenn delivered “Mop” for you to accept.', [77], ['delivered']);
    assertNotice([delivered(1, 13)], undefined, [], ['assigned', 'rejected', 'commented', 'mentioned']);
  });

  it('tells of a comment on a story that I own, and of none on others’', () => {
    assertNotice([commented(1, 12, 'Hot')], 'Ada Fenn commented on your story “Bake bread”.', [12], ['commented']);
    assertNotice([commented(1, 13, 'Hot')], undefined, [], ['commented']);
    const deleted = aTold(1, { eventType: 'note_delete', stories: [aChange(12)] });
    assertNotice([deleted], undefined, [], ['commented', 'mentioned']);
    assertNotice([{ ...commented(1, 12, 'Hot'), isOwn: true }], undefined, [], ['commented']);
  });

  it('tells of a comment that mentions me, on whoever’s story, by my name or my initials behind an @', () => {
    for (const text of ['Ask bo marsh!', '@BM, look', 'See (@bm)', '@Bo Marsh']) {
      assertNotice([commented(1, 13, text)], 'Ada Fenn mentioned you in “Sweep the floor”.', [13], ['mentioned']);
      const isTold = false;
      assertNotice(
        [commented(1, 13, text, isTold)],
        'Ada Fenn mentioned you in “Sweep the floor”.',
        [13],
        ['mentioned'],
      );
    }
    for (const text of ['Bo Marshall', 'BM', '@bms', 'x@bm.example', 'Bo. Marsh'])
      assertNotice([commented(1, 13, text)], undefined, [], ['mentioned']);
  });

  it('tells a comment on my story that mentions me once', () => {
    const both = ['commented', 'mentioned'] as const;
    assertNotice([commented(1, 12, '@bm?')], 'Ada Fenn mentioned you in “Bake bread”.', [12], both);
    assertNotice([commented(1, 12, 'Hot')], 'Ada Fenn commented on your story “Bake bread”.', [12], both);
    assertNotice([commented(1, 12, '@bm?')], 'Ada Fenn commented on your story “Bake bread”.', [12], ['commented']);
  });

  it('gathers several of each kind', () => {
    const three = (make: (minute: number) => ToldActivity) => [1, 2, 3].map(make);
    const mine = (id: number, changed: Partial<Story>) => aTold(id, { stories: [aChange(id, changed)] });
    assertNotice(
      three((id) => mine(id, { state: 'delivered', requestedBy: ME })),
      '3 stories were delivered for you to accept: “Story #1”, “Story #2”, “Story #3”.',
      [1, 2, 3],
      ['delivered'],
    );
    assertNotice(
      three((id) => commented(id, id, '@bm')),
      'You were mentioned in 3 stories: “Story #1”, “Story #2”, “Story #3”.',
      [1, 2, 3],
      ['mentioned'],
    );
  });

  it('gathers several in a sentence, the oldest first, each story once', () => {
    assertNotice(
      [assigned(4, 13), assigned(3, 12), assigned(2, 13)],
      '2 stories are now yours: “Sweep the floor”, “Bake bread”.',
      [13, 12],
    );
    assertNotice(
      [1, 2, 3, 4, 5].map((id) => assigned(id, id)),
      '5 stories are now yours: “Story #1”, “Story #2”, “Story #3” and 2 more.',
      [1, 2, 3, 4, 5],
    );
  });

  it('says both of a story that became mine and was rejected', () => {
    assertNotice(
      [rejected(2, 12), assigned(1, 12)],
      'Ada Fenn assigned “Bake bread” to you. Ada Fenn rejected your story “Bake bread”.',
      [12],
    );
  });

  it('keeps to one line of visible text whatever names hold', () => {
    const story = aChange(77, { name: 'Left\u202eright\n\n[Click](command:x)', ownedBy: ME });
    const { text = '' } = notice([aTold(1, { author: 'A\u0000da', stories: [story] })], context(['assigned'])) ?? {};
    assert.equal(text, 'A\ufffdda assigned “Left\ufffdright [Click](command:x)” to you.');
  });

  it('says someone where a server does not say who', () => {
    const { author: _, ...nobody } = assigned(1, 12).activity;
    assertNotice([{ ...assigned(1, 12), activity: nobody }], 'Someone assigned “Bake bread” to you.', [12]);
  });
});

describe('Gathered', () => {
  it('shows what comes while something is shown in one go, after it', async () => {
    const { gathered, shown, next } = heldShows();
    const first = gathered.add(Promise.resolve([1]));
    await turn();
    await Promise.all([gathered.add(Promise.resolve([2])), gathered.add(Promise.resolve([3, 4]))]);
    await next();
    await next();
    await first;
    assert.deepEqual(shown, [[1], [2, 3, 4]]);
  });

  it('shows nothing twice that was shown while more was asked for', async () => {
    const { gathered, shown, next } = heldShows();
    const first = gathered.add(Promise.resolve([1]));
    await turn();
    await gathered.add(Promise.resolve([2]));
    const late = Promise.withResolvers<readonly number[]>();
    const last = gathered.add(late.promise);
    await next();
    late.resolve([3]);
    await last;
    await next();
    await next();
    await first;
    assert.deepEqual(shown, [[1], [2], [3]]);
  });

  it('loses nothing of several that ask at once', async () => {
    const { gathered, shown, next } = heldShows();
    const first = gathered.add(Promise.resolve([1]));
    await turn();
    const [one, other] = [Promise.withResolvers<readonly number[]>(), Promise.withResolvers<readonly number[]>()];
    const both = Promise.all([gathered.add(one.promise), gathered.add(other.promise)]);
    one.resolve([2]);
    other.resolve([3]);
    await both;
    await next();
    await next();
    await first;
    assert.deepEqual(shown, [[1], [2, 3]]);
  });

  it('goes on after one that could not be shown', async () => {
    const shown: number[] = [];
    const gathered = new Gathered<number>(async ([one = 0]) => {
      if (one === 1) throw new Error('no');
      shown.push(one);
    });
    await assert.rejects(gathered.add(Promise.resolve([1])));
    await gathered.add(Promise.resolve([2]));
    assert.deepEqual(shown, [2]);
  });
});

/** What is shown stays until `next`. */
function heldShows() {
  const shown: (readonly number[])[] = [];
  let end = Promise.withResolvers<void>();
  const gathered = new Gathered<number>((all) => {
    shown.push(all);
    end = Promise.withResolvers<void>();
    return end.promise;
  });
  const next = async () => {
    end.resolve();
    await turn();
  };
  return { gathered, shown, next };
}
