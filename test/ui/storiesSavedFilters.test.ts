import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { type RunningService, runningService } from '../support/servers/runningService.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { reloadWindow, runCommand } from './commandPalette.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('Saved filters in a real window', () => {
  let folder: string;
  let elsewhere: RunningService;
  let code: VsCode;
  let pane: StoriesPane;

  const screenshot = (name: string) => code.page.screenshot({ path: join(screenshots, `savedFilters-${name}.png`) });
  const listed = () => code.page.locator('.quick-input-list .monaco-list-row');
  const bugs = () => pane.row(/^Filter Bugs, \d+ stories$/);
  const inBugs = (name: RegExp) => pane.row(new RegExp(`${name.source}.* \\d+ of \\d+ in Bugs$`));

  /** The box that asks for a name has come, where another may have been. */
  const named = () => code.page.getByText('Name of its row in the Stories view').waitFor();

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    elsewhere = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
    code = await openBuiltInWindow(join(folder, 'data'), {
      folder,
    });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.row(/^Current \d+, /).waitFor();
  });
  after(async () => {
    await code.close();
    await elsewhere.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('are made from the filter box, and get a row below the projects', async () => {
    await runCommand(code.page, 'Story Tracker: Filter Stories…');
    await code.page.getByPlaceholder('Example: state:started').waitFor();
    await pane.input().fill('type:bug');
    await listed().filter({ hasText: 'Show Matching Stories' }).hover();
    await listed()
      .filter({ hasText: 'Show Matching Stories' })
      .getByRole('button', { name: /^Save as a Row/ })
      .click();
    await named();
    await pane.answer('Bugs');
    await bugs().waitFor();
    await pane.row(/^Project Story Tracker$/).waitFor();
    await eventually(async () => assert.match((await pane.names()).at(-1) ?? '', /^Filter Bugs, /));
  });

  it('open by keys and show what fits, with the commands of stories', async () => {
    await bugs().click();
    await inBugs(/^Bug, /)
      .first()
      .waitFor();
    await pane.press('ArrowDown');
    await pane.hasFocused(/^Bug, .+ 1 of \d+ in Bugs$/);
    await pane.settle();
    await screenshot('open');
    await pane.press('Shift+F10');
    await code.page.locator('.monaco-menu .action-item', { hasText: 'Copy ID' }).first().waitFor();
    await pane.press('Escape');
  });

  it('follow a change made elsewhere, and keep what is selected and expanded', async () => {
    const before = (await pane.focusedName()).replace(/, [^,]*$/, '');
    await elsewhere.ask(
      'POST',
      '/projects/1/stories',
      '<story><name>Oven smokes</name><story_type>bug</story_type></story>',
    );
    await pane.refresh();
    await inBugs(/Oven smokes/).waitFor();
    await eventually(async () => assert.equal((await pane.focusedName()).replace(/, [^,]*$/, ''), before));
    await eventually(async () => assert.equal(await bugs().getAttribute('aria-expanded'), 'true'));
  });

  it('are there after a reload', async () => {
    await reloadWindow(code.page);
    // Which view was open is written down by VS Code in its own time.
    await code.page.locator('.sidebar .composite.title').waitFor({ timeout: 60_000 });
    await pane.show();
    await bugs().waitFor({ timeout: 60_000 });
  });

  it('are edited and renamed from their menu', async () => {
    await pane.chooseInMenu(bugs(), 'Edit Filter…');
    await code.page.getByText('Edit Filter “Bugs”').first().waitFor();
    await eventually(async () => assert.equal(await pane.input().inputValue(), 'type:bug'));
    const row = pane.row(/^Filter Bugs, 1 story$|^Filter Bugs, \d+ stories$/);
    const before = await row.getAttribute('aria-label');
    await pane.input().fill('type:release');
    await listed().filter({ hasText: 'Keep Filter' }).click();
    // A menu that is open while its row is painted anew closes.
    await eventually(async () => assert.notEqual(await row.getAttribute('aria-label'), before));
    await pane.settle();
    await pane.chooseInMenu(row, 'Rename Filter…');
    await named();
    await pane.answer('Releases');
    await pane.row(/^Filter Releases, /).waitFor();
    await screenshot('renamed');
  });

  it('say quietly that nothing fits', async () => {
    await runCommand(code.page, 'Story Tracker: Edit Filter…');
    await listed().filter({ hasText: 'Releases' }).click();
    await code.page.getByText('Edit Filter “Releases”').first().waitFor();
    await pane.input().fill('nothing-like-this');
    await listed().filter({ hasText: 'Keep Filter' }).click();
    const row = pane.row(/^Filter Releases, 0 stories$/);
    await row.waitFor();
    if ((await row.getAttribute('aria-expanded')) !== 'true') await pane.click(row);
    await pane.row(/^No matching stories, Edit Filter…$/).waitFor();
    await screenshot('empty');
  });

  it('are removed from the palette', async () => {
    await runCommand(code.page, 'Story Tracker: Remove Filter');
    await listed().filter({ hasText: 'Releases' }).click();
    await pane.row(/^Filter Releases, /).waitFor({ state: 'detached' });
  });

  it('search done iterations that are not loaded when they are asked to', async () => {
    await runCommand(code.page, 'Story Tracker: Filter Stories…');
    await code.page.getByPlaceholder('Example: state:started').waitFor();
    await pane.input().fill('state:accepted');
    await listed().filter({ hasText: 'Show Matching Stories' }).click();
    await pane.row(/^Done, \d+ of \d+ stories shown$/).waitFor();
    const offer = pane.row(/^Done iterations that are not loaded are not searched/);
    await pane.click(pane.row(/^Done, /));
    if ((await pane.row(/^Done, /).getAttribute('aria-expanded')) !== 'true') await pane.press('ArrowRight');
    await pane.press('End');
    if ((await offer.count()) > 0) {
      await screenshot('offer');
      await offer.click();
      await offer.waitFor({ state: 'detached' });
    }
    await pane.clearFilter();
  });
});
