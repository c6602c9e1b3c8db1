import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { reloadWindow, runCommand } from './commandPalette.ts';
import { StoriesPane } from './storiesPane.ts';
import { StoryPage } from './storyPage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('Rows of stories, by mouse and keyboard', () => {
  let folder: string;
  let elsewhere: RunningService;
  let code: VsCode;
  let pane: StoriesPane;
  let story: StoryPage;

  const open = async (userSettings: Readonly<Record<string, unknown>> = {}) => {
    code = await openBuiltInWindow(join(folder, 'data'), { folder, userSettings });
    pane = new StoriesPane(code.page);
    story = new StoryPage(code.page);
    await pane.show();
    await row('Rye').waitFor();
    // Rows that still come would move the one that is clicked.
    await pane.row(/^Icebox, /).waitFor();
    await pane.settle();
  };
  const row = (name: string) => pane.row(new RegExp(`^Feature, .*${name} story`)).first();
  const tabs = () => code.page.locator('.tab .label-name').allTextContents();
  const nameIn = (label: string) => label.replace(/^#\d+ /, '').replaceAll(/[\u2068\u2069]/g, '');
  const assertTabs = (...expected: readonly string[]) =>
    eventually(async () => assert.deepEqual((await tabs()).map(nameIn), expected));
  const assertShown = (name: string) =>
    story
      .title()
      .filter({ hasText: `${name} story` })
      .waitFor();
  const isFocusInTree = () => code.page.evaluate('document.activeElement.closest(".sidebar") !== null');
  const assertFocusInTree = (expected: boolean) =>
    eventually(async () => assert.equal(await isFocusInTree(), expected));
  const closeAll = async () => {
    await runCommand(code.page, 'View: Close All Editors');
    await code.page.locator('.tab').first().waitFor({ state: 'detached' });
  };
  const clickQuietly = async (target: Locator, options?: Parameters<Locator['click']>[0]) => {
    await pane.rest();
    await pane.click(target, options);
  };

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    elsewhere = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
    const make = async (name: string) => {
      const fields = '<story_type>feature</story_type><estimate>1</estimate><current_state>started</current_state>';
      const path = '/projects/1/stories';
      const made = await elsewhere.ask('POST', path, `<story><name>${name} story</name>${fields}</story>`);
      return elementText(made, 'id') ?? '';
    };
    const id = await make('Rye');
    const task = '<task><description>Grind the rye</description></task>';
    await elsewhere.ask('POST', `/projects/1/stories/${id}/tasks`, task);
    await make('Spelt');
    await make('Wheat');
  });
  after(async () => {
    await elsewhere.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  describe('where a click opens', () => {
    before(() => open());
    after(() => code.close());
    afterEach(closeAll);

    it('show one after the other in a preview by clicks, with the focus staying in the tree', async () => {
      await clickQuietly(row('Rye'));
      await assertTabs('Rye story (Preview)');
      await assertShown('Rye');
      await assertFocusInTree(true);
      await clickQuietly(row('Spelt'));
      await assertTabs('Spelt story (Preview)');
      await assertShown('Spelt');
      await assertFocusInTree(true);
      await pane.settle();
      await code.page.screenshot({ path: join(screenshots, 'storyPreview-light.png') });
    });

    it('keep a story by a double click, with the focus in its tab', async () => {
      await pane.rest();
      await pane.doubleClick(row('Rye'));
      await assertTabs('Rye story');
      await assertFocusInTree(false);
      await clickQuietly(row('Spelt'));
      await assertTabs('Rye story', 'Spelt story (Preview)');
      await pane.doubleClick(row('Spelt'));
      await assertTabs('Rye story', 'Spelt story');
    });

    it('open by Enter the row that has the focus, and keep it', async () => {
      await clickQuietly(row('Spelt'));
      await assertTabs('Spelt story (Preview)');
      await pane.press('ArrowDown');
      await pane.hasFocused(/Wheat story/);
      await code.page.keyboard.press('Enter');
      await assertShown('Wheat');
      await assertTabs('Wheat story');
      await assertFocusInTree(false);
    });

    it('open nothing when several are selected', async () => {
      await clickQuietly(row('Rye'));
      await assertTabs('Rye story (Preview)');
      await pane.click(row('Spelt'), { modifiers: ['ControlOrMeta'] });
      await pane.click(row('Wheat'), { modifiers: ['Shift'] });
      await pane.rest();
      await assertTabs('Rye story (Preview)');
    });

    it('keep a preview in which something is typed', async () => {
      await clickQuietly(row('Rye'));
      await assertShown('Rye');
      await story.comment().click();
      await code.page.keyboard.type('H');
      await assertTabs('Rye story');
      await clickQuietly(row('Spelt'));
      await assertTabs('Rye story', 'Spelt story (Preview)');
      await code.page.locator('.tab', { hasText: 'Rye story' }).click();
      await eventually(async () => assert.equal(await story.comment().inputValue(), 'H'));
      await story.comment().fill('');
    });

    it('keep a comment that was begun to its story', async () => {
      await clickQuietly(row('Rye'));
      await assertShown('Rye');
      await story.comment().click();
      await code.page.keyboard.type('Half');
      await story.task().click();
      await code.page.keyboard.type('Half a task');
      await assertTabs('Rye story');
      await closeAll();
      await clickQuietly(row('Rye'));
      await eventually(async () => assert.equal(await story.comment().inputValue(), 'Half'));
      await eventually(async () => assert.equal(await story.task().inputValue(), 'Half a task'));
      // With something to lose in it, it must not make way for the next click.
      await assertTabs('Rye story');
      await story.kept('Task').click();
      assert.equal(await story.focused(), 'task');
      await pane.settle();
      await code.page.screenshot({ path: join(screenshots, 'storyPreview-kept.png') });
      await story.kept('Comment').click();
      assert.equal(await story.focused(), 'comment');
      assert.equal(await story.kept('Description').isVisible(), false);
      assert.deepEqual(await story.seriousFaults(), []);
      await clickQuietly(row('Spelt'));
      await assertTabs('Rye story', 'Spelt story (Preview)');
      await assertShown('Spelt');
      assert.equal(await story.kept('Comment').isVisible(), false);
      assert.equal(await story.comment().inputValue(), '');
      assert.equal(await story.task().inputValue(), '');
      await closeAll();
      await clickQuietly(row('Spelt'));
      await assertTabs('Spelt story (Preview)');
      await clickQuietly(row('Rye'));
      await assertShown('Rye');
      await assertTabs('Rye story');
      await eventually(async () => assert.equal(await story.comment().inputValue(), 'Half'));
      await eventually(async () => assert.equal(await story.task().inputValue(), 'Half a task'));
      await story.task().fill('');
      await story.kept('Task').waitFor({ state: 'hidden' });
      await story.comment().fill('');
      await story.kept('Comment').waitFor({ state: 'hidden' });
    });

    it('keep a preview over a reload, as a preview', async () => {
      await clickQuietly(row('Rye'));
      await assertShown('Rye');
      await assertTabs('Rye story (Preview)');
      await pane.settle();
      await reloadWindow(code.page);
      await assertShown('Rye');
      await pane.show();
      await pane.row(/^Icebox, /).waitFor();
      await assertTabs('Rye story (Preview)');
      await clickQuietly(row('Spelt'));
      await assertTabs('Spelt story (Preview)');
    });

    it('unfold by Space and by the arrow, and tick a task by Space', async () => {
      await clickQuietly(row('Rye'));
      await assertShown('Rye');
      // Rows that were open before the reload are open again.
      if ((await row('Rye').getAttribute('aria-expanded')) === 'true') await pane.press('ArrowLeft');
      await pane.press('Space');
      const task = pane.row(/^Task, open, Grind the rye/);
      await task.waitFor();
      await pane.press('ArrowDown');
      await pane.hasFocused(/Grind the rye/);
      // Which row has the focus is not known to commands while rows come and go.
      await pane.press('Space');
      await pane.row(/^Task, done, Grind the rye/).waitFor();
      await pane.hasFocused(/Grind the rye/);
      await pane.rest();
      await pane.press('Space');
      await task.waitFor();
      await assertTabs('Rye story (Preview)');
    });

    it('preview by Space a story that has nothing to unfold, with the focus staying in the tree', async () => {
      await clickQuietly(row('Spelt'));
      await assertTabs('Spelt story (Preview)');
      await pane.press('ArrowDown');
      await pane.hasFocused(/Wheat story/);
      await code.page.keyboard.press('Space');
      await assertTabs('Wheat story (Preview)');
      await assertFocusInTree(true);
    });

    it('unfold other rows by Enter, as ever', async () => {
      const icebox = pane.row(/^Icebox, /);
      await clickQuietly(icebox);
      const wasOpen = await icebox.getAttribute('aria-expanded');
      await pane.press('Enter');
      await eventually(async () => assert.notEqual(await icebox.getAttribute('aria-expanded'), wasOpen));
      await pane.press('Enter');
      await eventually(async () => assert.equal(await icebox.getAttribute('aria-expanded'), wasOpen));
      await pane.click(row('Rye'));
    });
  });

  describe('where a double click opens', () => {
    before(() => open({ 'workbench.list.openMode': 'doubleClick' }));
    after(() => code.close());

    it('are selected by a click, and opened by a double one', async () => {
      await clickQuietly(row('Rye'));
      await pane.rest();
      await assertTabs();
      await pane.doubleClick(row('Rye'));
      await assertTabs('Rye story');
    });
  });
});
