import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

type Item = string | vscode.QuickPickItem;
const detailOf = (item: Item) => (typeof item === 'string' ? '' : (item.detail ?? ''));
const labelOf = (item: Item) => (typeof item === 'string' ? item : item.label);

describe('Unsent changes', () => {
  const showQuickPick = vscode.window.showQuickPick;
  let server: FixtureServer;
  let messages: RecordedMessages;
  let offered: readonly (readonly string[])[];
  let details: readonly (readonly string[])[];

  beforeEach(async () => {
    server = await FixtureServer.start();
    await run('signIn', { baseUrl: server.url, token: server.token });
    messages = new RecordedMessages();
    offered = [];
    details = [];
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showQuickPick });
    messages.restore();
    await run('signOut', { baseUrl: server.url });
    await server.stop();
  });

  /** Picks one item after the other whose text matches. */
  function picking(...wanted: readonly RegExp[]): void {
    const rest = [...wanted];
    const pick = async (items: readonly Item[]) => {
      offered = [...offered, items.map(labelOf)];
      details = [...details, items.map(detailOf)];
      const next = rest.shift();
      if (rest.length === 0) server.noMoreTrouble();
      return items.find((item) => next?.test(labelOf(item)));
    };
    Object.assign(vscode.window, { showQuickPick: pick });
  }

  async function moveAway(): Promise<void> {
    server.reply(/\/moves$/, { status: 503, body: '' }, 1000);
    await run('moveStory', { storyId: 106, place: 'before', targetId: 104 });
    assert.deepEqual(messages.shown, [], 'what is safe on disk is no error');
  }

  it('are listed, with what they are, and tried again at once when asked', async () => {
    await moveAway();
    picking(/^\$\(clock\) Move/, /Retry Now/);
    await run('showOutbox');
    assert.match(offered[0]?.join('\n') ?? '', /Retry All\n.*Move “[^#]+” before “[^#]+”/);
    assert.deepEqual(server.order.slice(1, 8), [101, 102, 103, 106, 104, 105, 107]);
    await run('retryOutbox', {});
    assert.deepEqual(messages.shown, []);
  });

  it('are shown as what will be sent, to the letter and without a token', async () => {
    server.reply(/^PUT /, { status: 503, body: '' }, 1000);
    await run('changeState', { storyId: 101, state: 'finished' }).then(undefined, () => undefined);
    picking(/Change “/, /Preview/, /nothing else/);
    await run('showOutbox');
    await eventually(() => assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /<story>/));
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.languageId, 'xml');
    const text = document?.getText() ?? '';
    assert.match(text, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<story>\n {2}<current_state>finished</);
    assert.ok(!text.includes(server.token));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    server.noMoreTrouble();
    await run('retryOutbox', {});
  });

  it('are counted in what is copied for a report, with nothing in it of whose they are', async () => {
    await moveAway();
    for (const [command, head] of [
      ['copyDiagnostics', /^### Versions\n/],
      ['reportIssue', /^### What I did\n[\s\S]*\n### Versions\n/],
    ] as const) {
      await vscode.env.clipboard.writeText('');
      await run(command);
      const text = await vscode.env.clipboard.readText();
      assert.match(text, head);
      assert.match(text, /\n- 1: server \(http\)\n/);
      assert.match(text, /\n- account 1, \d+ stories, read \d+ s ago, 1 unsent, because (?:server|busy)\n/);
      const { host, hostname } = new URL(server.url);
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
      for (const secret of [server.token, host, hostname, folder, 'menu', 'Caf\u00e9']) {
        assert.ok(secret !== '' && !text.includes(secret), secret);
      }
    }
    assert.deepEqual(
      messages.shown.map(({ kind }) => kind),
      ['info'],
      'where the package names no page for issues, that is said',
    );
    server.noMoreTrouble();
    await run('retryOutbox', {});
  });

  it('can be given up, after a question', async () => {
    await moveAway();
    picking(/^\$\(clock\) Move/, /Discard/, /nothing else/);
    messages.press('Discard');
    await run('showOutbox');
    assert.match(messages.texts[0] ?? '', /Discard this change\?/);
    server.noMoreTrouble();
    await run('retryOutbox', {});
    assert.deepEqual(server.order.slice(1, 8), [101, 102, 103, 104, 105, 106, 107]);
    await eventually(async () => {
      offered = [];
      await run('showOutbox');
      assert.deepEqual(offered, []);
    });
  });

  /** Changes the state of a story while the server answers nothing of use, and someone else does in the meantime. */
  async function changeBoth(mine: string, theirs: string): Promise<void> {
    server.reply(/^PUT /, { status: 503, body: '' }, 1000);
    await run('changeState', { storyId: 101, state: mine });
    server.elementsOf(101).set('current_state', `<current_state>${theirs}</current_state>`);
    server.noMoreTrouble();
    await assert.rejects(Promise.resolve(run('retryOutbox', {})), /The state of story #101 was changed elsewhere/);
  }
  const stateNow = () => />(\w+)</.exec(server.elementsOf(101).get('current_state') ?? '')?.[1];

  it('show both where someone else changed the same, and keep theirs or mine', async () => {
    await changeBoth('finished', 'delivered');
    picking(/^\$\(error\) Change/, /Take Theirs/, /nothing else/);
    await run('showOutbox');
    assert.deepEqual(
      [offered[1], details[1]],
      [
        ['Keep Mine', 'Take Theirs'],
        ['finished', 'delivered'],
      ],
    );
    assert.equal(stateNow(), 'delivered');
    await changeBoth('accepted', 'rejected');
    picking(/^\$\(error\) Change/, /Keep Mine/, /nothing else/);
    await run('showOutbox');
    await eventually(() => assert.equal(stateNow(), 'accepted'));
    await run('undoEdit', {});
    await eventually(() => assert.equal(stateNow(), 'rejected', 'theirs is there again'));
    offered = [];
    await eventually(async () => {
      await run('showOutbox');
      assert.deepEqual(offered, []);
    });
  });

  it('are shown with the other version from the message that tells of them', async () => {
    server.reply(/^PUT /, { status: 503, body: '' }, 1000);
    await run('editStory', { storyId: 101, name: 'Mine' });
    server.elementsOf(101).set('name', '<name>Theirs</name>');
    picking(/Take Theirs/, /nothing else/);
    messages.press('Show Both…');
    server.noMoreTrouble();
    await eventually(() => assert.deepEqual(details[0], ['Mine', 'Theirs']), 20_000);
    assert.match(messages.texts[0] ?? '', /The name of story #101 was changed elsewhere\. It is “Theirs” now\./);
    offered = [];
    await eventually(async () => {
      await run('showOutbox');
      assert.deepEqual(offered, []);
    });
  });

  it('compare long texts side by side before one chooses', async () => {
    const [mine, theirs] = [
      `Mine. ${'Knead it well. '.repeat(20)}`.trim(),
      `Theirs.\n\n${'Let it rise. '.repeat(20)}`.trim(),
    ];
    server.reply(/^PUT /, { status: 503, body: '' }, 1000);
    await run('editStory', { storyId: 101, description: mine });
    server.elementsOf(101).set('description', `<description>${theirs}</description>`);
    server.noMoreTrouble();
    await assert.rejects(
      Promise.resolve(run('retryOutbox', {})),
      /The description of story #101 was changed elsewhere/,
    );
    picking(/^\$\(error\) Change the description/, /Compare/, /nothing else/);
    messages.press('Keep Mine');
    await run('showOutbox');
    const shown = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === 'story-tracker-conflict');
    assert.deepEqual(shown.map((one) => one.getText()).toSorted(), [mine, theirs]);
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.ok(input instanceof vscode.TabInputTextDiff);
    await eventually(() => assert.ok(server.elementsOf(101).get('description')?.includes(mine)));
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('are told of once when they are refused after they had waited, in the words of the server', async () => {
    await moveAway();
    server.noMoreTrouble();
    const body = '<errors><error>Frozen until Friday.</error></errors>';
    server.reply(/\/moves$/, { status: 422, body }, 1000);
    await eventually(() => assert.equal(messages.texts.length, 1), 20_000);
    assert.match(
      messages.texts[0] ?? '',
      /Could not send a saved change: Move “.+” before “.+”\. Frozen until Friday\./,
    );
    await assert.rejects(Promise.resolve(run('retryOutbox', {})), /Frozen until Friday/);
    assert.equal(messages.texts.length, 1, 'who asks is told by the command');
    server.noMoreTrouble();
    await run('retryOutbox', {});
  });
});
