import assert from 'node:assert/strict';
import {
  type FieldProblems,
  projectEdit,
  type SettingTexts,
  settingTexts,
} from '../../../../src/features/projectSettings/settingsFields.ts';

const SAY: FieldProblems = {
  number: 'number',
  name: 'name',
  pointScale: 'scale',
  strengths: 'strengths',
  strengthTwice: 'twice',
};

function assertEdit(texts: SettingTexts, expected: object, known: SettingTexts = {}): void {
  assert.deepEqual(projectEdit(texts, known, SAY), { edit: expected, problems: {} });
}

function assertProblem(texts: SettingTexts, expected: object): void {
  assert.deepEqual(projectEdit(texts, {}, SAY).problems, expected);
}

describe('the fields of project settings', () => {
  it('show what a server tells, each as a text, and nothing of what it does not tell', () => {
    const texts = settingTexts({
      ...{ name: 'Bakery', pointScale: [0, 1, 2], iterationLength: 2, weekStartDay: 'Monday', commitMode: false },
      ...{ startDate: { text: '2026/01/07' }, velocityScheme: 'average of 2', webHookUrl: '' },
      strengths: [
        { number: 7, teamStrength: 1, length: 2 },
        { number: 3, teamStrength: 0.5 },
      ],
    });
    assert.deepEqual(texts, {
      ...{ name: 'Bakery', pointScale: '0, 1, 2', iterationLength: '2', weekStartDay: 'Monday', commitMode: 'false' },
      ...{ startDate: '2026-01-07', velocityScheme: 'Average of 2 iterations', webHookUrl: '', webHookSecret: '' },
      strengths: '3:50: 7:100:2',
    });
    assert.deepEqual(settingTexts({ name: 'Bare' }), { name: 'Bare', startDate: '' });
  });

  it('become an edit of no more than what was changed', () => {
    assertEdit({}, {});
    assertEdit({ name: ' Bakery ' }, { name: 'Bakery' });
    assertEdit({ pointScale: '0,1, 2 5' }, { pointScale: [0, 1, 2, 5] });
    assertEdit({ initialVelocity: '12', iterationLength: '2' }, { initialVelocity: 12, iterationLength: 2 });
    assertEdit({ startDate: '2026-01-07' }, { startDate: { text: '2026/01/07' } });
    assertEdit({ startDate: '' }, { startDate: null });
    assertEdit({ enableTasks: 'false', useHttps: 'true' }, { enableTasks: false, useHttps: true });
    assertEdit({ webHookUrl: ' ' }, { webHookUrl: '' });
  });

  it('are refused here where they cannot be sent as they are', () => {
    assertProblem({ name: ' ' }, { name: 'name' });
    for (const pointScale of ['', 'one', '1, 2.5', '1,-2']) assertProblem({ pointScale }, { pointScale: 'scale' });
    for (const initialVelocity of ['', 'x', '1.5', `1${'0'.repeat(30)}`]) {
      assertProblem({ initialVelocity }, { initialVelocity: 'number' });
    }
    for (const strengths of ['x:100:', '0:100:', ':50:', '3::', '3:50:x']) {
      assertProblem({ strengths }, { strengths: 'strengths' });
    }
    assertProblem({ strengths: '3:50: 3:60:' }, { strengths: 'twice' });
  });

  it('send of the iterations those that are new, changed, or as usual again', () => {
    assertEdit(
      { strengths: '3:50: 4:80: 9:0:2' },
      {
        strengths: [
          { number: 4, teamStrength: 0.8 },
          { number: 9, teamStrength: 0, length: 2 },
          { number: 5, teamStrength: 1 },
        ],
      },
      { strengths: '3:50: 4:100:2 5:50:' },
    );
    const some = [{ number: 3, teamStrength: 0.5, length: 2 }];
    const { strengths = '' } = settingTexts({ strengths: some });
    assertEdit({ strengths }, { strengths: some });
  });
});
