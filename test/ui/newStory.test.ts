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
import { showView } from './sideBar.ts';
import { StoriesPane } from './storiesPane.ts';
import { StoryPage } from './storyPage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('A new story in a tab of a real window', () => {
  let folder: string;
  let elsewhere: RunningService;
  let code: VsCode;
  let pane: StoriesPane;
  let story: StoryPage;

  const keys = async (...pressed: readonly string[]) => {
    for (const key of pressed) await code.page.keyboard.press(key);
  };
  const type = (text: string) => code.page.keyboard.type(text);
  const screenshot = (name: string) => code.page.screenshot({ path: join(screenshots, `newStory-${name}.png`) });
  const see = () => {
    pane = new StoriesPane(code.page);
    story = new StoryPage(code.page);
  };
  const made = () => elsewhere.ask('GET', '/projects/1/stories?filter=label%3Anight');

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    elsewhere = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
    code = await openBuiltInWindow(join(folder, 'data'), { folder });
    see();
    await pane.show();
    await pane.row(/^Backlog 6, /).waitFor();
    await pane.settle();
  });
  after(async () => {
    await code.close();
    await elsewhere.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('says where it will be, and is written by keys alone', async () => {
    await pane.row(/^Backlog 7, /).click();
    await runCommand(code.page, 'Story Tracker: New Story…');
    await story.where().filter({ hasText: 'Backlog 7' }).waitFor();
    await eventually(async () => assert.equal(await story.focused(), 'field-name'));
    await type('Bake rye at night');
    await keys('Tab');
    await type('For **early** customers');
    assert.deepEqual(await story.seriousFaults(), []);
    await screenshot('begun');
  });

  it('is still there after a reload in the middle', async () => {
    const reloaded = code.page.waitForEvent('load');
    await runCommand(code.page, 'Developer: Reload Window');
    await reloaded;
    see();
    await eventually(async () => assert.equal(await story.field('Name').inputValue(), 'Bake rye at night'));
    await eventually(async () =>
      assert.equal(await story.field('Description').inputValue(), 'For **early** customers'),
    );
    await story.where().filter({ hasText: 'Backlog 7' }).waitFor();
  });

  it('is finished field by field, and becomes the tab of the story that it makes', async () => {
    await story.field('Description').focus();
    await keys('Control+End');
    await type(', please');
    await story.field('Estimate').focus();
    await keys('ArrowDown', 'ArrowDown');
    await story.field('Owner').focus();
    await type('nora');
    await keys('ArrowDown', 'Enter');
    await story.field('Requester').focus();
    await type('ines');
    await keys('ArrowDown', 'Enter');
    await story.field('Labels').focus();
    await type('night, oven');
    await keys('Escape');
    await screenshot('written');
    await keys('Control+Enter');
    await story.title().filter({ hasText: 'Bake rye at night' }).waitFor();
    const xml = await made();
    const values = ['description', 'estimate', 'owned_by', 'requested_by', 'labels', 'current_state'].map((name) =>
      elementText(xml, name),
    );
    assert.deepEqual(values, [
      'For **early** customers, please',
      '1',
      'Nora Vesper',
      'Ines Quillard',
      'night,oven',
      'unstarted',
    ]);
    await pane.settle();
    await screenshot('made');
  });

  it('is selected in the tree by then, while the focus stays in its tab', async () => {
    await eventually(async () => {
      const selected = await pane.selectedNames();
      assert.equal(selected.length, 1);
      assert.match(selected.join(), /Bake rye at night/);
    });
    assert.equal(await code.page.evaluate('document.activeElement.tagName'), 'IFRAME');
  });

  it('has a history that begins with its creation, though it was put to its place afterwards', async () => {
    await story.text('Created the story').waitFor({ timeout: 30_000 });
    const told = await story.texts('.history [dir="auto"]');
    assert.deepEqual(
      told.filter((line) => line.startsWith('moved')),
      [],
    );
  });

  it('leaves another view on screen that is shown in place of the tree', async () => {
    await showView(code.page, 'Explorer');
    await runCommand(code.page, 'Story Tracker: New Story…');
    await eventually(async () => assert.equal(await story.focused(), 'field-name'));
    await type('Bake spelt');
    await keys('Control+Enter');
    await story.title().filter({ hasText: 'Bake spelt' }).waitFor();
    await pane.settle();
    await code.page.locator('.sidebar .explorer-folders-view').waitFor();
    await pane.show();
  });

  it('says why it cannot be made, and keeps what was written', async () => {
    await runCommand(code.page, 'Story Tracker: New Story…');
    await eventually(async () => assert.equal(await story.field('Name').inputValue(), ''));
    await story.field('Description').focus();
    await type('Nameless');
    await keys('Control+Enter');
    await story.alert('Enter a story name.').waitFor();
    assert.equal(await story.field('Description').inputValue(), 'Nameless');
    await screenshot('refused');
  });

  it('offers what a server calls things as text', async () => {
    const evil = '&lt;img src=x onerror=&quot;document.title=1&quot;> \u202e[x](command:a)';
    await elsewhere.ask('POST', '/projects/1/stories', `<story><name>Bran</name><labels>evil ${evil}</labels></story>`);
    await pane.refresh();
    await runCommand(code.page, 'Story Tracker: New Story…');
    await eventually(async () => assert.equal(await story.field('Name').inputValue(), ''));
    await eventually(async () => {
      await story.field('Labels').fill('');
      await story.field('Labels').focus();
      await type('evil');
      await story.option('evil <img src=x').waitFor({ timeout: 3000 });
    });
    await screenshot('hostile');
    assert.equal(await story.images().count(), 0);
  });
});
