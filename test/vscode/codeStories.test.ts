import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

type Labelled = readonly { readonly label: string }[];

describe('Stories from code', () => {
  const { showInputBox, showQuickPick } = vscode.window;
  let server: FixtureServer;
  let messages: RecordedMessages;
  let folder: string;
  let proposed: (string | undefined)[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-code-'));
    server = await FixtureServer.start();
    await run('signIn', { baseUrl: server.url, token: server.token });
    messages = new RecordedMessages();
    proposed = [];
    Object.assign(vscode.window, {
      showInputBox: async ({ value }: vscode.InputBoxOptions) => {
        proposed.push(value);
        return value;
      },
      showQuickPick: async (items: Labelled) => items.find(({ label }) => label === 'Café'),
    });
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showInputBox, showQuickPick });
    messages.restore();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await run('signOut', { baseUrl: server.url });
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(name: string, text: string): Promise<vscode.TextDocument> {
    const path = join(folder, name);
    await writeFile(path, text);
    const document = await vscode.workspace.openTextDocument(path);
    await vscode.window.showTextDocument(document);
    return document;
  }

  async function actionsAt(document: vscode.TextDocument, range: vscode.Range): Promise<readonly vscode.CodeAction[]> {
    const found: unknown = await vscode.commands.executeCommand(
      'vscode.executeCodeActionProvider',
      document.uri,
      range,
    );
    const all: readonly vscode.CodeAction[] = Array.isArray(found) ? found : [];
    return all.filter(({ title }) => title.startsWith('Create Story'));
  }

  /** VS Code gives none while extensions for the language of a document still come. */
  async function choose(document: vscode.TextDocument, range: vscode.Range, title: string): Promise<void> {
    const { command, arguments: given = [] } = await actionNamed(document, range, title);
    await vscode.commands.executeCommand(command, ...given);
  }

  function actionNamed(document: vscode.TextDocument, range: vscode.Range, title: string): Promise<vscode.Command> {
    return eventually(async () => {
      const actions = await actionsAt(document, range);
      const { command } = actions.find((one) => one.title === title) ?? {};
      assert.ok(command, `${document.languageId}: ${actions.map((one) => one.title).join()}`);
      return command;
    });
  }

  const at = (line: number) => new vscode.Range(line, 0, line, 0);
  const newest = () => server.routes.stories.toSorted((one, other) => other.id - one.id)[0];
  const element = (name: string) => newest()?.elements.get(name) ?? '';

  it('is made of a TODO, has file, line and code, and its number stands there as one edit', async () => {
    const document = await open('oven.ts', 'function heat() {\n  // TODO: wait for 220 degrees\n  bake();\n}\n');
    await choose(document, at(1), 'Create Story from TODO');
    const id = newest()?.id;
    assert.equal(document.getText(), `function heat() {\n  // TODO(#${id}): wait for 220 degrees\n  bake();\n}\n`);
    assert.deepEqual(proposed, ['wait for 220 degrees']);
    assert.match(element('name'), />wait for 220 degrees</);
    assert.match(element('story_type'), />chore</);
    assert.match(
      element('description'),
      /oven\.ts:2`\s+```typescript\nfunction heat\(\) \{\n.*\n {2}bake\(\);\n\}\n```/,
    );
    assert.deepEqual(messages.shown, []);
    assert.deepEqual(await actionsAt(document, at(1)), [], 'it has its story');
    await vscode.commands.executeCommand('undo');
    assert.match(document.getText(), /\/\/ TODO: wait/);
  });

  it('is offered where a word stands in a comment, and nowhere else', async () => {
    const document = await open('a.py', 'TODO_LIST = 1\n# FIXME burns\nbake()\n');
    const titles = async (line: number) => (await actionsAt(document, at(line))).map(({ title }) => title);
    assert.deepEqual(await titles(0), []);
    assert.deepEqual(await titles(1), ['Create Story from FIXME']);
    assert.deepEqual(await titles(2), []);
    await choose(document, at(1), 'Create Story from FIXME');
    assert.match(element('story_type'), />bug</);
  });

  it('is made of a selection, whose number stands in a comment above it', async () => {
    const document = await open('a.py', 'def bake():\n    heat()\n    wait()\n');
    await choose(document, new vscode.Range(1, 4, 2, 10), 'Create Story from Selection');
    const id = newest()?.id;
    assert.equal(document.getText(), `def bake():\n    # TODO(#${id}): heat()\n    heat()\n    wait()\n`);
    assert.match(element('description'), /a\.py:2`\s+```python\nheat\(\)\n *wait\(\)\n```/);
  });

  it('writes no name that would end the comment', async () => {
    const document = await open('a.css', 'a { color: red } /* x */ b { }\n');
    await choose(document, new vscode.Range(0, 0, 0, 30), 'Create Story from Selection');
    const [first = ''] = document.getText().split('\n');
    assert.equal(first, `/* TODO(#${newest()?.id}): a { color: red } /* x b { } */`);
  });

  it('is made of selected text, whose number stands behind it', async () => {
    const document = await open('notes.md', 'Buy rye and salt\n\nRest\n');
    await choose(document, new vscode.Range(0, 0, 1, 0), 'Create Story from Selection');
    assert.equal(document.getText(), `Buy rye and salt (#${newest()?.id})\n\nRest\n`);
  });

  it('finds its line again where others were put before it while it was made', async () => {
    const document = await open('a.ts', '// TODO: sift\n');
    Object.assign(vscode.window, {
      showInputBox: async ({ value }: vscode.InputBoxOptions) => {
        const edit = new vscode.WorkspaceEdit();
        edit.insert(document.uri, new vscode.Position(0, 0), 'one\ntwo\n');
        await vscode.workspace.applyEdit(edit);
        return value;
      },
    });
    await choose(document, at(0), 'Create Story from TODO');
    assert.equal(document.getText(), `one\ntwo\n// TODO(#${newest()?.id}): sift\n`);
  });

  it('gets its number once the server is back, and says that it waits', async () => {
    const document = await open('a.ts', '// TODO: knead\n');
    await run('refresh');
    server.reply(/^(POST|PUT|GET) /, { status: 503, body: '' }, 1000);
    await choose(document, at(0), 'Create Story from TODO');
    assert.equal(document.getText(), '// TODO: knead\n');
    server.noMoreTrouble();
    await run('retryOutbox', {});
    await eventually(() => assert.equal(document.getText(), `// TODO(#${newest()?.id}): knead\n`), 30_000);
    assert.match(element('name'), />knead</);
  });

  it('leaves the text alone and loses nothing where the server refuses', async () => {
    const document = await open('a.ts', '// TODO: glaze\n');
    server.refuse(/^POST .*\/stories$/, ['Too many stories.']);
    Object.assign(vscode.window, { showInputBox: async () => 'Glaze the bun' });
    await choose(document, at(0), 'Create Story from TODO');
    assert.match(messages.texts.join(), /Too many stories/);
    assert.equal(document.getText(), '// TODO: glaze\n');
    const asked: (string | undefined)[] = [];
    Object.assign(vscode.window, {
      showInputBox: async ({ value }: vscode.InputBoxOptions) => {
        asked.push(value);
        return undefined;
      },
    });
    await choose(document, at(0), 'Create Story from TODO');
    assert.deepEqual(asked, ['Glaze the bun']);
  });

  it('says so first where the file cannot be written, and offers the number after it', async () => {
    const uri = vscode.Uri.parse('read-only-test:a.ts');
    const content = { provideTextDocumentContent: () => '// TODO: ferment\n' };
    const provider = vscode.workspace.registerTextDocumentContentProvider(uri.scheme, content);
    try {
      const before = server.routes.stories.length;
      await run('createStoryFromTodo', uri, at(0));
      assert.match(messages.shown[0]?.detail ?? '', /The ID cannot be inserted because this file is read-only\./);
      assert.equal(server.routes.stories.length, before, 'it was turned away');
      messages.press('Create Story');
      messages.press('Copy ID');
      await run('createStoryFromTodo', uri, at(0));
      assert.equal((await vscode.workspace.openTextDocument(uri)).getText(), '// TODO: ferment\n');
      await eventually(async () => assert.equal(await vscode.env.clipboard.readText(), `#${newest()?.id}`));
    } finally {
      provider.dispose();
    }
  });

  it('asks before a likely secret goes into a story', async () => {
    const token = `ghp_${'aB3dE6gH9j'.repeat(4)}`;
    const document = await open('a.ts', `// TODO: rotate\nconst token = '${token}';\n`);
    const before = server.routes.stories.length;
    await choose(document, at(0), 'Create Story from TODO');
    assert.match(messages.shown[0]?.detail ?? '', /may contain a secret \(ghp_…\)/);
    assert.equal(server.routes.stories.length, before);
  });
});
