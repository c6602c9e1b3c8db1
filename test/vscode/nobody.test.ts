import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { commandIds } from '../../src/commandIds.ts';
import { PARTS_AT_START } from '../support/windows/partsAtStart.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

describe('With nobody signed in', () => {
  let messages: RecordedMessages;

  beforeEach(() => {
    messages = new RecordedMessages();
  });
  afterEach(() => messages.restore());

  it('nothing but the activation bundle is read, though the extension starts with the window', () => {
    assert.equal(vscode.extensions.getExtension('story-tracker.story-tracker')?.isActive, true);
    assert.equal(process.env[PARTS_AT_START], '[]');
  });

  it('nothing is offered in code or commit messages, and nothing read for it', async () => {
    const document = await vscode.workspace.openTextDocument({
      language: 'git-commit',
      content: 'Bake #37\n// TODO it',
    });
    const all = new vscode.Range(0, 0, 1, 0);
    const [actions, hovers, completion] = await Promise.all([
      vscode.commands.executeCommand<unknown[]>('vscode.executeCodeActionProvider', document.uri, all),
      vscode.commands.executeCommand<unknown[]>('vscode.executeHoverProvider', document.uri, new vscode.Position(0, 6)),
      vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        new vscode.Position(0, 6),
        '#',
      ),
    ]);
    const proposed = completion.items.filter(({ kind }) => kind !== vscode.CompletionItemKind.Text);
    assert.deepEqual([actions, hovers, proposed], [[], [], []]);
  });

  const asking = [
    'newProject',
    'importStories',
    'exportProject',
    'moveToServer',
    'newStory',
    'copyId',
    'openInBrowser',
    'insertMarker',
    'linkCommits',
    'attachFiles',
    'saveAttachment',
    'moveStory',
    'moveStoryUp',
  ];
  for (const command of asking) {
    it(`${command} says so instead of asking for something, and leads to signing in`, async () => {
      await vscode.commands.executeCommand(`storyTracker.${command}`);
      const [shown, another] = messages.shown;
      assert.match(shown?.text ?? '', /^You are not signed in\./);
      assert.deepEqual([shown?.kind, shown?.buttons], ['info', ['Sign In…']]);
      assert.equal(another, undefined);
    });
  }

  it('no other command asks for anything either, but for what needs no one', async () => {
    const needNoOne = ['signIn', 'checkConnection', 'groupBy', 'backUp'];
    const others = Object.values(commandIds).filter((id) => !needNoOne.includes(id.replace('storyTracker.', '')));
    const questions = new CountedQuestions();
    const asked: string[] = [];
    try {
      for (const id of others) {
        const before = questions.count;
        const isOver = await Promise.race([vscode.commands.executeCommand(id).then(() => true), sleep(PATIENCE_MS)]);
        if (!isOver || questions.count > before) asked.push(id);
      }
    } finally {
      questions.restore();
    }
    assert.deepEqual(asked, []);
  });
});

/** Milliseconds after which a command waits for an answer. */
const PATIENCE_MS = 3_000;
/** Milliseconds for which a list may be shown as loading before nobody is found to be signed in. */
const LOADING_MS = 500;

/** Takes the place of what VS Code asks with; nobody answers. */
class CountedQuestions {
  count = 0;
  private readonly before: Partial<typeof vscode.window>;

  constructor() {
    const { showQuickPick, showInputBox, showOpenDialog, showSaveDialog, createQuickPick, createInputBox } =
      vscode.window;
    this.before = { showQuickPick, showInputBox, showOpenDialog, showSaveDialog, createQuickPick, createInputBox };
    // A list is shown while it is loaded, and goes where that fails.
    const ask = async (items: unknown) => {
      await items;
      this.count += 1;
    };
    const create = () => this.turnedAway();
    Object.assign(vscode.window, {
      ...{ showQuickPick: ask, showInputBox: ask, showOpenDialog: ask, showSaveDialog: ask },
      ...{ createQuickPick: create, createInputBox: create },
    });
  }

  restore(): void {
    Object.assign(vscode.window, this.before);
  }

  private turnedAway() {
    const hidden = new vscode.EventEmitter<void>();
    const never = new vscode.EventEmitter<never>().event;
    let timer: NodeJS.Timeout | undefined;
    const show = () => {
      timer = setTimeout(() => {
        this.count += 1;
        hidden.fire();
      }, LOADING_MS);
    };
    return {
      ...{ items: [], buttons: [], selectedItems: [], activeItems: [], value: '' },
      ...{ onDidAccept: never, onDidTriggerButton: never, onDidTriggerItemButton: never, onDidHide: hidden.event },
      ...{ onDidChangeValue: never, onDidChangeActive: never, onDidChangeSelection: never },
      ...{ show, hide: () => hidden.fire(), dispose: () => clearTimeout(timer) },
    };
  }
}
