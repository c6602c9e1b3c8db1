import assert from 'node:assert/strict';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

describe('Hints in a commit message', () => {
  let service: RunningService;
  let id: number;
  let document: vscode.TextDocument;

  before(async () => {
    const extension = vscode.extensions.getExtension('story-tracker.story-tracker');
    service = await runningService(join(extension?.extensionPath ?? '', 'dist/service.js'));
    await run('signIn', { baseUrl: service.url, token: service.token });
    const projectId = Number(elementText(await service.ask('GET', '/projects'), 'id'));
    const story = '<story><name>Prove *the* dough</name><story_type>feature</story_type></story>';
    id = Number(elementText(await service.ask('POST', `/projects/${projectId}/stories`, story), 'id'));
    document = await vscode.workspace.openTextDocument({ language: 'git-commit', content: '' });
    await vscode.window.showTextDocument(document);
  });
  after(async () => {
    const settings = vscode.workspace.getConfiguration('storyTracker');
    await settings.update('commit.hints', undefined, vscode.ConfigurationTarget.Global);
    // An open commit message is where Insert Marker writes to.
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await run('signOut', { baseUrl: service.url });
    await service.stop();
  });

  async function write(text: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
  }

  const hints = () =>
    vscode.languages.getDiagnostics(document.uri).map(({ range, severity }) => [document.getText(range), severity]);

  it('say that a story is named outside of brackets, and mend it', async () => {
    await write(`Knead fixes #${id} today\n`);
    await eventually(() => assert.equal(hints().length, 1));
    const [diagnostic] = vscode.languages.getDiagnostics(document.uri);
    assert.ok(diagnostic && document.getText(diagnostic.range).includes(`#${id}`));
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      diagnostic.range,
    );
    const fix = actions.find(({ edit }) => edit?.has(document.uri));
    assert.ok(fix?.edit);
    await vscode.workspace.applyEdit(fix.edit);
    assert.equal(document.getText(), `Knead [fixes #${id}] today\n`);
    await eventually(() => assert.deepEqual(hints(), []));
  });

  it('say that no project has a story', async () => {
    await write('Knead [fixes #987654]\n');
    await eventually(() => assert.equal(hints().length, 1));
    assert.deepEqual(hints()[0]?.[0], '#987654');
  });

  it('show the card of a story, and lead to it', async () => {
    await write(`Knead [fixes #${id}]\n`);
    const at = new vscode.Position(0, document.getText().indexOf(`#${id}`) + 1);
    const cards = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', document.uri, at);
    const texts = cards.flatMap(({ contents }) => contents).map((one) => (typeof one === 'string' ? one : one.value));
    assert.ok(
      texts.some((text) => /Prove .*the.* dough/.test(text)),
      texts.join('\n'),
    );
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    assert.deepEqual(
      links.map(({ range, target }) => [document.getText(range), target?.scheme]),
      [[`#${id}`, 'command']],
    );
  });

  it('are silent where nothing is at stake, and when they are switched off', async () => {
    await write('Knead\n\nNothing is named here.\n');
    await eventually(() => assert.deepEqual(hints(), []));
    const settings = vscode.workspace.getConfiguration('storyTracker');
    await write('Knead [fixes #987654]\n');
    await eventually(() => assert.equal(hints().length, 1));
    await settings.update('commit.hints', false, vscode.ConfigurationTarget.Global);
    await eventually(() => assert.deepEqual(hints(), []));
  });
});
