import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('Undoing and making again by keys', () => {
  let folder: string;
  let server: FixtureServer;
  let code: VsCode;
  let pane: StoriesPane;
  const backlog = () => server.order.filter((id) => id >= 104 && id <= 107);
  const status = (text: string) => code.page.locator('.statusbar').getByText(text);

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    server = await FixtureServer.start();
    code = await openVsCode({ folder, extensionPath: root, installed: true });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.signIn(server.url, server.token);
    await pane.row(/^Current 12, /).waitFor();
    await pane.expand(pane.row(/^Backlog 13, /));
  });
  after(async () => {
    await code.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('takes a move back and makes it again, and says so', async () => {
    const row = pane.row(/Bake bread/);
    await row.click();
    await pane.hasFocused(/Bake bread/);
    await code.page.keyboard.press('Alt+ArrowDown');
    await eventually(() => assert.deepEqual(backlog(), [105, 104, 106, 107]));
    await code.page.keyboard.press('Control+Alt+z');
    await eventually(() => assert.deepEqual(backlog(), [104, 105, 106, 107]));
    await status('Moved “Bake bread” back.').waitFor();
    await code.page.screenshot({ path: join(screenshots, 'redo-undone.png') });
    await code.page.keyboard.press('Control+Alt+Shift+z');
    await eventually(() => assert.deepEqual(backlog(), [105, 104, 106, 107]));
    await status('Moved “Bake bread” again.').waitFor();
    assert.equal(await code.page.locator('.notification-toast').count(), 0);
  });

  it('takes an edit and a move of a story back by the same key, the latest first, and makes both again', async () => {
    const owner = () => />(.*)</.exec(server.routes.story(105).elements.get('owned_by') ?? '')?.[1] ?? '';
    const look = () => [backlog(), owner()];
    const start = look();
    const row = pane.row(/Bake rolls/);
    await row.click();
    await pane.hasFocused(/Bake rolls/);
    await pane.chooseInMenu(row, 'Edit', 'Assign Story…');
    await pane.choose('Ana Example');
    await eventually(() => assert.equal(owner(), 'Ana Example'));
    await row.click();
    await pane.hasFocused(/Bake rolls/);
    await code.page.keyboard.press('Alt+ArrowDown');
    await eventually(() => assert.notDeepEqual(backlog(), start[0]));
    const end = look();
    await code.page.screenshot({ path: join(screenshots, 'undo-edited-and-moved.png') });
    await code.page.keyboard.press('Control+Alt+z');
    await eventually(() => assert.deepEqual(look(), [start[0], 'Ana Example']));
    await code.page.screenshot({ path: join(screenshots, 'undo-moved-back.png') });
    await code.page.keyboard.press('Control+Alt+z');
    await eventually(() => assert.deepEqual(look(), start));
    await status('Reverted story #105.').waitFor();
    await code.page.screenshot({ path: join(screenshots, 'undo-reverted.png') });
    for (const _ of [1, 2]) await code.page.keyboard.press('Control+Alt+Shift+z');
    await eventually(() => assert.deepEqual(look(), end));
    assert.equal(await code.page.locator('.notification-toast').count(), 0);
  });
}).timeout(60_000);
