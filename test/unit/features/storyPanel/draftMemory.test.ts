import assert from 'node:assert/strict';
import { DraftMemory, NewStoryMemory } from '../../../../src/features/storyPanel/draftMemory.ts';
import type { DraftField } from '../../../../src/features/storyPanel/storyDrafts.ts';
import { fieldTexts } from '../../../../src/features/storyPanel/storyFields.ts';
import { aStory, without } from '../../../support/builders/builders.ts';
import { KeptDrafts } from '../../../support/windows/keptDrafts.ts';

describe('What was written of a story that is being made', () => {
  let kept: KeptDrafts;
  let ofNew: NewStoryMemory;
  let ofStory: DraftMemory;
  let inAnotherWindow: NewStoryMemory;
  const made = fieldTexts(without(aStory({ name: 'Bake', description: 'Rye' }), 'requestedBy'));

  beforeEach(async () => {
    kept = new KeptDrafts();
    ofNew = new NewStoryMemory(kept.drafts, 'new');
    inAnotherWindow = new NewStoryMemory(kept.ofAnotherWindow(), 'new');
    ofStory = new DraftMemory(kept.drafts, 'story');
    const written: readonly (readonly [DraftField, string])[] = [
      ['name', 'Bake'],
      ['description', 'Rye and wheat'],
      ['labels', 'oven'],
    ];
    for (const [field, text] of written) await ofNew.store({ field, base: '', text });
  });

  afterEach(() => kept.dispose());

  it('is forgotten where the story has it, and else goes on in the fields of the story', async () => {
    await ofNew.handOver(made, ofStory);
    assert.deepEqual(ofNew.all(), []);
    assert.deepEqual(ofStory.all(), [
      { field: 'description', base: 'Rye', text: 'Rye and wheat' },
      { field: 'labels', base: '', text: 'oven' },
    ]);
  });

  it('stays where no server has the story yet', async () => {
    await ofNew.handOver(made, undefined);
    assert.deepEqual(
      ofNew.all().map(({ field }) => field),
      ['description', 'labels'],
    );
  });

  it('is never mixed with what another window has written of another new story', async () => {
    await inAnotherWindow.store({ field: 'name', base: '', text: 'Clean' });
    const later = new NewStoryMemory(kept.ofAnotherWindow(), 'new');
    const texts = () => later.all().map(({ text }) => text);
    assert.deepEqual(texts(), ['Clean']);
    await later.forget('name');
    assert.deepEqual(texts(), ['Bake', 'Rye and wheat', 'oven']);
  });
});
