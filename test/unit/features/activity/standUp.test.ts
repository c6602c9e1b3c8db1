import assert from 'node:assert/strict';
import type { Activity } from '../../../../src/core/story/activity.ts';
import {
  askedDay,
  dayChoices,
  dayIn,
  gapIn,
  type ProjectDeeds,
  standUp,
} from '../../../../src/features/activity/standUp.ts';
import { aChange, aTold } from '../../../support/builders/activities.ts';
import { anActivity } from '../../../support/builders/builders.ts';
import { english } from './english.ts';

const names = new Map([
  [12, 'Bake bread'],
  [13, 'Sweep\n the \u202efloor'],
]);

describe('standUp', () => {
  function bakery(activities: readonly Activity[], fields: Partial<ProjectDeeds> = {}): ProjectDeeds {
    return { projectName: 'Bakery', activities, nameOf: (id) => names.get(id), ...fields };
  }
  function assertText(projects: readonly ProjectDeeds[], ...lines: readonly string[]): void {
    assert.equal(standUp('My activity', projects, english), `${['My activity', '', ...lines].join('\n')}\n`);
  }
  const did = (minute: number, eventType: string, ...stories: Activity['stories']) =>
    aTold(minute, { eventType, stories, description: 'Ada Fenn did it' }).activity;
  const moved = (minute: number, state: string) => did(minute, 'story_update', aChange(12, { state }));
  const comment = (minute: number, id = 12) => did(minute, 'note_create', aChange(id));

  it('tells by story what was done, in the order it was done, counting what was done again', () => {
    assertText(
      [bakery([comment(9), comment(8, 13), comment(7), moved(6, 'started')])],
      '- #12 Bake bread — started, commented (2)',
      '- #13 Sweep the \ufffdfloor — commented',
    );
  });

  it('has a word for every kind of activity that servers are known to tell of', () => {
    const edit = (minute: number, changed: Parameters<typeof aChange>[1], ...cleared: 'ownedBy'[]) =>
      did(minute, 'story_update', aChange(12, changed, ...cleared));
    assertText(
      [
        bakery([
          did(1, 'story_create', aChange(12, { name: 'Bake bread', state: 'unscheduled', estimate: 2 })),
          edit(2, { estimate: 2 }),
          edit(3, { ownedBy: 'Ada Fenn', state: 'unstarted' }),
          edit(4, {}, 'ownedBy'),
          edit(5, { name: 'Bake' }),
          did(6, 'task_edit', aChange(12)),
          did(7, 'attachment_create', aChange(12)),
          edit(8, { state: 'delivered' }),
          did(9, 'story_delete', aChange(12)),
        ]),
      ],
      '- #12 Bake bread — added, estimated, changed the owner (2), edited, worked on tasks, attached a file, delivered, deleted',
    );
  });

  it('tells in the server’s words what it does not know, without the name at the beginning', () => {
    assertText([bakery([did(1, 'story_teleport', aChange(12))])], '- #12 Bake bread — did it');
    assertText([bakery([did(1, 'project_update')])], '- Otherwise — did it');
  });

  it('names each story that one activity is about, by what the activity says where it is known no more', () => {
    const both = did(1, 'story_update', aChange(12, { state: 'delivered' }), aChange(99, { name: 'Gone' }));
    assertText([bakery([both])], '- #12 Bake bread — delivered', '- #99 Gone — delivered');
    assertText([bakery([comment(1, 98)])], '- #98 — commented');
  });

  it('heads each project where there are several, and leaves out those without a deed', () => {
    const shop = bakery([comment(2)], { projectName: 'Shop' });
    assertText([bakery([]), shop], '- #12 Bake bread — commented');
    assertText(
      [bakery([comment(1)]), shop],
      '**Bakery**',
      '',
      '- #12 Bake bread — commented',
      '',
      '**Shop**',
      '',
      '- #12 Bake bread — commented',
    );
  });

  it('says why something may be missing', () => {
    assertText(
      [bakery([comment(1)], { remark: 'Bakery could not be asked.' })],
      '- #12 Bake bread — commented',
      '',
      '_Bakery could not be asked._',
    );
  });
});

const at = (day: number, hour = 0) => new Date(2026, 10, day, hour).getTime();

describe('The days that one may tell from', () => {
  function assertChoices(now: number, expected: Readonly<Record<string, number>>): void {
    const choices = dayChoices(now).map(({ kind, day }) => [kind, new Date(day).getDate()]);
    assert.deepEqual(choices, Object.entries(expected));
  }

  it('begin with the last working day', () => {
    assertChoices(at(20, 9), { lastWorkingDay: 19, monday: 16, today: 20 });
    assertChoices(at(17, 9), { lastWorkingDay: 16, today: 17 });
  });

  it('reach over a weekend', () => {
    assertChoices(at(16, 9), { lastWorkingDay: 13, monday: 16 });
    assertChoices(at(22, 9), { lastWorkingDay: 20, monday: 16, today: 22 });
    assertChoices(at(21, 23), { lastWorkingDay: 20, monday: 16, today: 21 });
  });

  it('are typed as dates that there are and that have begun', () => {
    assert.equal(dayIn('2026-11-09', at(20)), at(9));
    assert.equal(dayIn(' 2026/11/9 ', at(20)), at(9));
    for (const text of ['', 'monday', '2026-02-30', '2026-13-01', '2026-11-21', '09-11-2026']) {
      assert.equal(dayIn(text, at(20)), undefined, text);
    }
  });

  it('are asked for so early that no zone leaves anything out', () => {
    const furthestBehind = 12 * 60 * 60 * 1000;
    const asked = Date.parse(`${askedDay(at(20)).replaceAll('/', '-')}T00:00:00Z`);
    assert.match(askedDay(at(20)), /^\d{4}\/\d\d\/\d\d$/);
    assert.ok(asked <= at(20) - furthestBehind);
  });
});

describe('gapIn', () => {
  const answer = (count: number, oldest: number) =>
    Array.from({ length: count }, (_, index) =>
      anActivity({ id: index, occurredAt: { text: '', time: oldest + (count - 1 - index) * 1000 } }),
    );

  it('finds none in an answer that is not full, or reaches back', () => {
    assert.equal(gapIn(answer(99, at(20, 9)), at(20)), undefined);
    assert.equal(gapIn(answer(100, at(19, 23)), at(20)), undefined);
  });

  it('finds one where a full answer ends after the day began', () => {
    assert.deepEqual(gapIn(answer(100, at(20, 9)), at(20)), { kind: 'cutOff', count: 100, from: at(20, 9) });
  });

  it('finds one in a full answer whose times nobody can read', () => {
    const unreadable = Array.from({ length: 100 }, (_, id) => anActivity({ id, occurredAt: { text: 'yesterday' } }));
    assert.deepEqual(gapIn(unreadable, at(20)), { kind: 'cutOff', count: 100, from: at(20) });
  });
});
