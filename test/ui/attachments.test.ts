import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unzipSync } from 'fflate';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { runningService } from '../support/servers/runningService.ts';
import { installedPackage } from '../support/windows/installedPackage.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { dismissToasts } from './dismissToasts.ts';
import { clickMenuItem } from './menuItem.ts';
import { openViewByDrag, showView } from './sideBar.ts';
import { StoriesPane } from './storiesPane.ts';
import { StoryPage } from './storyPage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');
/** One dot. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const STORY = 'Show what waits in the outbox, and why';

const files: Readonly<Record<string, Buffer>> = {
  'sketch.png': randomBytes(700_000),
  'notes é.txt': Buffer.from('first\r\nsecond\0\n'),
  'later.bin': randomBytes(1000),
};

describe('Attaching files in a real window', () => {
  let folder: string;
  let code: VsCode;
  let pane: StoriesPane;
  const screenshot = (name: string) => code.page.screenshot({ path: join(screenshots, `attachments-${name}.png`) });
  const file = (name: string) => code.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  const toast = (text: string) => code.page.locator('.notification-toast', { hasText: text });
  const story = () => code.page.locator('.sidebar .monaco-list-row', { hasText: STORY }).first();

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    await mkdir(join(folder, 'work', 'folder'), { recursive: true });
    await writeFile(join(folder, 'work', 'folder', 'inside.txt'), 'inside');
    await writeFile(join(folder, 'work', '.env'), 'PASSWORD=swordfish');
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, 'work', name), bytes);
    code = await openBuiltInWindow(join(folder, 'data'), {
      folder: join(folder, 'work'),
      installed: 'package',
      userSettings: {
        // An editor that opens late would take the selection along.
        'explorer.autoReveal': false,
      },
    });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.expandTo(pane.row(/^Backlog 6, /), story());
    await showView(code.page, 'Explorer');
  });
  after(async () => {
    await code.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  async function select(first: string, second: string): Promise<void> {
    const selected = code.page.locator('.explorer-folders-view .monaco-list-row.selected');
    // An Explorer that has just come to be seen may forget the first click.
    await eventually(async () => {
      await file(first).click({ timeout: 2000 });
      await file(second).click({ modifiers: ['ControlOrMeta'], timeout: 2000 });
      await eventually(async () => assert.equal(await selected.count(), 2), 2000);
    }, 30_000);
  }

  async function chooseInMenu(row: Locator, entry: string): Promise<void> {
    await pane.click(row, { button: 'right' });
    const item = code.page.locator('.monaco-menu .action-item', { hasText: entry }).first();
    await item.hover();
    await screenshot('menu');
    await clickMenuItem(item);
  }

  async function pickStory(): Promise<void> {
    await pane.input().fill('waits in the outbox');
    await eventually(async () =>
      assert.equal(await code.page.locator('.quick-input-list .monaco-list-row').count(), 1),
    );
    await screenshot('pick');
    await pane.choose(STORY);
  }

  /** Names and contents of the story's attachments as the service gives them out. */
  async function attached(): Promise<ReadonlyMap<string, Buffer>> {
    const service = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
    try {
      const stories = await service.ask('GET', '/projects/1/stories');
      const xml = stories.split('<story>').find((one) => one.includes(`<name>${STORY}</name>`)) ?? '';
      const storyId = /<id type="integer">(\d+)/.exec(xml)?.[1];
      const found = new Map<string, Buffer>();
      for (const part of xml.split('<attachment>').slice(1)) {
        const path = `/projects/1/stories/${storyId}/attachments/${/<id[^>]*>(\d+)/.exec(part)?.[1]}`;
        const answer = await service.ask('GET', path);
        const address = /<url>([^<]*)<\/url>/.exec(answer)?.[1]?.replaceAll('&amp;', '&') ?? '';
        const name = /<filename>([^<]*)<\/filename>/.exec(answer)?.[1] ?? '';
        const response = await fetch(new URL(address, service.url));
        found.set(name, Buffer.from(await response.arrayBuffer()));
      }
      return found;
    } finally {
      await service.stop();
    }
  }

  it('has all that ships in the package that it runs from, and nothing else', async () => {
    const installed = await installedPackage();
    const { stdout } = await promisify(execFile)('ps', ['-eo', 'args']);
    assert.ok(stdout.includes(join(installed, 'dist/service.js')), 'its service runs from there');
    const names = await readdir(installed, { recursive: true });
    assert.ok(names.includes(join('dist', 'ThirdPartyNotices.txt')));
    assert.deepEqual(
      names.filter((name) => /\.(?:ts|map|vsix)$|^(?:src|test|node_modules)\b/.test(name)),
      [],
    );
  });

  it('attaches two files from the Explorer', async () => {
    await select('sketch.png', 'notes é.txt');
    await chooseInMenu(file('notes é.txt'), 'Attach to Story');
    await pickStory();
    await toast('Attached 2 files to #').waitFor();
    await pane.settle();
    await screenshot('done');
  });

  it('lists them below the story', async () => {
    await pane.show();
    await pane.click(story());
    await pane.press('ArrowRight');
    await pane.row(/^Attachment, sketch\.png/).waitFor();
    await pane.row(/^Attachment, notes é\.txt/).waitFor();
    await pane.settle();
    await screenshot('listed');
  });

  it('has sent every byte', async () => {
    const found = await attached();
    assert.deepEqual([...found.keys()].sort(), ['notes é.txt', 'sketch.png']);
    for (const [name, bytes] of found) assert.ok(files[name]?.equals(bytes), name);
  });

  it('attaches a file that is dragged from the Explorer onto a story', async () => {
    await showView(code.page, 'Explorer');
    const from = await file('later.bin').boundingBox();
    assert.ok(from);
    await code.page.mouse.move(from.x + 60, from.y + from.height / 2);
    await code.page.mouse.down();
    await code.page.mouse.move(from.x + 80, from.y + 40, { steps: 5 });
    await openViewByDrag(code.page, 'Story Tracker', story());
    const to = await story().boundingBox();
    assert.ok(to);
    await code.page.mouse.move(to.x + 100, to.y + to.height / 2, { steps: 8 });
    await code.page.mouse.up();
    await toast('Attached later.bin to #').waitFor();
    await pane.expandTo(story(), pane.row(/^Attachment, later\.bin/));
    await screenshot('dropped');
  });

  it('asks what to do with a folder, and packs it', async () => {
    await dismissToasts(code.page);
    await showView(code.page, 'Explorer');
    await select('folder', 'later.bin');
    await chooseInMenu(file('later.bin'), 'Attach to Story');
    await pickStory();
    const dialogue = code.page.locator('.monaco-dialog-box', { hasText: '“folder” is a folder: 1 file, 6 B.' });
    await dialogue.waitFor();
    await screenshot('folder');
    await dialogue.getByRole('button', { name: 'Attach as .zip' }).click();
    await toast('Attached 2 files to #').waitFor();
    const found = await attached();
    assert.equal(found.size, 4, 'by name: later.bin is there twice');
    const inside = unzipSync(found.get('folder.zip') ?? Buffer.alloc(0));
    assert.deepEqual(Object.keys(inside), ['folder/inside.txt']);
  });

  it('shows what looks like a secret before anything is sent', async () => {
    await file('.env').click();
    await chooseInMenu(file('.env'), 'Attach to Story');
    await pickStory();
    const dialogue = code.page.locator('.monaco-dialog-box', { hasText: '“.env” may contain a secret.' });
    await dialogue.getByText('files with this name contain secrets').waitFor();
    await screenshot('secret');
    await dialogue.getByRole('button', { name: 'Leave Out' }).click();
    await dialogue.waitFor({ state: 'detached' });
    assert.equal((await attached()).has('.env'), false);
  });

  it('attaches a file that is dragged from the system onto a story', async () => {
    await pane.show();
    const dataTransfer = await code.page.evaluateHandle(`(() => {
      const data = new DataTransfer();
      data.items.add(new File(['from outside'], 'outside ü.txt', { type: 'text/plain' }));
      return data;
    })()`);
    for (const type of ['dragenter', 'dragover', 'drop']) await story().dispatchEvent(type, { dataTransfer });
    await toast('Attached outside ü.txt to #').waitFor();
    assert.equal((await attached()).get('outside ü.txt')?.toString(), 'from outside');
  });

  it('attaches an image that is pasted where the story is open', async () => {
    if (!(await story().isVisible())) await pane.show();
    await pane.click(story());
    await code.page.keyboard.press('Control+Enter');
    const page = new StoryPage(code.page);
    await page.title().filter({ hasText: STORY }).waitFor();
    await code.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await code.page.evaluate(`navigator.clipboard.write([new ClipboardItem({
      'image/png': new Blob([Uint8Array.from(atob('${PNG}'), (one) => one.charCodeAt(0))], { type: 'image/png' }),
    })])`);
    await page.title().click();
    await code.page.keyboard.press('Control+V');
    await toast('Attached pasted-').waitFor();
    await page.text(/^pasted-[\d-]+-[\d.]+\.png$/).waitFor();
    await screenshot('pasted');
    const name = [...(await attached()).keys()].find((one) => one.startsWith('pasted-'));
    assert.match(name ?? '', /^pasted-\d{4}-\d\d-\d\d-\d\d\.\d\d\.\d\d\.png$/);
  });

  it('shows an image where it was pasted into a description and a comment', async () => {
    const page = new StoryPage(code.page);
    await code.page.evaluate(`(async () => {
      const canvas = new OffscreenCanvas(200, 80);
      const drawing = canvas.getContext('2d');
      drawing.fillStyle = 'teal';
      drawing.fillRect(0, 0, 200, 80);
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': await canvas.convertToBlob() })]);
    })()`);
    await page.button('Edit Description').click();
    await code.page.keyboard.type('Before ');
    await code.page.keyboard.press('Control+V');
    await code.page.keyboard.type(' after');
    const reference = /^Before !\[(pasted-[\d.-]+\.png)\]\(attachment:\1\) after$/;
    await eventually(async () => assert.match(await page.field('Description').inputValue(), reference));
    await dismissToasts(code.page);
    const [, name = ''] = reference.exec(await page.field('Description').inputValue()) ?? [];
    await eventually(async () => assert.deepEqual(await page.seen('#preview .attached img'), [name]));
    await screenshot('pasted-into-description');
    await code.page.keyboard.press('Control+Enter');
    await eventually(async () => assert.deepEqual(await page.seen('.markdown .attached img'), [name]));
    await page.comment().click();
    await code.page.keyboard.press('Control+V');
    await code.page.keyboard.press('Control+Enter');
    await eventually(async () => assert.equal((await page.seen('.notes .attached img')).length, 1));
    assert.deepEqual(await page.seriousFaults(), []);
    await screenshot('pasted-into-comment');
    await page.button(name).first().click();
    const image = code.page.locator('.tab', { hasText: name });
    await image.waitFor();
    // A key is lost while the image is being loaded.
    await image.click({ button: 'middle' });
    await image.waitFor({ state: 'detached' });
  });

  it('takes out of a comment again what refers to an image that is too large', async () => {
    const page = new StoryPage(code.page);
    await page.comment().fill('Keep this');
    await page.comment().press('Home');
    const frame = await page.frame();
    const values: unknown = await frame.evaluate(`new Promise((resolve) => {
      const box = document.getElementById('comment');
      const values = [];
      box.addEventListener('input', () => {
        values.push(box.value);
        if (values.length === 2) resolve(values);
      });
      const clipboardData = new DataTransfer();
      const huge = new File([new Uint8Array(33 * 1024 * 1024)], 'huge.png', { type: 'image/png' });
      clipboardData.items.add(huge);
      box.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    })`);
    assert.deepEqual(values, ['![huge.png](attachment:huge.png)Keep this', 'Keep this']);
    await toast('huge.png').waitFor();
    await dismissToasts(code.page);
    await page.comment().fill('');
  });

  it('offers to open and save an attachment in the tree', async () => {
    if (!(await story().isVisible())) await pane.show();
    const row = pane.row(/^Attachment, sketch\.png/);
    // A click on a story also closes it.
    if (!(await row.isVisible())) await pane.click(story());
    await pane.click(row, { button: 'right' });
    const entries = code.page.locator('.monaco-menu .action-item');
    await entries.filter({ hasText: 'Open Attachment' }).waitFor();
    await entries.filter({ hasText: 'Save Attachment As' }).waitFor();
    await screenshot('attachment-menu');
    await code.page.keyboard.press('Escape');
    await entries.first().waitFor({ state: 'detached' });
  });

  it('tells how large attachments are, who attached them and when', async () => {
    await pane.row(/^Attachment, sketch\.png, 684 KB · [^·]+ · \d{4}\/\d\d\/\d\d/).waitFor();
    await code.page
      .locator('.sidebar .monaco-list-row', { hasText: /sketch\.png.*684 KB/ })
      .first()
      .waitFor();
  });

  it('opens an attachment that is dragged from the tree to the editors', async () => {
    const row = pane.row(/^Attachment, outside ü\.txt/);
    await row.scrollIntoViewIfNeeded();
    const from = await row.boundingBox();
    const to = await code.page.locator('.editor-group-container').first().boundingBox();
    assert.ok(from && to);
    await code.page.mouse.move(from.x + 80, from.y + from.height / 2);
    await code.page.mouse.down();
    await code.page.mouse.move(from.x + 120, from.y + from.height / 2 + 20, { steps: 5 });
    await code.page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 10 });
    await code.page.locator('.editor-group-overlay-indicator, #monaco-workbench-editor-drop-overlay').first().waitFor();
    await code.page.mouse.up();
    await code.page.locator('.tab.active', { hasText: 'outside ü.txt' }).waitFor();
    await code.page.locator('.editor-instance .view-line', { hasText: 'from outside' }).waitFor();
    await pane.settle();
    await screenshot('dragged-out');
  });
});
