import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { StoryDrags } from '../../src/features/stories/tree/storyDrags.ts';
import { IterationNode, StoryNode, type TreeNode } from '../../src/host/tree/nodes.ts';
import { STORY_ROWS, TreeDrops } from '../../src/host/tree/treeDrops.ts';
import { aStory } from '../support/builders/builders.ts';
import { silentLog } from '../support/silentLog.ts';

describe('Rows dropped on rows', () => {
  const key = { accountId: 'builtIn', projectId: 1 };
  const icebox = new IterationNode(key, 'icebox', undefined, []);
  const rows = new Map<string, TreeNode>();
  const row = (id: number) => {
    const made = new StoryNode(key, aStory({ id }), icebox);
    rows.set(`story/builtIn/1/${id}`, made);
    return made;
  };
  const [wheat, rye] = [row(40), row(41)];
  const { token } = new vscode.CancellationTokenSource();
  let isRefused = false;
  let dropped: (readonly number[])[];
  let drags: StoryDrags;

  beforeEach(() => {
    dropped = [];
    isRefused = false;
    const drops = new TreeDrops();
    drops.register({
      mimeTypes: [STORY_ROWS],
      drop: async () => void dropped.push(drops.draggedStories.map(({ story }) => story.id)),
    });
    drags = new StoryDrags(drops, silentLog, () => ({ refusesOrder: () => isRefused, row: (id) => rows.get(id) }));
  });

  const handles = (...ids: readonly number[]) =>
    JSON.stringify({ id: 'storyTracker.stories', itemHandles: ids.map((id) => `1/story/builtIn/1/${id}`) });
  /** What VS Code carries when it has not told of the drag, as it does not for rows that are painted again just then. */
  async function drop(carried: string): Promise<void> {
    const data = new vscode.DataTransfer();
    data.set(STORY_ROWS, new vscode.DataTransferItem(carried));
    await drags.handleDrop(icebox, data, token);
  }

  it('are those that VS Code tells of, in their order', async () => {
    await drags.handleDrag([rye, wheat], new vscode.DataTransfer());
    await drop(handles(41, 40));
    assert.deepEqual(dropped, [[41, 40]]);
  });

  it('are never those of the drag before', async () => {
    await drags.handleDrag([rye], new vscode.DataTransfer());
    await drop(handles(40));
    assert.deepEqual(dropped, [[40]]);
  });

  it('are none when they are of another window, whose stories are not shown here', async () => {
    await drags.handleDrag([rye], new vscode.DataTransfer());
    await drop(handles(77));
    assert.deepEqual(dropped, [[]]);
  });

  it('are those of which VS Code told before when it carries them in a way of its own', async () => {
    await drags.handleDrag([rye], new vscode.DataTransfer());
    await drop('by another name');
    assert.deepEqual(dropped, [[41]]);
  });

  it('go nowhere while rows cannot be put in order', async () => {
    isRefused = true;
    await drop(handles(40));
    assert.deepEqual(dropped, []);
  });
});
