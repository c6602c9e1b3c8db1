import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { runCommand } from './commandPalette.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

const LINES = '- Mix the dough\n- [ ] Knead it\n3. Let it rest\n* Shape it\nBake it';

describe('Making and deleting stories in a real window', () => {
  let folder: string;
  let elsewhere: RunningService;
  let code: VsCode;
  let pane: StoriesPane;

  const screenshot = (name: string) => code.page.screenshot({ path: join(screenshots, `writing-${name}.png`) });
  const press = (...keys: readonly string[]) => pane.press(...keys);
  const list = () => elsewhere.ask('GET', '/projects/1/stories');
  const names = async () =>
    [...(await list()).matchAll(/<story\b.*?<\/story>/gs)].map(([xml]) => elementText(xml, 'name') ?? '');
  const numberOf = async (name: string) => {
    const stories = [...(await list()).matchAll(/<story\b.*?<\/story>/gs)].map(([xml]) => xml);
    return elementText(stories.find((xml) => elementText(xml, 'name') === name) ?? '', 'id') ?? '';
  };

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    const work = join(folder, 'work');
    await mkdir(work);
    await writeFile(join(work, 'oven.ts'), 'export function heat() {\n  // TODO: wait for 220 degrees\n}\n');
    elsewhere = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
    code = await openBuiltInWindow(join(folder, 'data'), { folder: work });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.row(/^Current \d+, /).waitFor();
    await pane.expand(pane.row(/^Icebox, /));
    await pane.settle();
  });
  after(async () => {
    await code.close();
    await elsewhere.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('makes a story of each of five lines that are pasted, after showing them', async () => {
    await code.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await code.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(LINES)})`);
    await pane.pressInRow(pane.row(/^Icebox, /), 'Quick Add Story…');
    await eventually(async () => assert.match(await pane.question(), /New Story in .*Story Tracker.*, Icebox/));
    await code.page.keyboard.press('Control+V');
    await eventually(async () => assert.match(await pane.question(), /which of these 5 lines become stories/));
    await screenshot('pasted');
    await code.page.keyboard.press('Enter');
    await eventually(async () => assert.match(await pane.question(), /Create 5 Stories in .*Story Tracker.*, Icebox/));
    await screenshot('list');
    await code.page.keyboard.press('Enter');
    await pane.choose('chore');
    await pane.row(/^Chore, unscheduled, Bake it, /).waitFor();
    await eventually(async () => {
      const made = await names();
      const at = made.indexOf('Mix the dough');
      assert.deepEqual(made.slice(at, at + 5), ['Mix the dough', 'Knead it', 'Let it rest', 'Shape it', 'Bake it']);
    });
    await screenshot('five');
  });

  it('names a story by typing without the clipboard, and waits for none that is not answered', async () => {
    await code.page.evaluate(`window.clipboardReads = 0;
      navigator.clipboard.readText = () => {
        window.clipboardReads++;
        return new Promise(() => undefined);
      };`);
    const reads = () => code.page.evaluate('window.clipboardReads');
    const add = async (write: (page: typeof code.page) => Promise<void>) => {
      await pane.pressInRow(pane.row(/^Icebox, /), 'Quick Add Story…');
      await eventually(async () => assert.match(await pane.question(), /New Story in .*Story Tracker.*, Icebox/));
      await write(code.page);
      await code.page.keyboard.press('Enter');
      await pane.choose('chore');
    };
    await add(({ keyboard }) => keyboard.type('Sift the flour twice', { delay: 20 }));
    await pane.row(/^Chore, unscheduled, Sift the flour twice, /).waitFor();
    assert.equal(await reads(), 0);
    await add(async ({ keyboard }) => {
      await keyboard.insertText('Weigh the');
      await keyboard.insertText(' salt twice');
    });
    await pane.row(/^Chore, unscheduled, Weigh the salt twice, /).waitFor();
    assert.equal(await reads(), 1);
    // Its row is there before the server has the story.
    await eventually(async () => assert.ok((await names()).includes('Weigh the salt twice')));
    await code.page.evaluate('delete navigator.clipboard.readText');
  });

  it('deletes three rows after one question, and takes it back in their places', async () => {
    const before = await names();
    await pane.rest();
    await eventually(async () => {
      await pane.click(pane.row(/, Knead it, /));
      assert.match(await pane.focusedName(), /Knead it/);
    });
    await code.page.keyboard.press('Shift+ArrowDown');
    await code.page.keyboard.press('Shift+ArrowDown');
    await eventually(async () => assert.equal((await pane.selectedNames()).length, 3));
    await runCommand(code.page, 'Story Tracker: Copy Title');
    await code.page.locator('.statusbar', { hasText: 'Copied 3 stories' }).waitFor();
    assert.equal(await code.page.evaluate('navigator.clipboard.readText()'), 'Knead it\nLet it rest\nShape it');
    await runCommand(code.page, 'Story Tracker: Delete Story');
    const dialogue = code.page.locator('.monaco-dialog-box', { hasText: 'Delete 3 stories?' });
    await dialogue.waitFor();
    assert.match((await dialogue.textContent()) ?? '', /“Knead it”.*“Let it rest”.*“Shape it”/s);
    await screenshot('delete');
    // It may take no click in the moment after it opened.
    await eventually(async () => {
      const button = dialogue.getByRole('button', { name: 'Delete', exact: true });
      if (await button.isVisible()) await button.click({ timeout: 1000 });
      assert.equal(await dialogue.isVisible(), false);
    });
    await eventually(async () => assert.equal((await names()).length, before.length - 3));
    await runCommand(code.page, 'Story Tracker: Undo Last Change');
    await eventually(async () => assert.deepEqual(await names(), before));
    await eventually(async () => {
      const shown = (await pane.names()).join('\n');
      assert.match(shown, /Mix the dough.*\n.*Knead it.*\n.*Let it rest.*\n.*Shape it.*\n.*Bake it/);
    });
    await screenshot('restored');
  });

  it('puts a new story into the iteration of the row, and says so', async () => {
    const current = pane.row(/^Current \d+, /);
    const number = /Current (\d+)/.exec((await current.getAttribute('aria-label')) ?? '')?.[1];
    await pane.pressInRow(current, 'Quick Add Story…');
    await eventually(async () => assert.match(await pane.question(), new RegExp(`, Current ${number}`)));
    await pane.answer('Sweep the floor');
    await pane.choose('chore');
    const said = code.page.locator('.statusbar', { hasText: `in Current ${number}.` });
    await said.waitFor();
    await screenshot('current');
    await pane.row(/^Chore, unstarted, Sweep the floor, .* in iteration/).waitFor();
  });

  it('makes a story of a TODO, with its ID in the line', async () => {
    const file = code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'oven.ts' }).first();
    // The row of the story before takes the focus when it comes, and closes the box.
    await eventually(async () => {
      await code.page.keyboard.press('Control+P');
      await pane.input().fill('oven.ts', { timeout: 2000 });
      await file.waitFor({ timeout: 3000 });
    }, 30_000);
    await code.page.keyboard.press('Enter');
    const lines = code.page.locator('.editor-instance .view-lines');
    await lines.filter({ hasText: 'TODO' }).waitFor();
    await press('Control+Home', 'ArrowDown');
    const item = code.page.locator('.action-widget .monaco-list-row', { hasText: 'Create Story from TODO' });
    await eventually(async () => {
      await code.page.keyboard.press('Escape');
      await code.page.keyboard.press('Control+.');
      await item.waitFor({ timeout: 3000 });
    }, 30_000);
    await screenshot('action');
    await code.page.keyboard.press('Enter');
    await eventually(async () => assert.match(await pane.question(), /New Story from TODO/));
    await screenshot('todo-name');
    await code.page.keyboard.press('Enter');
    await eventually(async () => assert.notEqual(await numberOf('wait for 220 degrees'), ''));
    const id = await numberOf('wait for 220 degrees');
    await eventually(async () => {
      const text = ((await lines.textContent()) ?? '').replaceAll('\u00a0', ' ');
      assert.ok(text.includes(`// TODO(#${id}): wait for 220 degrees`), text);
    });
    await screenshot('todo');
    await press('Control+Z');
    await eventually(async () => {
      const text = ((await lines.textContent()) ?? '').replaceAll('\u00a0', ' ');
      assert.ok(text.includes('// TODO: wait for 220 degrees'), text);
    });
  });
});
