import assert from 'node:assert/strict';
import { DraftMemory } from '../../../../src/features/storyPanel/draftMemory.ts';
import type { DraftField } from '../../../../src/features/storyPanel/storyDrafts.ts';
import { fieldTexts } from '../../../../src/features/storyPanel/storyFields.ts';
import { aStory, without } from '../../../support/builders/builders.ts';

describe('What was written of a story that is being made', () => {
  const kept = new Map<string, unknown>();
  const memory = {
    keys: () => [...kept.keys()],
    get: <T>(name: string, otherwise?: T) => (kept.get(name) as T | undefined) ?? otherwise,
    update: async (name: string, value: unknown) => {
      if (value === undefined) kept.delete(name);
      else kept.set(name, value);
    },
  };
  const made = fieldTexts(without(aStory({ name: 'Bake', description: 'Rye' }), 'requestedBy'));
  const [ofNew, ofStory] = [new DraftMemory(memory, 'new'), new DraftMemory(memory, 'story')];

  beforeEach(async () => {
    kept.clear();
    const written: readonly (readonly [DraftField, string])[] = [
      ['name', 'Bake'],
      ['description', 'Rye and wheat'],
      ['labels', 'oven'],
    ];
    for (const [field, text] of written) await ofNew.store({ field, base: '', text });
  });

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
});
