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
import { runCommand } from './commandPalette.ts';
import { StoriesPane } from './storiesPane.ts';
import { StoryPage } from './storyPage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('Work on stories in a real window', () => {
  let folder: string;
  let elsewhere: RunningService;
  let code: VsCode;
  let pane: StoriesPane;
  let story: StoryPage;
  let ids: readonly string[];

  const stories = '/projects/1/stories';
  const now = async (index: number, name: string) =>
    elementText(await elsewhere.ask('GET', `${stories}/${ids[index]}`), name);
  const screenshot = (name: string) => code.page.screenshot({ path: join(screenshots, `work-${name}.png`) });

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    elsewhere = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
    const make = async (name: string, type = 'feature', state = 'unscheduled') => {
      const fields = `<story_type>${type}</story_type><current_state>${state}</current_state>`;
      return (
        elementText(await elsewhere.ask('POST', stories, `<story><name>${name}</name>${fields}</story>`), 'id') ?? ''
      );
    };
    ids = [await make('Work on rye'), await make('Work on wheat'), await make('Work on ovens', 'chore', 'started')];
    code = await openBuiltInWindow(join(folder, 'data'), { folder });
    pane = new StoriesPane(code.page);
    story = new StoryPage(code.page);
    await pane.show();
    await pane.expandTo(pane.row(/^Icebox, /), pane.row(/Work on rye/));
    await pane.settle();
  });
  after(async () => {
    await code.close();
    await elsewhere.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Presses a button of the page until what it leads to is there: one that is drawn anew just then takes no click. */
  async function press(name: string, then: Locator, state: 'visible' | 'hidden' = 'visible'): Promise<void> {
    // The question before may not be gone yet.
    await pane.input().waitFor({ state: 'hidden' });
    await eventually(async () => {
      if ((await then.isVisible()) !== (state === 'visible')) await story.button(name).click({ timeout: 2000 });
      await then.waitFor({ state, timeout: 5000 });
    }, 30_000);
  }

  it('estimates several rows at once from their menu, and takes that back by the status bar', async () => {
    await pane.click(pane.row(/Work on rye/));
    await pane.click(pane.row(/Work on wheat/), { modifiers: ['ControlOrMeta'] });
    await pane.chooseInMenu(pane.row(/Work on rye/), 'Edit', 'Estimate…');
    await pane.choose('2 points');
    const undo = code.page.locator('.statusbar-item', { hasText: '2 stories: 2 points.' });
    await undo.waitFor();
    await pane.row(/Work on wheat.*2 points/).waitFor();
    await screenshot('estimated');
    assert.deepEqual([await now(0, 'estimate'), await now(1, 'estimate')], ['2', '2']);
    await undo.click();
    await eventually(async () => assert.deepEqual([await now(0, 'estimate'), await now(1, 'estimate')], ['-1', '-1']));
    await pane.row(/Work on rye.*unestimated/).waitFor();
  });

  it('labels a row by a new label', async () => {
    await pane.click(pane.row(/Work on wheat/));
    await pane.chooseInMenu(pane.row(/Work on wheat/), 'Edit', 'Edit Labels…');
    await pane.answer('harvest');
    await eventually(async () => assert.equal(await now(1, 'labels'), 'harvest'));
  });

  it('labels two rows by what is ticked, and takes from both a label that one of them has', async () => {
    const texts = () =>
      code.page
        .locator('.quick-input-list .monaco-list-row')
        .evaluateAll((found) => found.map((row) => (row.textContent ?? '').trim()));
    const show = async () => {
      await pane.click(pane.row(/Work on rye/));
      await pane.click(pane.row(/Work on wheat/), { modifiers: ['ControlOrMeta'] });
      await pane.chooseInMenu(pane.row(/Work on wheat/), 'Edit', 'Edit Labels…');
      await eventually(async () => assert.match(await pane.question(), /Labels of 2 stories/));
    };
    const rows = (...expected: readonly string[]) => eventually(async () => assert.deepEqual(await texts(), expected));
    const labels = (...expected: readonly string[]) =>
      eventually(async () => assert.deepEqual([await now(0, 'labels'), await now(1, 'labels')], expected));
    await show();
    await pane.answer('oven, barn');
    await labels('oven,barn', 'harvest,oven,barn');
    await show();
    await pane.input().fill('har');
    await rows('harveston 1 of 2', 'har (new)');
    // By keys, to see that the row keeps the focus when its text is another.
    await code.page.keyboard.press('ArrowDown');
    await code.page.keyboard.press('Space');
    await rows('harveston 1 of 2, add to all', 'har (new)');
    await screenshot('labels');
    await code.page.keyboard.press('Space');
    await rows('harveston 1 of 2, remove from all', 'har (new)');
    await code.page.keyboard.press('Enter');
    await labels('oven,barn', 'oven,barn');
    await show();
    await pane.answer('quad');
    await labels('oven,barn,quad', 'oven,barn,quad');
  });

  it('estimates, owns, labels and links a story from its tab, adds and ticks a task there', async () => {
    const row = pane.row(/Work on rye/);
    await pane.click(row);
    await pane.pressInRow(row, 'Open Story');
    await story.title().filter({ hasText: 'Work on rye' }).waitFor();
    await press('Estimate…', pane.input());
    await pane.choose('3 points');
    await story.fact('3 points').waitFor();
    // Who has no story yet is known by their memberships, and not asked.
    await press('Assign to Me', story.button('Unassign Story'));
    await story.field('Labels').fill('flour');
    await story.field('Labels').press('Enter');
    await story.button('Remove Label flour').waitFor();
    await press('Link Ticket…', pane.input());
    await pane.answer('421');
    await story.text('421').first().waitFor();
    await story.task().fill('Heat the oven');
    await story.task().press('Enter');
    await story.box('Heat the oven').waitFor();
    await eventually(async () => assert.equal(await story.task().inputValue(), ''));
    await story.box('Heat the oven').check();
    await story.text('Tasks (1 of 1 done)').waitFor();
    assert.deepEqual([await now(0, 'estimate'), await now(0, 'other_id')], ['3', '421']);
    assert.deepEqual(await story.seriousFaults(), []);
    await screenshot('tab');
    await press('Unlink Ticket', story.button('Unlink Ticket'), 'hidden');
    await eventually(async () => assert.equal(await now(0, 'other_id'), undefined));
    await press('Unassign Story', story.button('Unassign Story'), 'hidden');
    await eventually(async () => assert.equal(await now(0, 'owned_by'), undefined));
  });

  it("shows moments in the window's language and zone, with the server's text as tooltip", async () => {
    const time = story.times().first();
    const raw = (await time.getAttribute('title')) ?? '';
    assert.match(raw, /^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d UTC$/);
    const moment = (await time.getAttribute('datetime')) ?? '';
    const shown = await code.page.evaluate(
      (text) => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(text)),
      moment,
    );
    assert.equal(await time.textContent(), shown);
  });

  it('comments from the palette, and undoes the last edit', async () => {
    await pane.click(pane.row(/Work on wheat/));
    const [box, list] = [/Comment on Story/, /#\d+ · /];
    await eventually(async () => {
      // Rows that are painted again just then can take the focus back, which closes what is asked.
      await runCommand(code.page, 'Story Tracker: Add Comment…');
      await eventually(async () => {
        const question = await pane.question();
        assert.ok(box.test(question) || list.test(question));
      });
      // Which row is selected comes to the extension a moment after it shows; before that it asks.
      if (!box.test(await pane.question())) {
        await pane.input().fill('Work on wheat', { timeout: 2000 });
        await code.page.keyboard.press('Enter');
      }
      await eventually(async () => assert.match(await pane.question(), box));
    }, 60_000);
    await pane.answer('From the palette');
    await eventually(async () => {
      assert.match(await elsewhere.ask('GET', `${stories}/${ids[1]}/notes`), /From the palette/);
    });
    await runCommand(code.page, 'Story Tracker: Undo Last Edit');
    await eventually(async () => assert.ok(await now(0, 'owned_by')));
  });

  it('asks in the tab for the estimate that a new type needs, and changes nothing without one', async () => {
    const row = pane.row(/Work on ovens/);
    await pane.click(row);
    await pane.pressInRow(row, 'Open Story');
    await story.title().filter({ hasText: 'Work on ovens' }).waitFor();
    const type = story.field('Type');
    const askedFor = async () => {
      await type.focus();
      await code.page.keyboard.press('f');
      await pane
        .input()
        .and(code.page.getByPlaceholder(`Story #${ids[2]} needs an estimate first.`))
        .waitFor();
    };
    await askedFor();
    await screenshot('asked-for-estimate');
    await code.page.keyboard.press('Escape');
    await eventually(async () => assert.equal(await type.inputValue(), 'chore'));
    assert.deepEqual([await now(2, 'story_type'), await now(2, 'estimate')], ['chore', undefined]);
    await screenshot('no-estimate');
    await askedFor();
    await code.page.keyboard.press('ArrowDown');
    await code.page.keyboard.press('Enter');
    await story.fact('1 point').waitFor();
    await eventually(async () =>
      assert.deepEqual([await now(2, 'story_type'), await now(2, 'estimate')], ['feature', '1']),
    );
    await eventually(async () => assert.equal(await story.focused(), 'field-type'));
    await screenshot('estimated-type');
  });
});
