import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { reloadWindow, runCommand } from './commandPalette.ts';
import { showView } from './sideBar.ts';
import { StoriesPane } from './storiesPane.ts';
import { StoryPage } from './storyPage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** One dot. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
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
  const size = { width: 1280, height: 860 };
  /** Shows another tab, so that the page is made anew. */
  const leaveAndReturn = async () => {
    await code.page.locator('.tab', { hasText: 'Bake rye at night' }).click();
    await story.title().filter({ hasText: 'Bake rye at night' }).waitFor();
    await code.page.locator('.tab', { hasText: 'New Story' }).click();
    await story.where().waitFor();
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
    await pane.click(pane.row(/^Backlog 7, /));
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
    await reloadWindow(code.page);
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

  it('says that what was left is unfinished, with its name selected, and starts empty on demand', async () => {
    const begin = async () => {
      await runCommand(code.page, 'Story Tracker: New Story…');
      await story.text('Unfinished story from').filter({ visible: true }).waitFor();
      await eventually(async () => assert.equal(await story.focused(), 'field-name'));
    };
    const assertWritten = (name: string, description: string) =>
      eventually(async () => {
        const written = [story.field('Name'), story.field('Description')].map((field) => field.inputValue());
        assert.deepEqual(await Promise.all(written), [name, description]);
      });
    const close = async () => {
      await code.page.locator('.tab', { hasText: 'New Story' }).click({ button: 'middle' });
      await code.page.locator('.tab', { hasText: 'New Story' }).waitFor({ state: 'detached' });
    };
    await runCommand(code.page, 'Story Tracker: New Story…');
    await eventually(async () => assert.equal(await story.focused(), 'field-name'));
    assert.equal(await story.text('Unfinished story from').filter({ visible: true }).count(), 0);
    await type('Half a loaf');
    await keys('Tab');
    await type('With poppy seeds');
    await pane.settle();
    await close();
    await begin();
    await assertWritten('Half a loaf', 'With poppy seeds');
    await screenshot('unfinished');
    assert.deepEqual(await story.seriousFaults(), []);
    await type('A whole loaf');
    await assertWritten('A whole loaf', 'With poppy seeds');
    await story.button('Restore Discarded Story').click();
    await assertWritten('Half a loaf', 'With poppy seeds');
    await story.button('Start Empty').click();
    await assertWritten('', '');
    assert.equal(await story.focused(), 'field-name');
    await story.button('Start Empty').waitFor({ state: 'hidden' });
    await story.button('Restore Discarded Story').click();
    await assertWritten('Half a loaf', 'With poppy seeds');
    await begin();
    await story.button('Start Empty').click();
    await close();
    await runCommand(code.page, 'Story Tracker: New Story…');
    await assertWritten('', '');
    assert.equal(await story.text('Unfinished story from').filter({ visible: true }).count(), 0);
  });

  it('says at the field why it cannot be made, with the cursor there, and keeps what was written', async () => {
    await runCommand(code.page, 'Story Tracker: New Story…');
    // The palette had the focus: what is typed before the tab has it back goes nowhere.
    await eventually(async () => {
      assert.equal(await story.focused(), 'field-name');
      assert.equal(await (await story.frame()).evaluate('document.hasFocus()'), true);
    });
    await code.page.setViewportSize({ width: 900, height: 500 });
    await story.field('Description').focus();
    await type('Nameless');
    await story.field('Labels').focus();
    await keys('Escape', 'Control+Enter');
    const said = story.alert('Enter a story name.');
    await said.waitFor();
    await eventually(async () => assert.equal(await story.focused(), 'field-name'));
    assert.equal(await story.field('Name').getAttribute('aria-invalid'), 'true');
    const box = "document.getElementById('problem-name').getBoundingClientRect()";
    const isSeen = `${box}.top >= 0 && ${box}.bottom <= innerHeight`;
    await eventually(async () => assert.equal(await (await story.frame()).evaluate(isSeen), true));
    await screenshot('refused');
    await type('N');
    await said.waitFor({ state: 'hidden' });
    assert.equal(await story.field('Name').getAttribute('aria-invalid'), null);
    await keys('Backspace');
    await code.page.setViewportSize(size);
    assert.equal(await story.field('Description').inputValue(), 'Nameless');
  });

  it('takes the only person who matches by Enter and by Tab', async () => {
    await story.field('Owner').focus();
    await type('nor');
    await keys('Enter');
    assert.equal(await story.field('Owner').inputValue(), 'Nora Vesper');
    await story.field('Requester').focus();
    await type('quil');
    await keys('Tab');
    assert.equal(await story.field('Requester').inputValue(), 'Ines Quillard');
    await story.field('Owner').fill('');
    await story.field('Owner').focus();
    await type('n');
    const offered = await story.option('').allTextContents();
    assert.ok(offered.length > 1);
    await keys('Enter');
    assert.equal(
      await story.field('Owner').inputValue(),
      offered.find((name) => name.startsWith('N')),
    );
    await story.field('Owner').fill('');
    await story.field('Owner').focus();
    await keys('Enter');
    assert.equal(await story.field('Owner').inputValue(), '');
  });

  it('takes labels one by one, and keeps them while another tab is shown', async () => {
    await story.field('Labels').focus();
    await type('nig');
    await keys('ArrowDown', 'Enter');
    await story.button('Remove Label night').waitFor();
    await type('brand new,');
    await story.button('Remove Label brand new').waitFor();
    await type('left');
    await keys('Tab');
    await story.button('Remove Label left').waitFor();
    assert.equal(await story.field('Labels').inputValue(), '');
    await leaveAndReturn();
    await story.button('Remove Label brand new').click();
    await eventually(async () => assert.equal(await story.button('Remove Label').count(), 2));
    await story.button('Remove Label night').waitFor();
  });

  it('can be discarded, and had again while its tab is there', async () => {
    const written = async () => ({
      description: await story.field('Description').inputValue(),
      requester: await story.field('Requester').inputValue(),
      labels: await story.button('Remove Label').count(),
    });
    const before = await written();
    assert.deepEqual(before, { description: 'Nameless', requester: 'Ines Quillard', labels: 2 });
    await story.button('Discard New Story').click();
    const empty = { description: '', requester: '', labels: 0 };
    await eventually(async () => assert.deepEqual(await written(), empty));
    assert.equal(await story.focused(), 'field-name');
    assert.equal(await story.button('Discard New Story').isVisible(), false);
    assert.deepEqual(await story.seriousFaults(), []);
    await screenshot('discarded');
    await leaveAndReturn();
    await story.button('Restore Discarded Story').waitFor();
    assert.deepEqual(await written(), empty);
    await story.field('Name').fill('Something else');
    await story.button('Restore Discarded Story').click();
    await eventually(async () => assert.deepEqual(await written(), before));
    assert.equal(await story.field('Name').inputValue(), '');
    await leaveAndReturn();
    await eventually(async () => assert.deepEqual(await written(), before));
    await story.button('Restore Discarded Story').click();
    await eventually(async () => assert.equal(await story.field('Name').inputValue(), 'Something else'));
    await story.button('Restore Discarded Story').click();
    await eventually(async () => assert.deepEqual(await written(), before));
  });

  it('opens what can be chosen where there is room', async () => {
    await code.page.setViewportSize({ width: 1000, height: 600 });
    await story.field('Labels').fill('');
    await story.field('Labels').focus();
    await (await story.frame()).evaluate(
      "scrollBy(0, document.getElementById('field-labels').getBoundingClientRect().bottom - innerHeight + 8)",
    );
    await keys('ArrowDown');
    const list = "document.getElementById('list-labels').getBoundingClientRect()";
    const [top = 0, bottom = 0, height = 0] = await (await story.frame()).evaluate<readonly number[]>(
      `[${list}.top, ${list}.bottom, innerHeight]`,
    );
    await screenshot('labels-below');
    assert.ok(top >= 0 && bottom <= height && bottom - top > 20, `${top} to ${bottom} of ${height}`);
    await keys('Escape');
    await code.page.setViewportSize(size);
  });

  it('shows the preview of what was written when its tab was made anew, with links to stories', async () => {
    const id = elementText(await made(), 'id') ?? '';
    await story.field('Description').fill(`**Bold** #${id}`);
    await leaveAndReturn();
    await eventually(async () => assert.match(await story.field('Description').inputValue(), /Bold/));
    await story.field('Preview').locator('strong', { hasText: 'Bold' }).waitFor();
    await screenshot('preview');
    await story.field('Preview').locator(`a[data-story="${id}"]`).click();
    await story.title().filter({ hasText: 'Bake rye at night' }).waitFor();
    await code.page.locator('.tab', { hasText: 'New Story' }).click();
    await eventually(async () => assert.match(await story.field('Description').inputValue(), /Bold/));
  });

  it('has a name of one line, whatever is pasted', async () => {
    await code.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await code.page.evaluate("navigator.clipboard.writeText('Knead it\\nLet it rest\\r\\n\\n  Shape it\\n')");
    await story.field('Name').focus();
    await type('To: ');
    await keys('Control+v');
    await eventually(async () =>
      assert.equal(await story.field('Name').inputValue(), 'To: Knead it Let it rest Shape it'),
    );
    await keys('Control+z');
    await eventually(async () => assert.doesNotMatch(await story.field('Name').inputValue(), /Knead/));
    await story.field('Name').fill('');
  });

  it('says that files can be attached later where an image is pasted', async () => {
    await code.page.evaluate(`navigator.clipboard.write([new ClipboardItem({
      'image/png': new Blob([Uint8Array.from(atob('${PNG}'), (one) => one.charCodeAt(0))], { type: 'image/png' }),
    })])`);
    await story.field('Description').focus();
    await keys('Control+v');
    await story.alert('You can attach files once the story is created.').waitFor();
    await screenshot('pasted');
    assert.match(await story.field('Description').inputValue(), /Bold/);
    assert.equal(await story.field('Description').getAttribute('aria-invalid'), null);
  });

  it('has no field that is wider than a narrow tab', async () => {
    const frame = await story.frame();
    const [widest = 0, width = 0] = await frame.evaluate<readonly number[]>(`(() => {
      const main = document.querySelector('main');
      main.style.width = '178px';
      main.style.margin = '0';
      const { right } = main.getBoundingClientRect();
      const boxes = [...document.querySelectorAll('input, select, textarea, button')].filter((box) => box.checkVisibility());
      return [Math.max(...boxes.map((box) => box.getBoundingClientRect().right)), right];
    })()`);
    assert.ok(widest <= width, `${widest} of ${width}`);
    await frame.evaluate("document.querySelector('main').removeAttribute('style')");
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
