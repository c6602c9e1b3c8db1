import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { EditorTabs } from '../../src/features/activeStory/editorTabs.ts';
import { eventually } from '../support/eventually.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);
const always = () => true;

/** How the tabs stand, by group: `!` for the one that is shown, `*` for a pinned one, `~` for a preview, `+` for an unsaved one. */
function shownTabs(): readonly (readonly string[])[] {
  const { all } = vscode.window.tabGroups;
  return all.map(({ tabs }) =>
    tabs.map(({ label, isActive, isPinned, isPreview, isDirty }) => {
      const marks = [isActive && '!', isPinned && '*', isPreview && '~', isDirty && '+'];
      return `${label}${marks.filter(Boolean).join('')}`;
    }),
  );
}

const shows = (...tabs: readonly (readonly string[])[]) => eventually(() => assert.deepEqual(shownTabs(), tabs));

describe('The editors of a story', () => {
  let folder: string;
  const file = (name: string) => vscode.Uri.file(join(folder, name));
  const show = (name: string, options: vscode.TextDocumentShowOptions = {}) =>
    vscode.window.showTextDocument(file(name), { preview: false, ...options });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-editors-'));
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']) await writeFile(join(folder, name), `${name}\n`);
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await writeFile(join(folder, 'dot.png'), Buffer.from(png, 'base64'));
    await writeFile(join(folder, 'notes.ipynb'), '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function closeAll(): Promise<void> {
    for (const document of vscode.workspace.textDocuments) {
      if (!document.isDirty) continue;
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllGroups');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await eventually(() => assert.deepEqual(shownTabs().flat(), []));
  }
  beforeEach(closeAll);
  after(closeAll);

  describe('in VS Code', () => {
    const place = () => vscode.Uri.file(folder).toString();
    const tabs = () => new EditorTabs(() => [place()]);

    async function putAway() {
      const set = await tabs().openAt(place());
      await tabs().close(place(), set.tabs);
      return JSON.parse(JSON.stringify(set)) as typeof set;
    }

    it('come back in their groups, order and kind: shown, pinned, in preview, compared', async () => {
      await show('a.txt');
      await show('b.txt');
      await vscode.commands.executeCommand('workbench.action.pinEditor');
      await show('c.txt', { preview: true });
      await vscode.commands.executeCommand('vscode.openWith', file('dot.png'), 'imagePreview.previewEditor', {
        viewColumn: 2,
        preview: false,
      });
      await vscode.commands.executeCommand('vscode.diff', file('d.txt'), file('e.txt'), 'd and e', {
        viewColumn: 2,
        preview: false,
      });
      await show('a.txt', { viewColumn: 1 });
      const before = [
        ['b.txt*', 'c.txt~', 'a.txt!'],
        ['dot.png', 'd and e!'],
      ];
      await shows(...before);
      const set = await putAway();
      await shows([]);
      assert.equal(await tabs().open(set, always), true);
      await shows(...before);
      const [, second] = vscode.window.tabGroups.all;
      assert.ok(second?.tabs[0]?.input instanceof vscode.TabInputCustom);
      assert.ok(second.tabs[1]?.input instanceof vscode.TabInputTextDiff);
      assert.deepEqual(await tabs().openAt(place()), set);
    });

    it('come back as notebooks', async () => {
      await vscode.commands.executeCommand('vscode.openWith', file('notes.ipynb'), 'jupyter-notebook', {
        preview: false,
      });
      const isNotebook = () => vscode.window.tabGroups.all[0]?.tabs[0]?.input instanceof vscode.TabInputNotebook;
      await eventually(() => assert.ok(isNotebook()));
      const set = await putAway();
      await shows([]);
      await tabs().open(set, always);
      await eventually(() => assert.ok(isNotebook()));
    });

    it('come back in their order wherever VS Code opens new ones', async () => {
      const settings = vscode.workspace.getConfiguration('workbench.editor');
      try {
        for (const position of ['left', 'first', 'last', 'right']) {
          for (const name of ['a.txt', 'b.txt', 'c.txt']) await show(name);
          await show('b.txt');
          const before = shownTabs();
          await settings.update('openPositioning', position, vscode.ConfigurationTarget.Global);
          const set = await putAway();
          await shows([]);
          await tabs().open(set, always);
          await shows(...before);
          await settings.update('openPositioning', undefined, vscode.ConfigurationTarget.Global);
          await closeAll();
        }
      } finally {
        await settings.update('openPositioning', undefined, vscode.ConfigurationTarget.Global);
      }
    });

    it('stay where something is unsaved, untitled or a web page, and are not opened twice', async () => {
      // VS Code in a browser saves by itself.
      await vscode.workspace.getConfiguration('files').update('autoSave', 'off', vscode.ConfigurationTarget.Global);
      await show('a.txt');
      const written = await show('b.txt');
      await written.edit((edit) => edit.insert(new vscode.Position(0, 0), 'typed '));
      const untitled = await vscode.workspace.openTextDocument({ content: 'thought' });
      await vscode.window.showTextDocument(untitled, { preview: false });
      const panel = vscode.window.createWebviewPanel('test.page', 'A page', vscode.ViewColumn.One);
      await shows(['a.txt', 'b.txt+', 'thought+', 'A page!']);
      const set = await putAway();
      await shows(['b.txt+', 'thought+', 'A page!']);
      assert.equal(written.document.getText(), 'typed b.txt\n');
      await tabs().open(set, always);
      await eventually(() =>
        assert.equal(
          shownTabs()
            .flat()
            .filter((tab) => tab.startsWith('b.txt')).length,
          1,
        ),
      );
      assert.equal(shownTabs().flat().length, 4);
      panel.dispose();
    });

    it('come back without those whose files are gone, and without a word', async () => {
      await writeFile(join(folder, 'gone.txt'), 'gone');
      await show('gone.txt');
      await vscode.commands.executeCommand('vscode.diff', file('gone.txt'), file('a.txt'), 'gone and a', {
        preview: false,
      });
      await show('b.txt');
      const set = await putAway();
      await rm(join(folder, 'gone.txt'));
      await tabs().open(set, always);
      await shows(['b.txt!']);
    });

    it('are those of the files of their repository, where there are several', async () => {
      const inner = vscode.Uri.joinPath(vscode.Uri.file(folder), 'inner').toString();
      await vscode.workspace.fs.createDirectory(vscode.Uri.parse(inner));
      await writeFile(join(folder, 'inner', 'f.txt'), 'f');
      await show('a.txt');
      await show('inner/f.txt');
      const both = new EditorTabs(() => [place(), inner]);
      const names = async (root: string) =>
        (await both.openAt(root)).tabs.map(({ input }) => 'uri' in input && input.uri.split('/').at(-1));
      assert.deepEqual([await names(place()), await names(inner)], [['a.txt'], ['f.txt']]);
      await both.close(inner, (await both.openAt(inner)).tabs);
      await shows(['a.txt!']);
    });
  });

  describe('that is worked on', () => {
    let service: RunningService;
    let projectId: number;
    let ids: readonly [number, number];
    const settings = () => vscode.workspace.getConfiguration('storyTracker');
    const wish = (isWished: boolean | undefined) =>
      settings().update('editorsPerStory', isWished, vscode.ConfigurationTarget.Global);
    const workOn = (storyId: number) => run('setActiveStory', { storyId, projectId });

    before(async () => {
      const extension = vscode.extensions.getExtension('story-tracker.story-tracker');
      service = await runningService(join(extension?.extensionPath ?? '', 'dist/service.js'));
      await run('signIn', { baseUrl: service.url, token: service.token });
      projectId = Number(elementText(await service.ask('GET', '/projects'), 'id'));
      const make = async (name: string) => {
        const text = `<story><name>${name}</name><story_type>chore</story_type></story>`;
        return Number(elementText(await service.ask('POST', `/projects/${projectId}/stories`, text), 'id'));
      };
      ids = [await make('Sweep'), await make('Mop')];
    });
    after(async () => {
      await wish(undefined);
      await workOn(ids[0]);
      await run('stopStory', {});
      await run('signOut', { baseUrl: service.url });
      await service.stop();
    });

    it('are left alone unless the setting wants it', async () => {
      await workOn(ids[0]);
      await show('a.txt');
      await workOn(ids[1]);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await shows(['a.txt!']);
    });

    it('are put away with it and brought back, quickly one after the other too', async () => {
      await workOn(ids[0]);
      await show('a.txt');
      await show('b.txt');
      await wish(true);
      // What is open when it is switched on is of the story of that time.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await shows(['a.txt', 'b.txt!']);
      await workOn(ids[1]);
      await shows([]);
      await show('c.txt');
      await workOn(ids[0]);
      await shows(['a.txt', 'b.txt!']);
      await workOn(ids[1]);
      await shows(['c.txt!']);
      await workOn(ids[0]);
      await workOn(ids[1]);
      await workOn(ids[0]);
      await shows(['a.txt', 'b.txt!']);
      await run('stopStory', {});
      await shows([]);
      // VS Code says that tabs are closed a moment before their group takes others.
      await eventually(async () => show('d.txt'));
      await workOn(ids[1]);
      await shows(['c.txt!']);
      await run('stopStory', {});
      await shows(['d.txt!']);
    }).timeout(90_000);
  });
});
