import assert from 'node:assert/strict';
import * as vscode from 'vscode';
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
});
