import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { type RunningService, runningService } from '../support/servers/runningService.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { runCommand } from './commandPalette.ts';
import { showView } from './sideBar.ts';
import { StoriesPane } from './storiesPane.ts';
import { StoryPage } from './storyPage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('The focus in the tab of a story', () => {
  let folder: string;
  let elsewhere: RunningService;
  let code: VsCode;
  let pane: StoriesPane;
  let story: StoryPage;

  const keys = async (...pressed: readonly string[]) => {
    for (const key of pressed) await code.page.keyboard.press(key);
  };
  const type = (text: string) => code.page.keyboard.type(text);
  const tab = (name: string) => code.page.locator('.tab', { hasText: name });
  const isInPage = async () => (await story.frame()).evaluate<boolean>('document.hasFocus()');
  /** A key that comes before the box has the focus closes it with the focus in neither. */
  const quickPickHasFocus = async () => {
    await code.page.locator('.quick-input-widget').waitFor();
    await eventually(async () => assert.equal(await isInPage(), false));
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    elsewhere = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
    const fields = '<story_type>feature</story_type><estimate>2</estimate><current_state>started</current_state>';
    await elsewhere.ask('POST', '/projects/1/stories', `<story><name>Focus story</name>${fields}</story>`);
    code = await openBuiltInWindow(join(folder, 'data'), { folder });
    pane = new StoriesPane(code.page);
    story = new StoryPage(code.page);
    await pane.show();
    const row = pane.row(/Focus story/).first();
    await row.waitFor();
    await pane.row(/^Icebox, /).waitFor();
    await pane.settle();
    await pane.click(row);
    await eventually(async () => assert.match(await pane.focusedName(), /Focus story/));
    await keys('Control+Enter');
    await story.title().filter({ hasText: 'Focus story' }).waitFor();
  });
  after(async () => {
    await code.close();
    await elsewhere.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Each leaves the tab and comes back to it without going to anything in it. */
  const waysBack = {
    'the command palette was cancelled': async () => {
      await keys('F1');
      await quickPickHasFocus();
      await keys('Escape');
    },
    'another view had it': async () => {
      await showView(code.page, 'Explorer');
      await code.page.locator('.explorer-folders-view').click();
      await eventually(async () => assert.equal(await isInPage(), false));
      await keys('Control+1');
    },
    'its tab was clicked': async () => {
      await code.page.locator('.explorer-folders-view').click();
      await eventually(async () => assert.equal(await isInPage(), false));
      await tab('Focus story').click();
    },
  };
  for (const [what, leaveAndReturn] of Object.entries(waysBack)) {
    it(`comes back to where one was writing when ${what}`, async () => {
      await story.comment().fill('Half thought');
      await story.comment().focus();
      await keys('Control+Home', ...Array(5).fill('ArrowRight'));
      await leaveAndReturn();
      await eventually(async () => assert.equal(await isInPage(), true));
      await eventually(async () => assert.equal(await story.focused(), 'comment'));
      await type('a ');
      assert.equal(await story.comment().inputValue(), 'Half a thought');
      await keys('Control+z');
      await eventually(async () => assert.notEqual(await story.comment().inputValue(), 'Half a thought'));
      await story.comment().fill('');
    });
  }

  it('comes back to a button, also to one that was drawn anew by what was chosen', async () => {
    const button = story.button('Change State…');
    await button.focus();
    const name = await story.focused();
    await keys('Enter');
    await quickPickHasFocus();
    await keys('Escape');
    await eventually(async () => assert.equal(await isInPage(), true));
    await eventually(async () => assert.equal(await story.focused(), name));
    await keys('Enter');
    await pane.choose('finished');
    await story.fact('finished').waitFor();
    await eventually(async () => assert.equal(await isInPage(), true));
    await eventually(async () => assert.equal(await story.focused(), name));
  });

  it('goes where one clicks, wherever it was before', async () => {
    await story.comment().focus();
    await code.page.locator('.explorer-folders-view').click();
    await eventually(async () => assert.equal(await isInPage(), false));
    await story.task().click();
    await eventually(async () => assert.equal(await story.focused(), 'task'));
    await code.page.locator('.explorer-folders-view').click();
    await eventually(async () => assert.equal(await isInPage(), false));
    await story.title().click();
    await eventually(async () => assert.equal(await isInPage(), true));
    assert.equal(await (await story.frame()).evaluate('document.activeElement.tagName'), 'BODY');
  });

  it('keeps a box in which one writes where it is on screen when more comes above it', async () => {
    await code.page.setViewportSize({ width: 1280, height: 500 });
    await story.comment().focus();
    await type('Half');
    const frame = await story.frame();
    const top = () => frame.evaluate<number>("document.getElementById('comment').getBoundingClientRect().top");
    await frame.evaluate("scrollBy(0, document.getElementById('comment').getBoundingClientRect().top - 300)");
    const comes = (html: string) =>
      frame.evaluate(`(() => {
        const sections = [...document.querySelectorAll('[data-part]')];
        const parts = Object.fromEntries(sections.map((one) => [one.dataset.part, one.innerHTML]));
        const story = JSON.parse(document.body.dataset.story);
        window.postMessage({ type: 'content', story, parts: { ...parts, comments: ${JSON.stringify(html)} } });
      })()`);
    const before = await top();
    assert.ok(before > 0 && before < 400, String(before));
    for (const lines of [20, 10]) {
      await comes(`<h2>Comments</h2>${'<p>More</p>'.repeat(lines)}`);
      await eventually(async () => assert.equal(await story.text('More').count(), lines));
      await frame.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      assert.ok(Math.abs((await top()) - before) < 2, `${await top()} after ${before}`);
    }
    await story.comment().fill('');
    await code.page.setViewportSize({ width: 1280, height: 860 });
  });

  it('stays in the field of a new story when the command is run again', async () => {
    await runCommand(code.page, 'Story Tracker: New Story…');
    await eventually(async () => assert.equal(await story.focused(), 'field-name'));
    await story.field('Description').focus();
    await type('For customers');
    await runCommand(code.page, 'Story Tracker: New Story…');
    await eventually(async () => assert.equal(await isInPage(), true));
    await eventually(async () => assert.equal(await story.focused(), 'field-description'));
    await type(' early');
    await eventually(async () => assert.equal(await story.field('Description').inputValue(), 'For customers early'));
  });
});
