import assert from 'node:assert/strict';
import type { Story } from '../../../../src/core/story/story.ts';
import { type DraftField, draftFields } from '../../../../src/features/storyPanel/storyDrafts.ts';
import {
  fieldEdit,
  fieldTexts,
  knownEdit,
  newStoryFields,
  pageFields,
  writtenFields,
} from '../../../../src/features/storyPanel/storyFields.ts';
import { aProject, aStory, without } from '../../../support/builders/builders.ts';
import { englishTexts } from './englishTexts.ts';

const edit = (field: Exclude<DraftField, 'labels'>, text: string, people: readonly string[] = []) =>
  fieldEdit(field, text, people, englishTexts);

describe('The fields of a story', () => {
  it('are texts in the controls of the page', () => {
    const story = aStory({
      deadline: { text: '2027/12/31 23:00:00 EST', time: 1 },
      ownedBy: 'Bo',
      description: 'a\nb',
    });
    assert.deepEqual(fieldTexts(story), {
      name: 'Story 12',
      description: 'a\nb',
      type: 'feature',
      estimate: '2',
      ownedBy: 'Bo',
      requestedBy: 'Ada Fenn',
      labels: '',
      deadline: '2027-12-31',
    });
    assert.deepEqual(
      [aStory({ estimate: -1 }), aStory({ deadline: { text: 'XQT' } })].map((one) => [
        fieldTexts(one).estimate,
        fieldTexts(one).deadline,
      ]),
      [
        ['', ''],
        ['2', ''],
      ],
    );
  });

  it('are written as far as a story of the type has them', () => {
    const of = (type: string) =>
      draftFields.filter((field) => !writtenFields({ ...aStory({ type }), estimate: -1 }, {}).includes(field));
    assert.deepEqual(of('feature'), ['deadline']);
    assert.deepEqual(of('release'), ['estimate']);
    assert.deepEqual(of('chore'), ['estimate', 'deadline']);
    assert.deepEqual(writtenFields(aStory({ id: -4 }), {}), []);
  });

  it('say whether the person owns the story, as far as that is known', () => {
    const isMine = (story: Story, me?: string) =>
      pageFields(story, me === undefined ? {} : { me }, englishTexts).isMine;
    const story = aStory({ ownedBy: 'Bo' });
    assert.deepEqual([isMine(story, 'Bo'), isMine(story, 'Ada'), isMine(story)], [true, false, false]);
    assert.deepEqual([isMine(without(story, 'ownedBy'), 'Bo'), isMine(without(story, 'ownedBy'))], [false, false]);
  });

  it('are not written where they are longer than anyone writes, nor sent to the page', () => {
    const endless = 'x'.repeat(2_000_000);
    const story = aStory({ name: endless, description: endless, ownedBy: endless, labels: [endless, 'api'] });
    const fields = pageFields(story, aProject({ labels: ['shop'] }), englishTexts);
    assert.deepEqual(fields.fields, ['type', 'estimate', 'requestedBy', 'labels']);
    assert.ok(JSON.stringify(fields).length < 5_000);
  });

  it('offer what the project has, and what the story has though the project has not', () => {
    const project = aProject({ pointScale: [0, 1], labels: ['shop'] });
    const { types, estimates, people, projectLabels } = pageFields(
      aStory({ type: 'epic', estimate: 20, ownedBy: 'Bo' }),
      { ...project, bugsAndChoresAreEstimatable: true },
      englishTexts,
    );
    assert.deepEqual(
      types.map(({ value }) => value),
      ['feature', 'bug', 'chore', 'release', 'epic'],
    );
    assert.deepEqual(
      estimates.map(({ text }) => text),
      ['unestimated', '0 points', '1 point', '20 points'],
    );
    assert.deepEqual([people, projectLabels], [['Ada Fenn', 'Bo'], ['shop']]);
  });

  it('are given what is written', () => {
    assert.deepEqual(edit('name', ' Bake\nrye '), { name: 'Bake rye' });
    assert.deepEqual(edit('description', 'a\n'), { description: 'a\n' });
    assert.deepEqual(edit('description', ' '), { description: null });
    assert.deepEqual(edit('estimate', '3'), { estimate: 3 });
    assert.deepEqual(edit('estimate', ''), { estimate: null });
    assert.deepEqual(edit('estimate', ' 0.5 '), { estimate: 0.5 });
    assert.deepEqual(edit('ownedBy', ''), { ownedBy: null });
    assert.deepEqual(edit('ownedBy', 'ada fenn', ['Ada Fenn']), { ownedBy: 'Ada Fenn' });
    assert.deepEqual(edit('ownedBy', 'Bo', ['bo', 'Bo']), { ownedBy: 'Bo' });
    assert.deepEqual(edit('ownedBy', 'jose\u0301', ['Jos\u00e9']), { ownedBy: 'Jos\u00e9' });
    assert.deepEqual(edit('ownedBy', 'Cy', []), { ownedBy: 'Cy' });
    assert.deepEqual(edit('deadline', ''), { deadline: null });
    const noon = { text: '2027/12/31 12:00:00 UTC', time: Date.UTC(2027, 11, 31, 12) };
    assert.deepEqual(edit('deadline', '2027-12-31'), { deadline: noon });
  });

  it('are refused what they cannot have', () => {
    assert.throws(() => edit('name', ' \n'), { kind: 'input', message: 'Enter a story name.' });
    assert.throws(() => edit('ownedBy', 'Cy', ['Ada Fenn']), { message: 'Cy is not a member of this project.' });
    assert.throws(() => edit('requestedBy', ''), { kind: 'input' });
    for (const points of ['abc', '1e3x', '-2', 'NaN', 'Infinity', '0x10']) {
      assert.throws(() => edit('estimate', points), { kind: 'input', message: /^Enter points as a number/ }, points);
    }
    for (const day of ['12345-01-01', '0099-12-31', '2027-02-31', 'soon']) {
      assert.throws(() => edit('deadline', day), { kind: 'input' }, day);
    }
  });

  it('make a new story of what is written, without what its type has not', () => {
    const written = { ...fieldTexts(aStory()), name: ' Bake ', description: '', ownedBy: 'ada fenn', requestedBy: '' };
    const story = newStoryFields(
      { ...written, labels: 'shop, , oven', deadline: '2027-12-31' },
      aProject(),
      englishTexts,
    );
    assert.deepEqual(story, {
      name: 'Bake',
      type: 'feature',
      estimate: 2,
      ownedBy: 'Ada Fenn',
      labels: ['shop', 'oven'],
    });
    const release = newStoryFields({ ...written, type: 'release', deadline: '2027-12-31' }, aProject(), englishTexts);
    assert.deepEqual([release.estimate, release.deadline?.text], [undefined, '2027/12/31 12:00:00 UTC']);
    assert.throws(() => newStoryFields({ ...written, name: '' }, aProject(), englishTexts), { kind: 'input' });
  });

  it('are known with the values of the story, so that a server compares those', () => {
    const deadline = { text: '2027/12/31 23:00:00 EST', time: 1 };
    assert.deepEqual(knownEdit('deadline', aStory({ deadline })), { deadline });
    assert.deepEqual(knownEdit('description', aStory()), { description: null });
  });
});
