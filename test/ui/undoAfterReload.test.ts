import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { reloadWindow, runCommand } from './commandPalette.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('Undoing after a reload', () => {
  let folder: string;
  let server: FixtureServer;
  let code: VsCode;
  let pane: StoriesPane;
  const backlog = () => server.order.filter((id) => id >= 104 && id <= 107);
  const status = (text: string | RegExp) => code.page.locator('.statusbar').getByText(text);
  const owner = () => />(.*)</.exec(server.routes.story(105).elements.get('owned_by') ?? '')?.[1] ?? '';

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    server = await FixtureServer.start();
    code = await openVsCode({ folder, extensionPath: root, installed: true });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.signIn(server.url, server.token);
    await pane.row(/^Current 12, /).waitFor();
    await pane.expandTo(pane.row(/^Backlog 13, /), pane.row(/Bake bread/));
  });
  after(async () => {
    await code.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  async function reload(): Promise<void> {
    await reloadWindow(code.page);
  }

  it('takes back what was done before it, says so, and does it again after another', async () => {
    const row = pane.row(/Bake rolls/);
    await pane.click(row);
    await pane.chooseInMenu(row, 'Edit', 'Assign…');
    await pane.choose('Ana Example');
    await eventually(() => assert.equal(owner(), 'Ana Example'));
    await pane.click(row);
    await pane.hasFocused(/Bake rolls/);
    await code.page.keyboard.press('Alt+ArrowDown');
    await eventually(() => assert.deepEqual(backlog(), [104, 106, 105, 107]));

    await reload();
    // From the Command Palette, whatever is shown.
    await runCommand(code.page, 'Story Tracker: Undo Last Change');
    await eventually(() => assert.deepEqual(backlog(), [104, 105, 106, 107]), 30_000);
    await status('Moved “Bake rolls” back.').waitFor();
    await code.page.screenshot({ path: join(screenshots, 'undoAfterReload-moved.png') });
    await runCommand(code.page, 'Story Tracker: Undo Last Change');
    await eventually(() => assert.equal(owner(), ''), 30_000);
    await status(/Reverted story #105: .+\./).waitFor();
    await code.page.screenshot({ path: join(screenshots, 'undoAfterReload-reverted.png') });

    await reload();
    await runCommand(code.page, 'Story Tracker: Redo Last Change');
    await eventually(() => assert.equal(owner(), 'Ana Example'), 30_000);
    await status(/Changed story #105 again: .+\./).waitFor();
    await runCommand(code.page, 'Story Tracker: Redo Last Change');
    await eventually(() => assert.deepEqual(backlog(), [104, 106, 105, 107]), 30_000);
    await status('Moved “Bake rolls” again.').waitFor();
    assert.equal(await code.page.locator('.notification-toast').count(), 0);
  }).timeout(180_000);
});
