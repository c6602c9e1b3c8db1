import assert from 'node:assert/strict';
import type { Story } from '../../../../src/core/story/story.ts';
import { fromPage, toPage } from '../../../../src/features/storyPanel/panelMessages.ts';
import { storyParts } from '../../../../src/features/storyPanel/storyParts.ts';
import { TaskOrder, taskCommand } from '../../../../src/features/storyPanel/storyTasks.ts';
import { aStory, aTask } from '../../../support/builders/builders.ts';
import { englishTexts } from './englishTexts.ts';

const tasks = [aTask({ id: 1 }), aTask({ id: 2 }), aTask({ id: 3 }), aTask({ id: -9 })];
const story = aStory({ tasks });
const partOf = (fields: Partial<Story>) => storyParts(aStory(fields), {}, englishTexts).tasks;
const move = (id: number, by: number) => ({ type: 'moveTask', id, by }) as const;
const drop = (id: number, targetId: number) => ({ type: 'dropTask', id, targetId }) as const;

describe('Tasks in the tab', () => {
  it('have buttons that say what they do, and to which task', () => {
    const html = partOf({ tasks: [aTask({ id: 61, description: 'Light <it>' })] });
    const names = [...html.matchAll(/aria-label="([^"]*)"/g)].map(([, name]) => name);
    assert.deepEqual(names, [
      'Edit Task (F2): Light &lt;it&gt;',
      'Move Up (Alt+Up): Light &lt;it&gt;',
      'Move Down (Alt+Down): Light &lt;it&gt;',
      'Delete Task (Delete): Light &lt;it&gt;',
    ]);
    assert.match(html, /<li data-row="61" data-source="Light &lt;it&gt;">/);
  });

  it('that no server has yet have none', () => {
    assert.doesNotMatch(partOf({ tasks: [aTask({ id: -4 })] }), /<button/);
  });

  it('cannot be edited where not all of their text is shown, so that none of it is lost', () => {
    const html = partOf({ tasks: [aTask({ id: 61, description: 'x'.repeat(1_000_000) })] });
    assert.doesNotMatch(html, /data-source|data-tool="edit"/);
    assert.match(html, /data-tool="delete"/);
  });

  it('hold no markup of the server, in whatever attribute', () => {
    const html = partOf({ tasks: [aTask({ description: '"><img src=x onerror=alert(1)><a href="javascript:x">' })] });
    assert.doesNotMatch(html, /<img|<a |="javascript/);
  });

  it('are edited with what the person saw, as the server has it', () => {
    const hidden = aStory({ tasks: [aTask({ id: 1, description: 'a\u202eb' })] });
    const edit = { type: 'editTask', id: 1, text: 'New', known: 'a\ufffdb' } as const;
    assert.deepEqual(taskCommand(hidden, edit, new TaskOrder())?.argument, {
      taskId: 1,
      description: 'New',
      known: 'a\u202eb',
    });
    const since = taskCommand(hidden, { ...edit, known: 'former' }, new TaskOrder());
    assert.equal(since?.argument.known, 'former', 'someone else has written since');
  });

  assertMoved('up', move(2, -1), 1);
  assertMoved('down', move(2, 1), 3);
  assertMoved('up from the first place', move(1, -1), undefined);
  assertMoved('behind those that were sent', move(3, 1), undefined);
  assertMoved('before one that is dropped on from below', drop(3, 1), 1);
  assertMoved('behind one that is dropped on from above', drop(1, 3), 3);
  assertMoved('onto itself', drop(2, 2), undefined);
  assertMoved('onto one that is gone', drop(2, 77), undefined);
  assertMoved('which are gone', move(77, 1), undefined);

  it('go on from where they are going while a move does not show yet', () => {
    const order = new TaskOrder();
    assert.deepEqual([order.move(tasks, move(1, 1)), order.move(tasks, move(1, 1))], [2, 3]);
    order.ended();
    order.ended();
    assert.equal(order.move(tasks, move(1, 1)), 2, 'as the story has them again');
  });
});

describe('What page and extension say about tasks', () => {
  for (const message of [
    { type: 'editTask', id: 1, text: 'a', known: 'b' },
    { type: 'moveTask', id: 1, by: -1 },
    { type: 'dropTask', id: 1, targetId: 2 },
    { type: 'deleteTask', id: 1 },
  ]) {
    it(`is taken when it is whole: ${message.type}`, () => {
      assert.deepEqual(fromPage({ ...message, more: 1 }), message);
      assert.equal(fromPage({ ...message, id: '1' }), undefined);
    });
  }

  it('is refused when a text is empty or a number is none', () => {
    assert.equal(fromPage({ type: 'editTask', id: 1, text: ' ', known: 'b' }), undefined);
    assert.equal(fromPage({ type: 'editTask', id: 1, text: 'a' }), undefined);
    assert.equal(fromPage({ type: 'moveTask', id: 1, by: Number.NaN }), undefined);
    assert.equal(toPage({ type: 'taskEditRefused', id: 1, text: 'a' }), undefined);
    assert.equal(fromPage({ type: 'toString', id: 1 }), undefined);
  });
});

function assertMoved(way: string, action: Parameters<TaskOrder['move']>[1], position: number | undefined): void {
  it(`move ${way}`, () => {
    const command = taskCommand(story, action, new TaskOrder());
    assert.deepEqual(command?.argument, position === undefined ? undefined : { taskId: action.id, position });
  });
}
