import assert from 'node:assert/strict';
import { type AccountState, ProjectList, projectEntries } from '../../../../src/host/projects/projectList.ts';
import { away, bakery, mill, projects } from './heldServers.ts';

const answered = (account: typeof bakery, ...ids: readonly number[]) =>
  ({ status: 'fulfilled', value: projectEntries(account, projects(...ids)) }) as const;
const failed = (reason: unknown) => ({ status: 'rejected', reason }) as const;
const state = (fields: Partial<AccountState> & Pick<AccountState, 'account'>): AccountState => ({
  unread: new Map(),
  ...fields,
});

describe('The list of projects', () => {
  let list: ProjectList;
  const shown = () => list.keys.map(({ accountId, projectId }) => `${accountId} ${projectId}`);
  const problems = () => list.failures.map(({ account, error }) => [account.id, error]);

  beforeEach(() => {
    list = new ProjectList();
  });

  it('is not known before someone told it', () => {
    assert.deepEqual([list.entries, list.keys, list.readAt, problems()], [undefined, [], undefined, []]);
    list.takeAnswers([], []);
    assert.deepEqual(list.entries, []);
    assert.ok(list.readAt !== undefined, 'who has no account has no projects');
  });

  it('has the projects of the accounts in their order', () => {
    list.takeAnswers([mill, bakery], [answered(mill, 5, 4), answered(bakery, 1)]);
    assert.deepEqual(shown(), ['mill 5', 'mill 4', 'bakery 1']);
    assert.equal(list.entry({ accountId: 'mill', projectId: 4 })?.project.name, 'Project 4');
    assert.equal(list.entry({ accountId: 'bakery', projectId: 4 }), undefined);
  });

  it('keeps the projects of who has not answered yet, and of who could not be asked', () => {
    list.takeAnswers([bakery, mill], [answered(bakery, 1), answered(mill, 5)]);
    list.takeAnswers([bakery, mill], [answered(bakery, 2), undefined]);
    assert.deepEqual([shown(), problems()], [['bakery 2', 'mill 5'], []]);
    list.takeAnswers([bakery, mill], [answered(bakery, 2), failed(away)]);
    assert.deepEqual(shown(), ['bakery 2', 'mill 5']);
    assert.deepEqual(problems(), [['mill', away]]);
  });

  it('tells of a failure until that account answers, not until another does', () => {
    list.takeAnswers([bakery, mill], [answered(bakery, 1), failed(away)]);
    list.takeAnswers([bakery, mill], [answered(bakery, 1), undefined]);
    assert.deepEqual(problems(), [['mill', away]]);
    list.takeAnswers([bakery, mill], [undefined, answered(mill, 5)]);
    assert.deepEqual(problems(), []);
  });

  it('tells which servers have answered, with their projects or with why there are none', () => {
    const known = () => [bakery, mill].map((account) => list.isAnswered(account));
    assert.deepEqual(known(), [false, false]);
    list.takeAnswers([], []);
    assert.deepEqual(known(), [false, false], 'nobody was asked');
    list.takeAnswers([bakery, mill], [answered(bakery), undefined]);
    assert.deepEqual(known(), [true, false]);
    list.takeAnswers([bakery, mill], [undefined, failed(away)]);
    assert.deepEqual(known(), [true, true]);
    list.takeAnswers([mill], [answered(mill, 5)]);
    assert.deepEqual(known(), [false, true], 'signed out of the bakery');
    list.follow([state({ account: bakery, listed: projects(1) })]);
    assert.deepEqual(known(), [true, true]);
  });

  it('has answers of an earlier session for such', () => {
    list.paint(projectEntries(bakery, projects(1)), 1);
    assert.deepEqual([list.isAnswered(bakery), list.isAnswered(mill)], [true, false]);
  });

  it('forgets who is not among the accounts any more', () => {
    list.takeAnswers([bakery, mill], [answered(bakery, 1), failed(away)]);
    list.markUnread({ accountId: 'bakery', projectId: 1 }, away);
    list.takeAnswers([mill], [answered(mill, 5)]);
    assert.deepEqual([shown(), problems()], [['mill 5'], []]);
    assert.equal(list.isUnread({ accountId: 'bakery', projectId: 1 }), false);
  });

  it('names an account once, for its list before a project of it', () => {
    const reason = new Error('The project is broken.');
    list.takeAnswers([bakery, mill], [answered(bakery, 1), answered(mill, 5)]);
    list.markUnread({ accountId: 'mill', projectId: 5 }, reason);
    assert.deepEqual(problems(), [['mill', reason]]);
    list.takeAnswers([bakery, mill], [answered(bakery, 1), failed(away)]);
    assert.deepEqual(problems(), [['mill', away]]);
    assert.deepEqual(
      list.failed.map(({ account }) => account.id),
      ['mill'],
    );
  });

  it('tells once that a project can be read again', () => {
    const key = { accountId: 'bakery', projectId: 1 };
    list.markUnread(key, away);
    assert.equal(list.errorOf(key), away);
    assert.deepEqual([list.markRead(key), list.markRead(key), list.errorOf(key)], [true, false, undefined]);
  });

  it('is as old as it was told to be, until a server answers', () => {
    list.paint(projectEntries(bakery, projects(1)), 1000);
    assert.deepEqual([shown(), list.readAt], [['bakery 1'], 1000]);
    list.takeAnswers([bakery], [failed(away)]);
    assert.equal(list.readAt, 1000);
    list.takeAnswers([bakery], [answered(bakery, 1)]);
    assert.ok((list.readAt ?? 0) > 1000);
  });

  describe('when something is found out without being asked for', () => {
    beforeEach(() => {
      list.takeAnswers([bakery, mill], [answered(bakery, 1, 2), answered(mill, 5)]);
    });

    it('has the new list of an account in the place of the old one', () => {
      list.follow([state({ account: bakery, listed: projects(3) })]);
      assert.deepEqual(shown(), ['bakery 3', 'mill 5']);
    });

    it('stays where the list of an account is as before', () => {
      list.follow([state({ account: bakery })]);
      assert.deepEqual(shown(), ['bakery 1', 'bakery 2', 'mill 5']);
    });

    it('tells of failures of lists and of single projects, and who is back', () => {
      const reason = new Error('The project is broken.');
      assert.deepEqual([...list.follow([state({ account: mill, error: away })])], []);
      assert.deepEqual(problems(), [['mill', away]]);
      assert.deepEqual([...list.follow([state({ account: bakery, unread: new Map([[2, reason]]) })])], []);
      assert.equal(list.errorOf({ accountId: 'bakery', projectId: 2 }), reason);
      assert.deepEqual(
        problems().map(([id]) => id),
        ['mill', 'bakery'],
      );
      assert.deepEqual([...list.follow([state({ account: bakery }), state({ account: mill })])], ['mill']);
      assert.deepEqual(problems(), []);
    });

    it('is as new as the latest that was told, never older than before', () => {
      const before = list.readAt ?? 0;
      list.follow([state({ account: bakery, readAt: 5 })]);
      assert.equal(list.readAt, before);
      list.follow([state({ account: bakery, readAt: before + 10 }), state({ account: mill, readAt: 7 })]);
      assert.equal(list.readAt, before + 10);
    });
  });
});
