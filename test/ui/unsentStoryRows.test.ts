import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import type { GitRepositoryFolder } from '../support/git/gitRepository.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { runCommand } from './commandPalette.ts';
import { CommitWorkspace } from './commitWorkspace.ts';
import { StoriesPane } from './storiesPane.ts';
import { StoryPage } from './storyPage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('Rows of stories that no server has yet', function () {
  this.timeout(180_000);
  let workspace: CommitWorkspace;
  let repository: GitRepositoryFolder;
  let code: VsCode;
  let pane: StoriesPane;
  let story: StoryPage;
  let isAway = false;

  const row = (name: string) => pane.row(new RegExp(`^Feature, unscheduled, ${name},`)).first();
  const screenshot = (name: string) => code.page.screenshot({ path: join(screenshots, `unsentStoryRows-${name}.png`) });
  const nameIn = (label: string) => label.replaceAll(/[\u2068\u2069]/g, '');
  const assertTabs = (...expected: readonly string[]) =>
    eventually(async () => {
      const labels = await code.page.locator('.tab .label-name').allTextContents();
      assert.deepEqual(labels.map(nameIn), expected);
    });
  const click = async (target: Locator) => {
    await pane.rest();
    await pane.click(target);
  };
  const closeAll = async () => {
    await runCommand(code.page, 'View: Close All Editors');
    await code.page.locator('.tab').first().waitFor({ state: 'detached' });
  };

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    workspace = await CommitWorkspace.create(join(root, 'dist/service.js'));
    const fields = '<story_type>feature</story_type><current_state>unscheduled</current_state>';
    await workspace.ask('POST', '/projects/1/stories', `<story><name>Rye</name>${fields}</story>`);
    repository = await workspace.repository('one');
    await repository.commit('Begin');
    const userSettings = { 'storyTracker.commit.link': 'off' };
    // Installed, so that notifications are shown.
    code = await openVsCode({ folder: repository.root, extensionPath: root, userSettings, installed: true });
    pane = new StoriesPane(code.page);
    story = new StoryPage(code.page);
    await pane.show();
    await pane.signIn(workspace.url.replace('http://', ''), workspace.token);
    await eventually(async () => {
      await pane.expand(pane.row(/^Icebox, [1-9]/).first());
      await row('Rye').waitFor({ timeout: 2_000 });
    }, 30_000);
    await workspace.goAway();
    isAway = true;
    for (const name of ['Spelt', 'Barley']) {
      await runCommand(code.page, 'Story Tracker: Quick Add Story…');
      await pane.answer(name);
      await pane.choose('feature');
      // It is selected a moment after it is there, whatever was clicked in between.
      await eventually(async () => assert.match((await pane.selectedNames()).join(), new RegExp(name)));
    }
    await pane.settle();
  });
  after(async () => {
    await code.close();
    if (isAway) await workspace.comeBack();
    await workspace.remove();
  });

  it('show the story in a preview by a click, with the focus staying in the tree', async () => {
    await click(row('Spelt'));
    await assertTabs('Spelt (Preview)');
    await story.title().filter({ hasText: 'Spelt' }).waitFor();
    await click(row('Barley'));
    await assertTabs('Barley (Preview)');
    await story.title().filter({ hasText: 'Barley' }).waitFor();
    assert.equal(await code.page.evaluate('document.activeElement.closest(".sidebar") !== null'), true);
    await pane.settle();
    await screenshot('preview');
  });

  it('keep its tab by Enter and by a double click', async () => {
    await click(row('Spelt'));
    await assertTabs('Spelt (Preview)');
    await code.page.keyboard.press('Enter');
    await assertTabs('Spelt');
    await pane.doubleClick(row('Barley'));
    await assertTabs('Spelt', 'Barley');
    await closeAll();
  });

  it('say why F2 renames no story yet', async () => {
    await click(row('Spelt'));
    await code.page.keyboard.press('F2');
    await code.page.locator('.notification-toast', { hasText: 'has no ID until it has been sent' }).waitFor();
    await screenshot('rename');
    await runCommand(code.page, 'Notifications: Clear All Notifications');
  });

  it('offer in their menu what can be done without a number', async () => {
    await click(row('Spelt'));
    await pane.rest();
    await pane.click(row('Spelt'), { button: 'right' });
    const item = (name: string) => code.page.locator('.monaco-menu .action-item', { hasText: name });
    await item('Delete').waitFor();
    await screenshot('menu');
    const offered = await code.page.locator('.monaco-menu .action-item .action-label[aria-label]').allTextContents();
    assert.deepEqual(
      offered.filter((text) => text.trim() !== ''),
      ['Open Story', 'Show Unsent Changes', 'New Story…', 'Copy Title', 'Duplicate', 'Delete'],
    );
    await code.page.keyboard.press('Escape');
    await item('Delete').waitFor({ state: 'hidden' });
  });

  it('take the story out of the outbox by Delete, and put it back by Undo', async () => {
    const dialog = code.page.locator('.monaco-dialog-box');
    // None goes while it is being tried to send it, which may be just now.
    await eventually(async () => {
      await click(row('Spelt'));
      await code.page.keyboard.press('Delete');
      await dialog.getByText('It has not been sent to the server yet. Undo restores it.').waitFor();
      await screenshot('delete');
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await row('Spelt').waitFor({ state: 'detached', timeout: 5_000 });
    }, 60_000);
    await runCommand(code.page, 'Story Tracker: Undo Last Edit');
    await row('Spelt').waitFor();
    // What comes back is selected, unless another row was since.
    await eventually(async () => assert.match((await pane.selectedNames()).join(), /Spelt/));
    await closeAll();
  });

  it('stay selected, with the focus, once the server has given them their number', async () => {
    await click(row('Barley'));
    await pane.hasFocused(/Barley/);
    await workspace.comeBack();
    isAway = false;
    const retry = async () => {
      await runCommand(code.page, 'Story Tracker: Retry Unsent Changes');
      await pane.message(/unsent changes?/).waitFor({ state: 'detached', timeout: 10_000 });
    };
    await eventually(retry, 60_000);
    await code.page
      .locator('.tab')
      .filter({ hasText: /#\d+ .*Barley/ })
      .waitFor({ timeout: 60_000 });
    await pane.settle();
    await screenshot('numbered');
    const selected = await pane.selectedNames();
    assert.equal(selected.length, 1);
    assert.match(selected.join(), /Barley/);
    await pane.hasFocused(/Barley/);
    const tabs = (await code.page.locator('.tab .label-name').allTextContents()).map(nameIn);
    assert.match(tabs.join(), /#\d+ Barley/);
    await click(row('Barley'));
    await assertTabs(...tabs);
    await code.page.keyboard.press('ArrowDown');
    await pane.hasFocused(/Spelt|Rye/);
  });
});
