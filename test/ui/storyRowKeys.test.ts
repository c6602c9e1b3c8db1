import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
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

describe('Keys on rows of stories', () => {
  let folder: string;
  let elsewhere: RunningService;
  let code: VsCode;
  let pane: StoriesPane;
  const row = (name: string) => pane.row(new RegExp(`^Feature, .*${name} story`)).first();
  const names = async () =>
    (await pane.names()).flatMap((name) => /(Rye|Dark|Spelt|Wheat|Oat) story/.exec(name)?.[1] ?? []);
  const assertNames = (...expected: readonly string[]) =>
    eventually(async () => assert.deepEqual((await names()).toSorted(), expected.toSorted()));

  /** An undo that waits for what it takes back to be done first takes longer than a person's focus is waited for. */
  const assertThere = (...expected: readonly string[]) =>
    eventually(async () => {
      const all = await elsewhere.ask('GET', '/projects/1/stories');
      const there = ['Rye', 'Dark', 'Spelt', 'Wheat', 'Oat'].filter((name) => all.includes(`<name>${name} story<`));
      assert.deepEqual(there.toSorted(), expected.toSorted());
    }, 60_000);

  const assertOrder = (...expected: readonly string[]) =>
    eventually(async () => assert.deepEqual(await names(), expected));

  const isAt = async (name: string) => {
    await pane.hasFocused(new RegExp(`${name} story`));
    await eventually(async () => assert.match((await pane.selectedNames()).join(), new RegExp(`^[^/]*${name} story`)));
    assert.equal((await pane.selectedNames()).length, 1);
  };

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    elsewhere = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
    const fields = '<story_type>feature</story_type><estimate>1</estimate><current_state>started</current_state>';
    for (const name of ['Rye', 'Spelt', 'Wheat', 'Oat']) {
      const made = await elsewhere.ask(
        'POST',
        '/projects/1/stories',
        `<story><name>${name} story</name>${fields}</story>`,
      );
      if (name !== 'Oat') continue;
      for (const task of ['Mill it', 'Sift it', 'Soak it']) {
        const path = `/projects/1/stories/${elementText(made, 'id')}/tasks`;
        await elsewhere.ask('POST', path, `<task><description>${task}</description></task>`);
      }
    }
    code = await openBuiltInWindow(join(folder, 'data'), { folder });
    pane = new StoriesPane(code.page);
    await pane.show();
    await row('Oat').waitFor();
    await pane.row(/^Icebox, /).waitFor();
    await pane.settle();
  });
  after(async () => {
    await code.close();
    await elsewhere.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('rename by F2 the row that has the focus, whichever is selected', async () => {
    await pane.click(row('Rye'));
    await pane.press('ArrowDown');
    await pane.hasFocused(/Spelt story/);
    await code.page.keyboard.press('F2');
    await pane.input().waitFor();
    await eventually(async () => assert.equal(await pane.input().inputValue(), 'Spelt story'));
    await pane.settle();
    await code.page.screenshot({ path: join(screenshots, 'storyRowKeys-rename.png') });
    // All of it is selected, so that typing replaces it.
    await code.page.keyboard.type('Dark story');
    await code.page.keyboard.press('Enter');
    await row('Dark').waitFor();
    await pane.input().waitFor({ state: 'hidden' });
    await assertNames('Rye', 'Dark', 'Wheat', 'Oat');
  });

  it('keep a name that was begun', async () => {
    await pane.click(row('Wheat'));
    await pane.rest();
    await code.page.keyboard.press('F2');
    await eventually(async () => assert.equal(await pane.input().inputValue(), 'Wheat story'));
    await code.page.keyboard.type('Half a name');
    await code.page.keyboard.press('Escape');
    await pane.input().waitFor({ state: 'hidden' });
    await pane.hasFocused(/Wheat story/);
    await pane.rest();
    await code.page.keyboard.press('F2');
    await pane.input().waitFor();
    await eventually(async () => assert.equal(await pane.input().inputValue(), 'Half a name'));
    await code.page.keyboard.type('Wheat story');
    await code.page.keyboard.press('Enter');
    await pane.input().waitFor({ state: 'hidden' });
    await assertNames('Rye', 'Dark', 'Wheat', 'Oat');
  });

  it('delete three rows with one question, and take that back', async () => {
    await pane.click(row('Rye'));
    await pane.click(row('Wheat'), { modifiers: ['Shift'] });
    await eventually(async () => assert.equal((await pane.selectedNames()).length, 3));
    await code.page.keyboard.press('Delete');
    const question = code.page.locator('.monaco-dialog-box', { hasText: 'Delete 3 stories?' });
    await question.waitFor();
    await code.page.screenshot({ path: join(screenshots, 'storyRowKeys-delete.png') });
    await question.getByRole('button', { name: 'Delete', exact: true }).click();
    await assertNames('Oat');
    await assertThere('Oat');
    await pane.click(row('Oat'));
    await code.page.keyboard.press('Control+Alt+z');
    await code.page.locator('.statusbar', { hasText: 'Restored 3 stories' }).waitFor({ timeout: 90_000 });
    await assertNames('Rye', 'Dark', 'Wheat', 'Oat');
    await isAt('Rye');
    await pane.rest();
    await isAt('Rye');
  });

  it('delete a row with the next one selected after it, and have its own selected when that is taken back', async () => {
    const deleteRow = async () => {
      await code.page.keyboard.press('Delete');
      const question = code.page.locator('.monaco-dialog-box');
      await question.getByRole('button', { name: 'Delete', exact: true }).click();
      await question.waitFor({ state: 'detached' });
    };
    const [first = '', second = '', third = '', last = ''] = await names();
    await pane.click(row(second));
    await pane.hasFocused(new RegExp(second));
    await deleteRow();
    await assertNames(first, third, last);
    await pane.rest();
    await isAt(third);
    await code.page.keyboard.press('ArrowDown');
    await pane.hasFocused(new RegExp(`${last} story`));
    await code.page.keyboard.press('ArrowUp');
    await assertThere(first, third, last);
    await code.page.keyboard.press('Control+Alt+z');
    await assertNames(first, second, third, last);
    await pane.rest();
    await isAt(second);
    await pane.click(row(first));
    await pane.click(row(second), { modifiers: ['Shift'] });
    await deleteRow();
    await assertNames(third, last);
    await assertThere(third, last);
    await pane.rest();
    await isAt(third);
    await code.page.keyboard.press('Control+Alt+z');
    await assertNames(first, second, third, last);
    await pane.rest();
    await isAt(`(?:${first}|${second})`);
  });

  it('delete nothing where the question is turned away', async () => {
    await pane.click(row('Oat'));
    await code.page.keyboard.press('Delete');
    const question = code.page.locator('.monaco-dialog-box', { hasText: 'Oat story' });
    await question.waitFor();
    await code.page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await assertNames('Rye', 'Dark', 'Wheat', 'Oat');
  });

  it('have a menu for several rows without what is for one', async () => {
    await pane.click(row('Rye'));
    await pane.click(row('Wheat'), { modifiers: ['Shift'] });
    await pane.click(row('Wheat'), { button: 'right' });
    const menu = code.page.locator('.monaco-menu');
    await menu.waitFor();
    await code.page.screenshot({ path: join(screenshots, 'storyRowKeys-menu.png') });
    const texts = await menu.locator('.action-label').allTextContents();
    for (const text of ['Change State…', 'Edit', 'Copy Title', 'Copy ID', 'Copy Marker', 'Delete']) {
      assert.ok(
        texts.some((one) => one.startsWith(text)),
        `${text} in ${texts.join()}`,
      );
    }
    for (const text of ['Rename…', 'Start Story…']) assert.ok(!texts.includes(text), text);
    await menu.getByText('Delete', { exact: true }).click();
    const question = code.page.locator('.monaco-dialog-box', { hasText: 'Delete 3 stories?' });
    await question.waitFor();
    await code.page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await assertNames('Rye', 'Dark', 'Wheat', 'Oat');
  });

  it('are told in the menu of one row', async () => {
    await pane.click(row('Rye'));
    await isAt('Rye');
    await pane.click(row('Rye'), { button: 'right' });
    const menu = code.page.locator('.monaco-menu');
    await menu.waitFor();
    await code.page.screenshot({ path: join(screenshots, 'storyRowKeys-menu-one.png') });
    const keyOf = (text: string) =>
      menu
        .locator('.action-item')
        .filter({ has: code.page.getByText(text, { exact: true }) })
        .locator('.keybinding');
    assert.equal(await keyOf('Rename…').textContent(), 'F2');
    assert.match((await keyOf('Delete').textContent()) ?? '', /^Del/);
    assert.equal(await menu.getByText('Undo Last Move').count(), 0, 'nothing was moved yet');
    await code.page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
  });

  it('offer to undo a move once there was one', async () => {
    await pane.click(row('Rye'));
    await isAt('Rye');
    await pane.rest();
    await pane.press('Alt+ArrowDown');
    await assertOrder('Dark', 'Rye', 'Wheat', 'Oat');
    await pane.chooseInMenu(row('Rye'), 'Undo Last Move');
    await assertOrder('Rye', 'Dark', 'Wheat', 'Oat');
    await pane.rest();
    const menu = code.page.locator('.monaco-menu');
    // The rows are back before the server has answered.
    await eventually(async () => {
      await pane.click(row('Rye'), { button: 'right' });
      await menu.getByText('Rename…').waitFor();
      const count = await menu.getByText('Undo Last Move').count();
      await code.page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      assert.equal(count, 0, 'the move was undone');
    });
  });

  it('edit a task by F2, and delete tasks with the focus going on to the next row', async () => {
    const task = (name: string) => pane.row(new RegExp(`^Task, open, ${name}$`));
    await pane.expandTo(row('Oat'), task('Mill it'));
    await pane.click(row('Oat'));
    await pane.press('ArrowDown', 'ArrowDown');
    await pane.hasFocused(/, Sift it$/);
    await code.page.keyboard.press('F2');
    await eventually(async () => assert.equal(await pane.input().inputValue(), 'Sift it'));
    await code.page.keyboard.type('Sieve it');
    await code.page.keyboard.press('Enter');
    await task('Sieve it').waitFor();
    await pane.rest();
    await pane.hasFocused(/, Sieve it$/);
    await code.page.keyboard.press('Delete');
    await task('Sieve it').waitFor({ state: 'detached' });
    await pane.rest();
    await pane.hasFocused(/, Soak it$/);
    await pane.press('ArrowUp');
    await pane.hasFocused(/, Mill it$/);
    await pane.press('ArrowDown');
    await pane.hasFocused(/, Soak it$/);
    await code.page.keyboard.press('Delete');
    await task('Soak it').waitFor({ state: 'detached' });
    await pane.rest();
    await pane.hasFocused(/, Mill it$/);
    await code.page.keyboard.press('Delete');
    await task('Mill it').waitFor({ state: 'detached' });
    await pane.rest();
    await pane.hasFocused(/Oat story/);
    await pane.press('ArrowUp');
    await pane.hasFocused(/Wheat story/);
  });

  it('stay on a story that goes to another project', async () => {
    await runCommand(code.page, 'Story Tracker: New Project…');
    await pane.answer('Annex');
    // Its row is further down.
    await pane.rest();
    await pane.click(row('Wheat'));
    await pane.chooseInMenu(row('Wheat'), 'Move to Project…');
    await pane.choose('Annex');
    const there = /Wheat story, 1 point, 1 of 1 in iteration/;
    await pane.hasFocused(there);
    await pane.rest();
    await code.page.screenshot({ path: join(screenshots, 'storyRowKeys-moved.png') });
    await pane.hasFocused(there);
    assert.equal((await pane.selectedNames()).length, 1);
    assert.match((await pane.selectedNames()).join(), there);
    await code.page.keyboard.press('Control+Alt+z');
    await code.page.locator('.statusbar', { hasText: /Moved story #\d+ back/ }).waitFor();
    await pane.rest();
    await code.page.screenshot({ path: join(screenshots, 'storyRowKeys-moved-back.png') });
    const back = /Wheat story, 1 point, \d+ of \d\d? in iteration/;
    await eventually(async () => {
      assert.match(await pane.focusedName(), back);
      assert.doesNotMatch(await pane.focusedName(), there);
    });
    assert.equal((await pane.selectedNames()).length, 1);
    assert.match((await pane.selectedNames()).join(), back);
    await code.page.keyboard.press('Control+Alt+Shift+z');
    await pane.hasFocused(there);
    await pane.rest();
    await pane.hasFocused(there);
    await code.page.keyboard.press('Control+Alt+z');
    await pane.hasFocused(back);
  });
});
