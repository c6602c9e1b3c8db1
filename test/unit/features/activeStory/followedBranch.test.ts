import assert from 'node:assert/strict';
import type { ActiveStory } from '../../../../src/core/activeStory/storyBinding.ts';
import { FollowedBranch } from '../../../../src/features/activeStory/followedBranch.ts';

const story = (storyId: number): ActiveStory => ({ accountId: 'ada', projectId: 7, storyId });

/** A repository whose bindings are answered when the test says so. */
class Checkout {
  head: { readonly name?: string } | undefined = { name: 'main' };
  remembered: ActiveStory | undefined;
  changes = 0;
  readonly asked: string[] = [];
  readonly answers = new Map<string, PromiseWithResolvers<ActiveStory | undefined>>();
  readonly branch = new FollowedBranch({
    head: () => this.head,
    bound: (name) => {
      this.asked.push(name);
      const answer = Promise.withResolvers<ActiveStory | undefined>();
      this.answers.set(name, answer);
      return answer.promise;
    },
    remembered: async () => this.remembered,
    remember: async (one) => {
      this.remembered = one;
    },
    changed: () => this.changes++,
  });

  async checkOut(name: string, bound?: ActiveStory): Promise<void> {
    this.head = { name };
    const looking = this.branch.look();
    this.answers.get(name)?.resolve(bound);
    await looking;
  }
}

describe('A followed branch', () => {
  it('has the story that it is bound to, and none when it is not bound', async () => {
    const checkout = new Checkout();
    await checkout.checkOut('feature/12', story(12));
    assert.deepEqual(checkout.branch.story, story(12));
    assert.deepEqual(checkout.remembered, story(12));
    await checkout.checkOut('main');
    assert.equal(checkout.branch.story, undefined);
    assert.equal(checkout.remembered, undefined);
    assert.equal(checkout.changes, 2);
  });

  it('asks Git nothing while the branch stays', async () => {
    const checkout = new Checkout();
    await checkout.checkOut('feature/12', story(12));
    for (let event = 0; event < 10; event++) await checkout.branch.look();
    assert.deepEqual(checkout.asked, ['feature/12']);
  });

  it('keeps the story while no branch is checked out, and has it again in another window', async () => {
    const checkout = new Checkout();
    await checkout.checkOut('feature/12', story(12));
    checkout.head = {};
    await checkout.branch.look();
    assert.deepEqual(checkout.branch.story, story(12));
    const other = new Checkout();
    Object.assign(other, { head: {}, remembered: checkout.remembered });
    await other.branch.look();
    assert.deepEqual(other.branch.story, story(12));
  });

  it('drops the answer for a branch that was left in the meantime', async () => {
    const checkout = new Checkout();
    checkout.head = { name: 'feature/12' };
    const first = checkout.branch.look();
    await checkout.checkOut('main');
    checkout.answers.get('feature/12')?.resolve(story(12));
    await first;
    assert.equal(checkout.branch.story, undefined);
    assert.equal(checkout.remembered, undefined);
  });

  it('drops an answer that comes after a story was chosen', async () => {
    const checkout = new Checkout();
    const looking = checkout.branch.look();
    checkout.branch.put(story(34));
    checkout.answers.get('main')?.resolve(undefined);
    await looking;
    assert.deepEqual(checkout.branch.story, story(34));
  });

  it('waits while Git has not told what is checked out', async () => {
    const checkout = new Checkout();
    checkout.head = undefined;
    await checkout.branch.look();
    assert.deepEqual([checkout.asked, checkout.changes], [[], 0]);
  });
});
