import assert from 'node:assert/strict';
import { Confirmations } from '../../../../src/features/agents/confirmations.ts';

describe('what a person confirmed of a tool', () => {
  it('is not done to anything else', () => {
    const asked = new Confirmations();
    asked.note('addComment', { storyId: 12 }, 'mill/1 #12');
    asked.note('addComment', { storyId: 34 }, 'mill/1 #34');
    assert.ok(asked.isConfirmed('addComment', { storyId: 12 }, 'mill/1 #12'));
    assert.ok(!asked.isConfirmed('addComment', { storyId: 34 }, 'bakery/1 #34'));
  });

  it('is not known where two questions about the same call were about different things', () => {
    const asked = new Confirmations();
    for (const meant of ['mill/1 #12', 'bakery/1 #12']) asked.note('addComment', { storyId: 12 }, meant);
    assert.ok(!asked.isConfirmed('addComment', { storyId: 12 }, 'bakery/1 #12'));
    asked.note('addComment', { storyId: 12 }, 'bakery/1 #12');
    assert.ok(asked.isConfirmed('addComment', { storyId: 12 }, 'bakery/1 #12'));
  });

  it('is over once it was done', () => {
    const asked = new Confirmations();
    for (const meant of ['mill/1 #12', 'mill/1 #12']) asked.note('addComment', { storyId: 12 }, meant);
    assert.ok(asked.isConfirmed('addComment', { storyId: 12 }, 'mill/1 #12'));
    assert.ok(asked.isAsked('addComment', { storyId: 12 }));
    assert.ok(asked.isConfirmed('addComment', { storyId: 12 }, 'mill/1 #12'));
    assert.ok(!asked.isAsked('addComment', { storyId: 12 }));
  });

  it('is of one tool and input, and of the last calls only', () => {
    const asked = new Confirmations();
    for (let storyId = 1; storyId <= 21; storyId++) asked.note('addComment', { storyId }, 'mill/1');
    const isAsked = (tool: string, storyId: number) => asked.isAsked(tool, { storyId });
    assert.deepEqual(
      [isAsked('addComment', 1), isAsked('addComment', 2), isAsked('addComment', 21), isAsked('moveStory', 21)],
      [false, true, true, false],
    );
  });
});
