import assert from 'node:assert/strict';
import type { ToldActivity } from '../../../../src/core/replica/replica.ts';
import { notice } from '../../../../src/features/activity/notice.ts';
import { aChange, aTold } from '../../../support/builders/activities.ts';
import { english } from './english.ts';

const ME = 'Bo Marsh';
const stories = new Map([
  [12, { name: 'Bake bread', ownedBy: ME }],
  [13, { name: 'Sweep the floor', ownedBy: 'Cy Dunn' }],
]);

type NoticeContext = Parameters<typeof notice>[1];
type Wish = NoticeContext['wishes'][number];

describe('notice', () => {
  function context(wishes: readonly Wish[], me: string | undefined = ME): NoticeContext {
    return { wishes, nameOn: () => me, storyOf: (_, id) => stories.get(id), texts: english };
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
    assert.equal(notice([assigned(1, 12)], { ...context(['assigned']), nameOn: () => undefined }), undefined);
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
