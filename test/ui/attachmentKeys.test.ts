import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

/** Whether the browser has on disk what VS Code remembers of an upload, as it has some moments after VS Code was told. */
const UPLOAD_IS_KEPT = `(async () => {
  const result = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  for (const { name } of await indexedDB.databases()) {
    const database = await result(indexedDB.open(name));
    try {
      for (const store of database.objectStoreNames) {
        const values = await result(database.transaction(store).objectStore(store).getAll());
        if (values.some((value) => String(value).includes('film.bin'))) return true;
      }
    } finally {
      database.close();
    }
  }
  return false;
})()`;

/** VS Code's own dialogs for files are boxes with a path when its window is a browser's. */
describe('Attachments by keys and through dialogues', () => {
  let folder: string;
  let server: FixtureServer;
  let code: VsCode;
  let pane: StoriesPane;
  const toast = (text: string | RegExp) => code.page.locator('.notification-toast', { hasText: text });
  const attached = () => server.routes.story(104).files;
  const names = () => [...attached().values()].map(({ filename }) => filename).toSorted();
  const screenshot = (name: string) => code.page.screenshot({ path: join(screenshots, `attachmentKeys-${name}.png`) });

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    await mkdir(join(folder, 'work'));
    await mkdir(join(folder, 'saved'));
    await writeFile(join(folder, 'work', 'recipe.txt'), 'flour\nwater\n');
    await writeFile(join(folder, 'work', 'oven.txt'), 'hot');
    server = await FixtureServer.start();
    code = await openVsCode({ folder: join(folder, 'work'), extensionPath: root, installed: true });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.signIn(server.url, server.token);
    await pane.row(/^Current 12, /).waitFor();
    await pane.expandTo(pane.row(/^Backlog 13, /), story());
  });
  after(async () => {
    await code.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const story = () => pane.row(/Bake bread/);
  const attachment = (name: string) => pane.row(new RegExp(`^Attachment, ${name}`));

  /** Takes this path in the dialogue that is open. */
  async function takePath(path: string, button: string): Promise<void> {
    const ok = code.page.locator('.quick-input-widget .monaco-button', { hasText: button });
    await ok.waitFor();
    // The dialogue begins with a path of its own, and completes what is typed.
    await eventually(async () => assert.match(await pane.input().inputValue(), /^\//));
    await eventually(async () => {
      await pane.input().fill(path);
      await setTimeout(300);
      assert.equal(await pane.input().inputValue(), path);
    });
    await ok.click();
  }

  /** Has a row selected, and the keys go to it. */
  async function select(row: ReturnType<typeof attachment>): Promise<void> {
    await eventually(async () => {
      await pane.click(row, { timeout: 1000 });
      assert.equal(await row.getAttribute('aria-selected', { timeout: 1000 }), 'true');
    }, 30_000);
  }

  async function attachByKey(name: string): Promise<void> {
    await select(story());
    await code.page.keyboard.press('Control+Alt+a');
    await pane.choose('Choose Files…');
    await takePath(join(folder, 'work', name), 'Attach');
    await toast(`Attached ${name} to #104.`).waitFor();
  }

  it('attaches the file that is chosen to the story that is selected', async () => {
    await attachByKey('recipe.txt');
    await attachByKey('oven.txt');
    assert.deepEqual(names(), ['oven.txt', 'recipe.txt']);
    await pane.expandTo(story(), attachment('recipe.txt'));
  });

  it('opens the attachment that is selected', async () => {
    await select(attachment('recipe.txt'));
    await code.page.keyboard.press('Control+Enter');
    await code.page.locator('.tab.active', { hasText: 'recipe.txt' }).waitFor();
    await code.page.locator('.editor-instance .view-line', { hasText: 'flour' }).waitFor();
  });

  it('saves it where the dialogue says, and asks before it replaces a file', async () => {
    const target = join(folder, 'saved', 'mine.txt');
    await select(attachment('recipe.txt'));
    await code.page.keyboard.press('Control+Alt+s');
    await takePath(target, 'OK');
    await eventually(async () => assert.equal(await readFile(target, 'utf8'), 'flour\nwater\n'));
    await select(attachment('oven.txt'));
    await code.page.keyboard.press('Control+Alt+s');
    await takePath(target, 'OK');
    await code.page.getByText(/mine\.txt already exists/).waitFor();
    await screenshot('replace');
    assert.equal(await readFile(target, 'utf8'), 'flour\nwater\n');
    await code.page.locator('.quick-input-widget .monaco-button', { hasText: 'OK' }).click();
    await eventually(async () => assert.equal(await readFile(target, 'utf8'), 'hot'));
  });

  it('saves all of a story in the folder that is chosen', async () => {
    await writeFile(join(folder, 'saved', 'oven.txt'), 'mine');
    await pane.chooseInMenu(story(), 'Save All Attachments');
    await takePath(join(folder, 'saved'), 'Save Here');
    await code.page.locator('.statusbar').getByText('Saved 2 files to saved.').waitFor();
    const read = (name: string) => readFile(join(folder, 'saved', name), 'utf8');
    assert.deepEqual(await Promise.all(['recipe.txt', 'oven.txt', 'oven (2).txt'].map(read)), [
      'flour\nwater\n',
      'mine',
      'hot',
    ]);
    await screenshot('saved');
  });

  it('attaches the file of an editor tab by its menu, and the tab of an attachment tells its story', async () => {
    await code.page.locator('.breadcrumbs-control').getByText('#104').waitFor();
    await code.page.locator('.activitybar [aria-label^="Explorer"]').first().click();
    await code.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'oven.txt' }).dblclick();
    const tab = code.page.locator('.tab', { hasText: 'oven.txt' });
    await pane.chooseInMenu(tab, 'Attach to Story');
    await screenshot('tab');
    await pane.input().fill('Bake rolls');
    await pane.choose('Bake rolls');
    await toast('Attached oven.txt to #105.').waitFor();
    assert.equal([...server.routes.story(105).files.values()][0]?.bytes.toString(), 'hot');
    await pane.show();
  });

  it('tells of an upload that a reloaded window cut off, and sends it again when wished', async () => {
    await writeFile(join(folder, 'work', 'film.bin'), Buffer.alloc(300_000, 7));
    const letGo = server.hold(/POST .*attachments$/);
    await select(story());
    await code.page.keyboard.press('Control+Alt+a');
    await pane.choose('Choose Files…');
    await takePath(join(folder, 'work', 'film.bin'), 'Attach');
    await toast(/Attaching film\.bin to #104/).waitFor();
    await eventually(async () => assert.equal(await code.page.evaluate(UPLOAD_IS_KEPT), true));
    const loaded = code.page.waitForEvent('load', { timeout: 150_000 });
    await code.page.reload();
    await loaded;
    await pane.show();
    const told = toast('Attaching to #104 was interrupted when the window closed: film.bin.');
    await told.waitFor({ timeout: 60_000 });
    letGo();
    await pane.settle();
    await screenshot('cut-off');
    await told.getByRole('button', { name: 'Retry' }).click();
    await toast(/Attached film\.bin to #104\.|All files are attached to #104\./).waitFor();
    const films = [...attached().values()].filter(({ filename }) => filename === 'film.bin');
    assert.deepEqual(
      films.map(({ bytes }) => bytes.length),
      [300_000],
    );
  }).timeout(200_000);
});
