import assert from 'node:assert/strict';
import { TrackerError } from '../../../../src/core/errors.ts';
import { editedStory } from '../../../../src/core/intents/edit.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import type { OutboxEntry } from '../../../../src/core/outbox/outbox.ts';
import type { Story, StoryEdit } from '../../../../src/core/story/story.ts';
import { DraftMemory } from '../../../../src/features/storyPanel/draftMemory.ts';
import { FieldEditing } from '../../../../src/features/storyPanel/fieldEditing.ts';
import type { FieldsToPage } from '../../../../src/features/storyPanel/fieldMessages.ts';
import { aStory } from '../../../support/builders/builders.ts';
import { eventually } from '../../../support/eventually.ts';
import { silentLog } from '../../../support/silentLog.ts';
import { KeptDrafts } from '../../../support/windows/keptDrafts.ts';
import { englishTexts } from './englishTexts.ts';

const key = { accountId: 'a', projectId: 1 };
const project = { ...key, address: 'https://tracker.example' };

describe('Saving what is written into the fields of a story', () => {
  let story: Story;
  let kept: KeptDrafts;
  let told: FieldsToPage[];
  let failed: OutboxEntry[];
  let answer: PromiseWithResolvers<void>;
  let isSignedIn = true;
  /** What the person says where an estimate is asked for; `null` when they turn away. */
  let estimate: { readonly estimate?: number } | null;
  /** What the server makes of a change, where it is not what was wanted. */
  let answered: readonly Story[];

  beforeEach(() => {
    story = aStory({ name: 'Bake', labels: ['old'] });
    kept = new KeptDrafts();
    told = [];
    failed = [];
    isSignedIn = true;
    estimate = {};
    answered = [];
    answer = Promise.withResolvers();
  });

  afterEach(() => kept.dispose());

  /** What a tab has of its story; a change shows before it is answered. */
  function openTab(drafts = kept.drafts): FieldEditing {
    const shown = {
      ...{ key, storyId: story.id, story: () => story, members: () => [] },
      estimated: async (_: Story, edit: StoryEdit) => (estimate === null ? undefined : { ...edit, ...estimate }),
      tell: (message: FieldsToPage) => told.push(message),
    };
    const backlogs = {
      get unsent() {
        return failed;
      },
      discard: async (id: string) => {
        failed = failed.filter((entry) => entry.id !== id);
        return true;
      },
      refreshStory: async () => story,
      peek: () => (isSignedIn ? {} : undefined),
    };
    const needs = {
      ...{ backlogs, log: silentLog },
      applyEdits: async (_: unknown, [wanted]: readonly { readonly intent: Intent }[]) => {
        const before = story;
        if (wanted?.intent.kind === 'edit') story = editedStory(story, wanted.intent.edit);
        await answer.promise.catch((thrown: unknown) => {
          story = before;
          throw thrown;
        });
        return answered;
      },
    };
    const memory = new DraftMemory(drafts, 'drafts');
    return new FieldEditing(needs as never, memory, shown, englishTexts);
  }

  const drafts = () => told.flatMap((message) => (message.type === 'drafts' ? message.drafts : []));
  const failure = (edit: StoryEdit, known: StoryEdit): OutboxEntry => ({
    ...{ id: 'e1', place: 1, project, state: 'failed', addedAt: 0, attempts: 1 },
    intent: { kind: 'edit', storyId: story.id, edit, known },
    problem: { kind: 'conflict', message: 'It was changed elsewhere.' },
  });

  it('offers what another window has of a field besides, unless that is the same', async () => {
    const tab = openTab();
    const another = openTab(kept.ofAnotherWindow());
    await tab.keep({ field: 'description', base: '', text: 'Older' });
    await another.keep({ field: 'description', base: '', text: 'Newer' });
    await another.keep({ field: 'name', base: 'Bake', text: 'Bake rye' });
    const third = openTab(kept.ofAnotherWindow());
    await third.offerAll();
    assert.deepEqual(drafts(), [
      { field: 'name', base: 'Bake', text: 'Bake rye', problem: '' },
      { field: 'description', base: '', text: 'Newer', problem: '', other: { base: '', text: 'Older' } },
    ]);
    told = [];
    await third.keep({ field: 'description', base: '', text: 'Older' });
    await third.offerAll();
    assert.deepEqual(drafts()[1], { field: 'description', base: '', text: 'Older', problem: '' });
  });

  describe('of a type that needs an estimate, asks for that', () => {
    const draft = { field: 'type', base: 'bug', text: 'feature' } as const;
    beforeEach(() => {
      story = aStory({ type: 'bug', state: 'started' });
    });

    it('and saves both', async () => {
      estimate = { estimate: 3 };
      answer.resolve();
      await openTab().save(draft);
      assert.deepEqual([story.type, story.estimate], ['feature', 3]);
      assert.deepEqual(told.at(-1), { type: 'fieldSaved', field: 'type', text: 'feature' });
    });

    it('and saves nothing when the person turns away', async () => {
      estimate = null;
      const tab = openTab();
      await tab.save(draft);
      assert.equal(story.type, 'bug');
      assert.deepEqual(told, [{ type: 'draftWithdrawn', field: 'type', text: 'feature' }]);
      assert.deepEqual(tab.kept, []);
    });
  });

  it('keeps a text that is refused after its tab was closed and opened again', async () => {
    const draft = { field: 'name', base: 'Bake', text: 'Bake rye' } as const;
    const saving = openTab().save(draft);
    const again = openTab();
    await again.offerAll();
    answer.reject(new TrackerError('refused', 'Not so.'));
    await saving;
    told = [];
    await openTab().offerAll();
    assert.deepEqual(
      drafts().map(({ field, text }) => [field, text]),
      [['name', 'Bake rye']],
    );
  });

  describe('tells what became of it by the answer of the server', () => {
    const draft = { field: 'name', base: 'Bake', text: 'Bake rye' } as const;
    const saved = { type: 'fieldSaved', field: 'name', text: 'Bake rye' };

    it('which took it, though it was set back before the tab knows', async () => {
      const saving = openTab().save(draft);
      await eventually(async () => assert.equal(story.name, draft.text));
      story = aStory({ name: 'Bake' });
      answer.resolve();
      await saving;
      assert.deepEqual([told, kept.values], [[saved], []]);
    });

    it('which stored none or half of it, whatever the story shows', async () => {
      answer.resolve();
      for (const name of ['Bake', 'Bake r']) {
        told = [];
        answered = [aStory({ name })];
        await openTab().save({ ...draft, base: story.name });
        const problem = englishTexts.writing.notKept;
        assert.deepEqual(drafts(), name === 'Bake' ? [{ ...draft, problem }] : [{ ...draft, base: name, problem }]);
        story = aStory({ name: 'Bake' });
      }
    });
  });

  describe('goes on from what is on its way', () => {
    const first = { field: 'name', base: 'Bake', text: 'Bake rye' } as const;
    const second = { field: 'name', base: 'Bake', text: 'Bake rye bread' } as const;

    it('where the page has not seen it arrive', async () => {
      answer.resolve();
      const tab = openTab();
      await Promise.all([tab.save(first), tab.save(second, first.text)]);
      assert.deepEqual([story.name, drafts(), kept.values], ['Bake rye bread', [], []]);
      await tab.save({ ...second, text: 'Bake spelt' }, 'Bake wheat');
      assert.match(drafts()[0]?.problem ?? '', /changed elsewhere/, 'what the page never sent is theirs');
    });

    it('in a page that was hidden in the meantime, which is told that it is', async () => {
      const tab = openTab();
      const saving = tab.save(first);
      await tab.offerAll();
      assert.deepEqual(drafts(), [{ ...first, problem: '', isSent: true }]);
      await tab.keep(second);
      await tab.offerAll();
      assert.deepEqual(drafts()[1], { ...second, base: first.text, problem: '' });
      answer.resolve();
      await saving;
      await openTab().offerAll();
      assert.deepEqual(drafts()[2], { ...second, base: first.text, problem: '' });
      await tab.keep({ ...second, text: 'Bake spelt' }, first.text);
      assert.deepEqual(tab.unsaved, [{ ...second, base: first.text, text: 'Bake spelt' }]);
    });
  });

  describe('has unsaved', () => {
    const draft = { field: 'name', base: 'Bake', text: 'Bake rye' } as const;

    it('nothing where what was typed was taken back', async () => {
      const tab = openTab();
      await tab.keep({ ...draft, text: 'Bake' });
      assert.deepEqual(tab.unsaved, []);
      await tab.keep(draft);
      assert.deepEqual(tab.unsaved, [draft]);
    });

    it('what was on its way once that is refused', async () => {
      const tab = openTab();
      void tab.save(draft);
      assert.deepEqual(tab.unsaved, []);
      answer.reject(new TrackerError('refused', 'Not so.'));
      await tab.whenSaved();
      assert.deepEqual(tab.unsaved, [draft]);
    });
  });

  it('leaves a refused change to the outbox that no draft can hold', async () => {
    failed = [failure({ name: 'Bake rye', labels: ['new'] }, { name: 'Bake', labels: [] })];
    await openTab().offerAll();
    assert.deepEqual([drafts(), failed.length], [[], 1]);
    failed = [failure({ labels: ['new'] }, { labels: [] })];
    await openTab().offerAll();
    assert.equal(failed.length, 1);
  });

  describe('takes theirs that was taken in the list of unsent changes', () => {
    const withdrawn = () => told.filter(({ type }) => type === 'draftWithdrawn');
    const taken = { type: 'draftWithdrawn', field: 'name', text: 'Bake rye' };
    let tab: FieldEditing;

    beforeEach(async () => {
      failed = [failure({ name: 'Bake rye' }, { name: 'Bread' })];
      tab = openTab();
      await tab.offerAll();
    });

    it('in place of the draft of that field', async () => {
      failed = [];
      await tab.offerFailed();
      assert.deepEqual(withdrawn(), [taken]);
      told = [];
      await openTab().offerAll();
      assert.deepEqual(drafts(), []);
    });

    it('also where the tab has kept that draft', async () => {
      await tab.keep({ field: 'name', base: 'Bread', text: 'Bake rye' });
      failed = [];
      await tab.offerFailed();
      assert.deepEqual([withdrawn(), tab.unsaved], [[taken], []]);
    });

    it('not in place of what was written on since', async () => {
      const draft = { field: 'name', base: 'Bread', text: 'Bake rye and spelt' } as const;
      await tab.keep(draft);
      failed = [];
      await tab.offerFailed();
      assert.deepEqual([withdrawn(), tab.unsaved], [[], [draft]]);
    });

    it('once, and not where the person has decided in the tab', async () => {
      await tab.discard('name');
      await tab.offerFailed();
      failed = [failure({ name: 'Bake rye' }, { name: 'Bread' })];
      await tab.offerFailed();
      assert.equal(drafts().length, 2, 'it failed again');
      failed = [];
      for (const _ of [1, 2]) await tab.offerFailed();
      assert.deepEqual(withdrawn(), [taken]);
    });

    it('not while it is tried again, and offers it once more where it fails once more', async () => {
      const [entry] = failed;
      assert.ok(entry);
      for (const state of ['waiting', 'sending'] as const) {
        failed = [{ ...entry, state }];
        await tab.offerFailed();
      }
      assert.deepEqual(withdrawn(), []);
      failed = [entry];
      for (const _ of [1, 2]) await tab.offerFailed();
      assert.deepEqual([withdrawn(), drafts().length], [[], 2]);
      failed = [];
      await tab.offerFailed();
      assert.deepEqual(withdrawn(), [taken]);
    });

    it('and nothing where the person has signed out, who has what failed again later', async () => {
      isSignedIn = false;
      failed = [];
      await tab.offerFailed();
      assert.deepEqual(withdrawn(), []);
    });
  });

  it('offers one that it can hold, and takes it off the outbox once the person has decided', async () => {
    failed = [failure({ name: 'Bake rye', description: 'Long' }, { name: 'Bread', description: null })];
    const tab = openTab();
    await tab.offerAll();
    assert.deepEqual(
      drafts().map(({ field, base, text }) => [field, base, text]),
      [
        ['name', 'Bread', 'Bake rye'],
        ['description', '', 'Long'],
      ],
    );
    await tab.discard('name');
    assert.deepEqual(failed, []);
    told = [];
    await openTab().offerAll();
    assert.deepEqual(
      drafts().map(({ field, text }) => [field, text]),
      [['description', 'Long']],
    );
  });
});
