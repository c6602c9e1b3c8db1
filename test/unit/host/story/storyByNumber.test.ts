import assert from 'node:assert/strict';
import { TrackerError } from '../../../../src/core/errors.ts';
import type { Account } from '../../../../src/host/accounts/account.ts';
import { Backlogs } from '../../../../src/host/projects/backlogs.ts';
import { storyByNumber } from '../../../../src/host/story/storyByNumber.ts';
import { aStory } from '../../../support/builders/builders.ts';
import { silentLog } from '../../../support/silentLog.ts';
import { away, bakery, FakeAccounts, mill, projects, replicaAccount, settled } from '../projects/heldServers.ts';

const texts = { noProject: 'None yet.', goneProject: 'Gone.', unsentStory: 'Not there yet.', signedOut: 'Signed out.' };
const [onBakery, onMill] = ['https://bakery.example', 'https://mill.example'];

describe('the story that a program means', () => {
  let accounts: FakeAccounts;
  let backlogs: Backlogs;
  /** The stories of each account's server; `undefined` where it does not answer. */
  let stories: Readonly<Record<string, readonly number[] | undefined>>;

  beforeEach(() => {
    accounts = new FakeAccounts();
    accounts.accounts = [bakery, mill];
    stories = { bakery: [12], mill: [12, 13] };
    accounts.trackers = (accountId) => ({
      getStory: async ({ storyId }) => {
        const there = stories[accountId];
        if (!there) throw away;
        if (!there.includes(storyId)) throw new TrackerError('notFound', 'No such story.');
        return aStory({ id: storyId, name: accountId });
      },
    });
    backlogs = new Backlogs({ accounts, replicaAccount, texts, log: silentLog });
  });
  afterEach(() => backlogs.dispose());

  /** Each account's server tells that it has project 1, or that it is away. */
  async function listed(...without: readonly Account[]): Promise<void> {
    const listing = backlogs.projects();
    await settled();
    for (const account of accounts.accounts) {
      const { lists } = accounts.sync(account.id);
      await (without.includes(account) ? lists.fail() : lists.answer(projects(1)));
    }
    await listing;
  }

  const find = async (name: Parameters<typeof storyByNumber>[1]) => {
    const { key, story } = await storyByNumber(
      { accounts, backlogs } as unknown as Parameters<typeof storyByNumber>[0],
      name,
    );
    return `#${story.id} ${key.accountId} ${key.projectId}`;
  };
  const refused = (name: Parameters<typeof storyByNumber>[1], message: string | RegExp) =>
    assert.rejects(find(name), { message });

  it('is the one on the only server that has it, nothing being loaded', async () => {
    await listed();
    assert.equal(await find({ storyId: 13 }), '#13 mill 1');
    await refused({ storyId: 14 }, 'Could not find story #14 in your projects.');
  });

  it('is told by its server where projects and stories have the same numbers', async () => {
    await listed();
    const several =
      'Several servers have a story #12. Pass its projectId and server: ' +
      '1 on https://bakery.example, 1 on https://mill.example.';
    await refused({ storyId: 12 }, several);
    await refused({ storyId: 12, projectId: 1 }, several);
    assert.equal(await find({ storyId: 12, server: onMill }), '#12 mill 1');
    assert.equal(await find({ storyId: 12, projectId: 1, server: onBakery }), '#12 bakery 1');
  });

  it('is not guessed while a server that may have it cannot be asked', async () => {
    await listed();
    stories = { ...stories, bakery: undefined };
    const silent =
      /^Could not ask https:\/\/bakery\.example\. Pass the server that is meant, one of .+mill\.example\.$/;
    await refused({ storyId: 12 }, silent);
    assert.equal(await find({ storyId: 12, server: onMill }), '#12 mill 1');
    await refused({ storyId: 12, server: onBakery }, away.message);
  });

  it('is not guessed while a server has not told its projects', async () => {
    const finding = refused({ storyId: 12 }, /^Several servers/);
    await settled();
    await accounts.sync('mill').lists.answer(projects(1));
    await accounts.sync('bakery').lists.answer(projects(1));
    await finding;
  });

  it('is not guessed where a server never told its projects', async () => {
    await listed(bakery);
    await refused({ storyId: 12 }, /^Could not ask https:\/\/bakery\.example\./);
    assert.equal(await find({ storyId: 12, server: onMill }), '#12 mill 1');
  });

  it('is seen by one of several people who are signed in to its server', async () => {
    accounts.accounts = [bakery, { ...bakery, id: 'other' }];
    stories = { bakery: [], other: [12] };
    await listed();
    assert.equal(await find({ storyId: 12 }), '#12 other 1');
  });
});
