import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { newStory } from '../../src/features/stories/create/newStory.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import { RestoredStories } from '../../src/host/story/restoredStories.ts';
import { UndoHistory } from '../../src/host/story/undoHistory.ts';
import type { RevealOptions } from '../../src/host/tree/storiesView.ts';
import { eventually } from '../support/eventually.ts';
import { type RunningService, runningService } from '../support/servers/runningService.ts';
import { silentLog } from '../support/silentLog.ts';
import { FakeInputBox } from '../support/windows/fakeInputBox.ts';
import { KeptDrafts } from '../support/windows/keptDrafts.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';
import { WorkspaceMemory } from '../support/windows/workspaceMemory.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';

describe('A new story that is made', () => {
  const { createInputBox, showQuickPick } = vscode.window;
  const drafts = new KeptDrafts();
  let service: RunningService;
  let engine: Engine;
  let accounts: Accounts;
  let backlogs: ReturnType<typeof createBacklogs>;

  before(async () => {
    service = await runningService(join(extensionPath, 'dist/service.js'));
    engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog);
    const access = () => Promise.reject(new Error('There is no built-in service here.'));
    accounts = new Accounts(new MemorySecrets(), engine, { access });
    backlogs = createBacklogs(accounts, silentLog);
    await accounts.add({ id: 'own', label: 'O', kind: 'server', baseUrl: service.url }, service.token);
  });
  after(async () => {
    Object.assign(vscode.window, { createInputBox, showQuickPick });
    for (const one of [backlogs, accounts, engine, drafts]) await one.dispose();
    await service.stop();
  });

  it('is given the focus in the tree, unless the next one is being named by then', async () => {
    const boxes: FakeInputBox[] = [];
    Object.assign(vscode.window, {
      createInputBox: () => {
        const box = new FakeInputBox();
        boxes.push(box);
        return box;
      },
      showQuickPick: async (items: readonly { readonly label: string }[]) =>
        items.find(({ label }) => label.endsWith('chore')),
    });
    const revealed: RevealOptions[] = [];
    const needs = {
      ...{ backlogs, log: silentLog, messages: { status: () => undefined }, openDrafts: async () => drafts.drafts },
      restoredStories: new RestoredStories(),
      undoHistory: new UndoHistory(async () => true),
      storiesView: {
        selection: () => [],
        reveal: async (_story: number, _project: number, options: RevealOptions) => void revealed.push(options),
      },
      workspaceMemory: new WorkspaceMemory(),
    };
    const name = async (text: string) => {
      const made = newStory(needs as never);
      const box = await eventually(() => boxes.at(-1) ?? assert.fail('no box'));
      await eventually(() => assert.ok(box.isOpen));
      box.type(text);
      return { box, made };
    };
    const first = await name('Sift the flour');
    first.box.enter();
    await first.made;
    assert.deepEqual([revealed[0]?.focus, revealed[0]?.isWanted?.()], [true, true]);
    boxes.length = 0;
    const second = await name('Weigh the salt');
    assert.equal(revealed[0]?.isWanted?.(), false);
    second.box.enter();
    await second.made;
    assert.equal(revealed[1]?.isWanted?.(), true);
  });
});
