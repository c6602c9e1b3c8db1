import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { beginInTheme, showInTheme } from './colorTheme.ts';
import { reloadWindow, runCommand } from './commandPalette.ts';
import { StoriesPane } from './storiesPane.ts';
import { StoryPage } from './storyPage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

const DESCRIPTION = `Bakers want to see **today's orders** before the ovens are lit.

- from the shop, with \`pickup\` times
- from [the web](https://bakery.example/orders)
- <img src=x onerror="document.title='broken'"> stays text

> Rye first. It takes longest.

![A tray of rolls](https://bakery.example/rolls.png)

\`\`\`
orders --today --sort=oven
\`\`\``;

describe('The story panel in a real window', () => {
  let folder: string;
  let elsewhere: RunningService;
  let code: VsCode;
  let pane: StoriesPane;
  let story: StoryPage;
  let id: string;

  const ask = (method: string, path: string, xml: string) => elsewhere.ask(method, `/projects/1/stories${path}`, xml);
  const screenshot = (name: string) => code.page.screenshot({ path: join(screenshots, `storyPanel-${name}.png`) });

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    elsewhere = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
    const made = await ask(
      'POST',
      '',
      `<story><name>Show today's orders</name><story_type>feature</story_type><estimate>3</estimate><current_state>started</current_state><labels>shop,kitchen</labels><description>${DESCRIPTION.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</description></story>`,
    );
    id = elementText(made, 'id') ?? '';
    await ask('POST', `/${id}/tasks`, '<task><description>Read the orders of the shop</description></task>');
    await ask('POST', `/${id}/tasks`, '<task><description>Sort them by oven</description></task>');
    await ask('POST', `/${id}/notes`, '<note><text>The shop closes at six.\n\nمرحبا</text></note>');
    await ask(
      'POST',
      `/${id}/notes`,
      `<note><text>Sort orders by oven\n\n[#${id}] https://git.example/bakery/commit/1f2e</text></note>`,
    );
    code = await openBuiltInWindow(join(folder, 'data'), { folder });
    pane = new StoriesPane(code.page);
    story = new StoryPage(code.page);
  });
  after(async () => {
    await code.close();
    await elsewhere.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  async function openFromTree(): Promise<void> {
    await pane.show();
    const row = pane.row(/Show (today's|all) orders/);
    await row.waitFor();
    await pane.click(row);
    await pane.pressInRow(row, 'Open Story');
    await story.title().waitFor();
  }

  describe('in light colours', () => {
    before(() => showInTheme(code, folder, 'Default Light Modern'));

    it('opens from the tree, with a title that names the story', async () => {
      await openFromTree();
      await eventually(async () => assert.equal(await story.title().textContent(), "Show today's orders"));
      await code.page
        .locator('.tab', { hasText: `#${id} ` })
        .filter({ hasText: "Show today's orders" })
        .waitFor();
      await story.text('stays text').waitFor();
      await pane.settle();
      await screenshot('light');
    });

    it('has nothing that axe takes for serious', async () => {
      assert.deepEqual(await story.seriousFaults(), []);
    });

    it('lets keys reach every control', async () => {
      await story.button('Edit Name').focus();
      const reached = new Set([await story.focused()]);
      const controls = await story.controls();
      for (let pressed = 0; pressed < controls.length + 2; pressed++) {
        await code.page.keyboard.press('Tab');
        reached.add(await story.focused());
      }
      assert.deepEqual(
        controls.filter((control) => !reached.has(control)),
        [],
      );
      assert.ok(controls.length >= 9, controls.join());
    });

    it('opens from the palette and is worked by keys alone, keeping the focus', async () => {
      await runCommand(code.page, 'View: Close Editor');
      await code.page.locator('.tab').waitFor({ state: 'detached' });
      await runCommand(code.page, 'Story Tracker: Open Story');
      // A row that is still selected is taken without asking.
      await eventually(async () => {
        if ((await pane.question()).includes("Show today's orders")) await pane.choose("Show today's orders");
        await story.title().waitFor({ timeout: 1000 });
      });
      await story.box('Sort them by oven').focus();
      await code.page.keyboard.press('Space');
      await story.text('Tasks (1 of 2 done)').waitFor();
      await eventually(async () => assert.match(await story.focused(), /^task-\d+$/));
      await story.button('Finish').focus();
      await code.page.keyboard.press('Enter');
      await story.button('Deliver').waitFor();
      await story.comment().focus();
      await code.page.keyboard.type('Works for me');
      await code.page.keyboard.press('Tab');
      await code.page.keyboard.press('Enter');
      await story.text('Comments (2)').waitFor();
      await eventually(async () => assert.equal(await story.comment().inputValue(), ''));
      await screenshot('worked');
    });

    it('shows what changed elsewhere without losing what is typed', async () => {
      await story.comment().focus();
      await code.page.keyboard.type('Half a thought');
      await ask('PUT', `/${id}`, '<story><name>Show all orders</name></story>');
      await pane.refresh();
      await story.title().filter({ hasText: 'Show all orders' }).waitFor();
      assert.equal(await story.comment().inputValue(), 'Half a thought');
    });

    it('is there again after a reload, with what was typed', async () => {
      await reloadWindow(code.page);
      await story.title().filter({ hasText: 'Show all orders' }).waitFor();
      await eventually(async () => assert.equal(await story.comment().inputValue(), 'Half a thought'));
      await ask('PUT', `/${id}`, "<story><name>Show today's orders</name></story>");
    });
  });

  for (const [name, theme] of [
    ['dark', 'Default Dark Modern'],
    ['high-contrast', 'Default High Contrast'],
  ] as const) {
    describe(`in ${name} colours`, () => {
      before(() => beginInTheme(code, folder, theme));

      it('can be read', async () => {
        await openFromTree();
        await pane.settle();
        await screenshot(name);
        assert.deepEqual(await story.seriousFaults(), []);
      });
    });
  }
});
