import assert from 'node:assert/strict';
import { BacklogMirror } from '../../../../src/host/projects/backlogMirror.ts';
import { BacklogReader } from '../../../../src/host/projects/backlogReader.ts';
import { BacklogState } from '../../../../src/host/projects/backlogState.ts';
import { LazyPendingChanges } from '../../../../src/host/projects/lazyPendingChanges.ts';
import { aStory } from '../../../support/builders/builders.ts';
import { silentLog } from '../../../support/silentLog.ts';
import { bakery, FakeAccounts, key, namesIn, replicaAccount, settled, whole } from './heldServers.ts';

describe('Pending changes whose code is read when it is needed', () => {
  let accounts: FakeAccounts;
  let state: BacklogState;
  let pending: LazyPendingChanges;

  beforeEach(async () => {
    accounts = new FakeAccounts();
    accounts.replica.backlogs = whole('m1', aStory({ id: 12, name: 'Bread' }));
    state = new BacklogState(new BacklogMirror({ accounts, replicaAccount }));
    await state.mirror.paint(key, () => undefined);
    pending = new LazyPendingChanges({
      ...{ outbox: accounts.outbox, state, log: silentLog },
      attendedAccounts: async () => accounts.accounts.map(replicaAccount),
      reader: new BacklogReader({ state, log: silentLog }),
    });
  });
  afterEach(() => {
    pending.dispose();
    state.dispose();
  });

  it('are none before that, and nobody is asked for any', async () => {
    await settled();
    assert.deepEqual([pending.opened, state.unsent, accounts.outbox.attended], [undefined, undefined, 0]);
    assert.deepEqual(namesIn(state.peek(key)), ['Bread']);
  });

  it('are opened once for all who need them, and shown from then on', async () => {
    const [one, other] = await Promise.all([pending.open(), pending.open()]);
    assert.equal(one, other);
    assert.deepEqual([pending.opened, state.unsent], [one, one.unsent]);
    void one.submit(key, replicaAccount(bakery), [{ kind: 'edit', storyId: 12, edit: { name: 'Rolls' } }]);
    assert.deepEqual([namesIn(state.peek(key)), namesIn(state.mirror.get(key))], [['Rolls'], ['Bread']]);
  });

  it('can be disposed before they are opened, and are told of nothing after that', async () => {
    pending.dispose();
    const opened = await pending.open();
    await opened.attend();
    pending.dispose();
    assert.equal(accounts.outbox.signal?.aborted, true);
  });
});
