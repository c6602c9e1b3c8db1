import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { runCommand } from './commandPalette.ts';
import { StoriesPane } from './storiesPane.ts';
import { StoryPage } from './storyPage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('Keys in the story panel', () => {
  let folder: string;
  let elsewhere: RunningService;
  let code: VsCode;
  let pane: StoriesPane;
  let story: StoryPage;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    elsewhere = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
    const stories = '/projects/1/stories';
    const fields = '<story_type>feature</story_type><estimate>2</estimate><current_state>started</current_state>';
    const description = '<description>Ask [the shop](https://bakery.example/orders)</description>';
    const made = await elsewhere.ask('POST', stories, `<story><name>Key story</name>${fields}${description}</story>`);
    const id = elementText(made, 'id') ?? '';
    await elsewhere.ask('POST', `${stories}/${id}/tasks`, '<task><description>Read orders</description></task>');
    const form = new FormData();
    form.append('Filedata', new Blob(['rye']), 'orders.txt');
    const sent = await fetch(`${elsewhere.url}/services/v3${stories}/${id}/attachments`, {
      method: 'POST',
      headers: { 'X-ServiceToken': elsewhere.token },
      body: form,
    });
    assert.equal(sent.status, 200);
    code = await openBuiltInWindow(join(folder, 'data'), {
      folder,
    });
    pane = new StoriesPane(code.page);
    story = new StoryPage(code.page);
    await pane.show();
    const row = pane.row(/Key story/).first();
    await row.waitFor();
    // Rows that still come would move the one that is clicked.
    await pane.row(/^Icebox, /).waitFor();
    await pane.settle();
    await pane.click(row);
    await eventually(async () => assert.match(await pane.focusedName(), /Key story/));
    await code.page.keyboard.press('Control+Enter');
    await story.title().filter({ hasText: 'Key story' }).waitFor();
  });
  after(async () => {
    await code.close();
    await elsewhere.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const asksBeforeLeaving = () => code.page.locator('.monaco-dialog-box', { hasText: 'external website' });
  const turnAway = async () => {
    await code.page.keyboard.press('Escape');
    await asksBeforeLeaving().waitFor({ state: 'detached' });
    await code.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  };

  /** Tabs from the first control on until the one of this name has the focus, then presses the key. */
  async function press(control: string | RegExp, key: string): Promise<void> {
    await runCommand(code.page, 'View: Focus Active Editor Group');
    await story.button('Start…').focus();
    const isThere = async () => {
      const focused = await story.focused();
      return typeof control === 'string' ? focused === control : control.test(focused);
    };
    for (let tabs = 0; tabs < 60 && !(await isThere()); tabs++) await code.page.keyboard.press('Tab');
    assert.ok(await isThere(), `${control} is reached`);
    await code.page.keyboard.press(key);
  }

  /** Pages of this machine are trusted, so they open without a question. */
  async function assertOpensPage(control: string | RegExp): Promise<void> {
    const opened = code.page.context().waitForEvent('page', { timeout: 60_000 });
    await press(control, 'Enter');
    await (await opened).close();
  }

  it("open the story's page", () => assertOpensPage('browser'));

  it('open a link of the description, after VS Code has asked', async () => {
    await press('https://bakery.example/orders', 'Enter');
    await asksBeforeLeaving().waitFor();
    await turnAway();
  });

  it('edit a task, put it in order and delete it', async () => {
    const tasks = () => story.texts('.tasks label');
    await press('task', 'End');
    await code.page.keyboard.type('Sort them');
    await code.page.keyboard.press('Enter');
    await eventually(async () => assert.deepEqual(await tasks(), ['Read orders', 'Sort them']));
    await press(/^task-\d+$/, 'F2');
    await eventually(async () => assert.match(await story.focused(), /^text-/));
    await code.page.keyboard.press('End');
    await code.page.keyboard.type(' at six');
    await code.page.keyboard.press('Enter');
    await eventually(async () => assert.deepEqual(await tasks(), ['Read orders at six', 'Sort them']));
    await press(/^task-\d+$/, 'Alt+ArrowDown');
    await eventually(async () => assert.deepEqual(await tasks(), ['Sort them', 'Read orders at six']));
    await eventually(async () => assert.match(await story.focused(), /^task-\d+$/));
    await code.page.keyboard.press('Alt+ArrowUp');
    await eventually(async () => assert.deepEqual(await tasks(), ['Read orders at six', 'Sort them']));
    await code.page.keyboard.press('ArrowRight');
    await eventually(async () => assert.match(await story.focused(), /^edit-\d+$/));
    await code.page.keyboard.press('Enter');
    await eventually(async () => assert.match(await story.focused(), /^text-/));
    await code.page.keyboard.type(' never');
    await code.page.keyboard.press('Escape');
    assert.deepEqual(await tasks(), ['Read orders at six', 'Sort them']);
    await code.page.keyboard.press('ArrowDown');
    await code.page.keyboard.press('Delete');
    await eventually(async () => assert.deepEqual(await tasks(), ['Read orders at six']));
  });

  it('take back what was done last, and never what is being written elsewhere', async () => {
    const tasks = () => story.texts('.tasks label');
    await press('comment', 'End');
    await code.page.keyboard.type('Half a thought');
    await press(/^task-\d+$/, 'Control+z');
    await eventually(async () => assert.deepEqual(await tasks(), ['Read orders at six', 'Sort them']));
    await code.page.keyboard.press('Control+y');
    await eventually(async () => assert.deepEqual(await tasks(), ['Read orders at six']));
    assert.equal(await story.comment().inputValue(), 'Half a thought');
    await press('comment', 'Control+z');
    await eventually(async () => assert.notEqual(await story.comment().inputValue(), 'Half a thought'));
    assert.deepEqual(await tasks(), ['Read orders at six']);
    await story.comment().fill('');
  });

  it('add tasks at speed, each once', async () => {
    await press('task', 'End');
    for (const text of ['alpha', 'beta', 'gamma']) {
      await code.page.keyboard.type(text);
      await code.page.keyboard.press('Enter');
    }
    const tasks = () => story.texts('.tasks label');
    await eventually(async () => assert.deepEqual((await tasks()).slice(1), ['alpha', 'beta', 'gamma']));
    for (let left = 3; left > 0; left--) {
      await press(/^task-\d+$/, 'End');
      await code.page.keyboard.press('ArrowDown');
      await code.page.keyboard.press('Delete');
      await eventually(async () => assert.equal((await tasks()).length, left));
    }
  });

  it('complete a task', async () => {
    await press(/^task-\d+$/, 'Space');
    await story.text('Tasks (1 of 1 done)').waitFor();
  });

  it('open an attachment', async () => {
    await press(/^openAttachment-\d+$/, 'Enter');
    const opened = code.page.locator('.tab.active', { hasText: 'orders.txt' });
    await opened.waitFor();
    await code.page.locator('.editor-instance .view-line', { hasText: 'rye' }).waitFor();
    await code.page.locator('.tab', { hasText: 'Key story' }).click();
    await story.title().waitFor();
  });

  it('ask where to save an attachment', async () => {
    await press(/^saveAttachment-\d+$/, 'Enter');
    await eventually(async () => assert.match(await pane.input().inputValue(), /orders\.txt$/));
    await turnAway();
  });

  it('ask which file to attach', async () => {
    await press('attach', 'Enter');
    await code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Choose Files…' }).waitFor();
    await pane.choose('Choose Files…');
    await eventually(async () => assert.match(await pane.input().inputValue(), /^\//));
    await turnAway();
  });

  it('write and send a comment', async () => {
    await press('comment', 'End');
    await code.page.keyboard.type('Baked');
    await code.page.keyboard.press('Control+Enter');
    await story.text('Comments (1)').waitFor();
  });

  it('go to the next state', async () => {
    await press('finishStory', 'Enter');
    await story.button('Deliver').waitFor();
    await eventually(async () => assert.notEqual(await story.focused(), ''));
  });
});
