import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

describe('With nobody signed in', () => {
  let messages: RecordedMessages;

  beforeEach(() => {
    messages = new RecordedMessages();
  });
  afterEach(() => messages.restore());

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
      assert.deepEqual(shown?.buttons, ['Sign In…', 'Show Log']);
      assert.equal(another, undefined);
    });
  }
});
