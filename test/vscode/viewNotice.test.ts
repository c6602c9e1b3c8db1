import assert from 'node:assert/strict';
import { TrackerError } from '../../src/core/errors.ts';
import type { OutboxEntry } from '../../src/core/outbox/outbox.ts';
import { signedOut, viewNotice } from '../../src/features/stories/tree/treeTexts.ts';
import type { Account } from '../../src/host/accounts/account.ts';

const bakery: Account = { id: 'bakery', label: 'bakery.example', kind: 'server', baseUrl: 'https://bakery.example' };
const mill: Account = { id: 'mill', label: 'mill.example', kind: 'server', baseUrl: 'https://mill.example' };

describe('What the Stories view says above its rows', () => {
  const nothing = { failures: [], signInOf: () => '', isSlow: () => false, readAt: undefined, unsent: [] };
  const message = (known: Partial<Parameters<typeof viewNotice>[0]>, accounts: readonly Account[] = [bakery]) =>
    viewNotice({ ...nothing, ...known }, accounts, undefined).message;

  it('is nothing while servers answer', () => {
    assert.equal(message({}), undefined);
  });

  it('is that a server is slow to answer, for each that is', () => {
    assert.equal(message({ isSlow: () => true }), 'bakery.example is slow to answer.');
    assert.equal(message({ isSlow: (id) => id === 'mill' }, [bakery, mill]), 'mill.example is slow to answer.');
  });

  const entry = (accountId: string, state: OutboxEntry['state'] = 'waiting'): OutboxEntry => ({
    ...{ id: accountId, place: 1, addedAt: 0, attempts: 1, state },
    project: { accountId, address: '', projectId: 1 },
    intent: { kind: 'comment', storyId: 2, text: 'x' },
  });

  it('counts what is being sent where others wait behind it, or its server is slow', () => {
    const signInOf = () => 'bakery.example';
    const sending = entry('bakery', 'sending');
    assert.equal(message({ unsent: [sending], signInOf }), undefined);
    const unsent = [sending, entry('bakery'), entry('bakery'), entry('bakery')];
    assert.equal(message({ unsent, signInOf }), '4 unsent changes for bakery.example.');
    assert.match(
      message({ unsent: [sending], signInOf, isSlow: () => true }) ?? '',
      /^1 unsent change for bakery\.example\.$/m,
    );
  });

  it('says for whom changes wait, as the sign-in is called', () => {
    const unsent = [entry('ada'), entry('ben'), entry('ben')];
    assert.equal(
      message({ unsent, signInOf: ({ accountId }) => `bakery.example (${accountId})` }),
      '1 unsent change for bakery.example (ada).\n2 unsent changes for bakery.example (ben).',
    );
  });

  it('is also why the rows are old, when the server was asked again', () => {
    const error = new TrackerError('timeout', 'bakery.example did not answer in time.');
    const text = message({ failures: [{ account: bakery, error }], isSlow: () => true });
    assert.equal(text, 'bakery.example did not answer in time.\nbakery.example is slow to answer.');
  });

  it('leaves it to a row that a server no longer accepts the sign-in, but for how old the rows are', () => {
    const error = new TrackerError('unauthorized', 'bakery.example does not accept the API token.');
    const failures = [
      { account: bakery, error },
      { account: mill, error: new TrackerError('unreachable', 'Nothing answers at mill.example.') },
      { account: bakery, error },
    ];
    assert.equal(message({ failures }, [bakery, mill]), 'Nothing answers at mill.example.');
    assert.match(message({ failures: failures.slice(0, 1), readAt: 0 }) ?? '', /^Shown as of [^\n]+\.$/);
    assert.deepEqual(signedOut({ failures }), [bakery]);
  });
});
