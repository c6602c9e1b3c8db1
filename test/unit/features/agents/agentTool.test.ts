import assert from 'node:assert/strict';
import { meantBy } from '../../../../src/features/agents/agentTool.ts';
import { argumentForAll, requireOneServer } from '../../../../src/host/story/storyByNumber.ts';
import { aStory } from '../../../support/builders/builders.ts';

describe('several stories of a tool', () => {
  const found = (accountId: string, projectId: number, id: number) => ({
    key: { accountId, projectId },
    story: aStory({ id }),
  });

  it('may be of several projects, and of several people who are signed in', () => {
    const two = [found('ada', 1, 12), found('ada', 2, 34)];
    assert.deepEqual(argumentForAll(two), { storyIds: [12, 34], accountId: 'ada' });
    assert.deepEqual(argumentForAll([...two, found('bo', 3, 56)]), { storyIds: [12, 34, 56] });
  });

  it('are all on one server', () => {
    const baseUrlOf = ({ accountId }: { readonly accountId: string }) => `https://${accountId}.example`;
    const needs = { backlogs: { baseUrlOf } } as unknown as Parameters<typeof requireOneServer>[0];
    requireOneServer(needs, [found('ada', 1, 12), found('ada', 2, 34)]);
    assert.throws(() => requireOneServer(needs, [found('ada', 1, 12), found('builtIn', 1, 34)]), {
      message: 'A marker is for stories of one server. These are on https://ada.example, built-in.',
    });
  });

  it('are compared by account, project and number', () => {
    assert.equal(meantBy(found('ada', 1, 12), found('ada', 2, 34)), 'ada/1 #12, ada/2 #34');
    assert.notEqual(meantBy(found('ada', 1, 12)), meantBy(found('bo', 1, 12)));
  });
});
