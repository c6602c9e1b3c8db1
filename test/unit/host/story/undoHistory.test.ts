import assert from 'node:assert/strict';
import { UndoHistory } from '../../../../src/host/story/undoHistory.ts';

type Per = ConstructorParameters<typeof UndoHistory>[0]['per'];

const one = { accountId: 'a', projectId: 1 };
const other = { accountId: 'a', projectId: 2 };
const entry = (name: string, key = one) => ({ key, name });
const historyOf = (per: Per, count = 2) => new UndoHistory<ReturnType<typeof entry>>({ count, per });

describe('What can be undone', () => {
  it('is the latest of the project that is named, else the latest of all', () => {
    const { done } = historyOf('project');
    done.put(entry('a'));
    done.put(entry('b', other));
    assert.equal(done.last()?.name, 'b');
    assert.equal(done.last(one)?.name, 'a');
    assert.equal(done.last({ accountId: 'b', projectId: 1 })?.name, 'b', 'a project with none takes that of any');
  });

  it('is so much of each project, or of the window', () => {
    const names = ({ done }: ReturnType<typeof historyOf>) =>
      [...done.of(one), ...done.of(other)].map(({ name }) => name);
    const filled = (per: Per) => {
      const history = historyOf(per);
      for (const name of ['a', 'b', 'c']) history.add(entry(name));
      for (const name of ['d', 'e']) history.add(entry(name, other));
      return history;
    };
    assert.deepEqual(names(filled('project')), ['b', 'c', 'd', 'e']);
    assert.deepEqual(names(filled('window')), ['d', 'e']);
  });

  it('cannot be done again after something new in its project, or in the window', () => {
    const undoneAfterNew = (per: Per) => {
      const history = historyOf(per);
      history.undone.put(entry('a'));
      history.undone.put(entry('b', other));
      history.add(entry('c'));
      return history.undone.last()?.name;
    };
    assert.equal(undoneAfterNew('project'), 'b');
    assert.equal(undoneAfterNew('window'), undefined);
  });

  it('goes with its project', () => {
    const history = historyOf('project');
    history.add(entry('a'));
    history.undone.put(entry('b'));
    history.keep(({ projectId }) => projectId === 2);
    assert.deepEqual([history.done.last(), history.undone.last()], [undefined, undefined]);
  });

  it('is undone one after the other, once what was begun before is there', async () => {
    const history = historyOf('project');
    const told: string[] = [];
    const added = history.expect();
    const turns = ['first', 'second'].map((name) =>
      history.inTurn(async () => {
        told.push(`${name} begins`);
        await Promise.resolve();
        told.push(`${name} ends`);
        if (name === 'first') throw new Error('Refused.');
      }),
    );
    await Promise.resolve();
    assert.deepEqual(told, []);
    added();
    const outcomes = await Promise.allSettled(turns);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
    assert.deepEqual(told, ['first begins', 'first ends', 'second begins', 'second ends']);
  });
});
