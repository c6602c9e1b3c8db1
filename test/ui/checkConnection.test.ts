import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProxy, type TestProxy } from '../support/servers/proxyServer.ts';
import { MEMORY_FOLDER, memoryFiles } from '../support/windows/memoryFiles.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { runCommand } from './commandPalette.ts';
import { clickMenuItem } from './menuItem.ts';
import { showView } from './sideBar.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('Checking the connection in a real window, on a folder that is on no disk', () => {
  let folder: string;
  let proxy: TestProxy;
  let code: VsCode;

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-check-'));
    proxy = await startProxy({ hosts: {}, authorization: 'Basic eDp5' });
    const env = { HTTPS_PROXY: `http://ada:hidden@${proxy.host}`, NO_PROXY: 'localhost,127.0.0.1' };
    code = await openVsCode({
      folder: MEMORY_FOLDER,
      extensionPath: root,
      installed: true,
      otherExtensions: [await memoryFiles(join(folder, 'extension'), { 'notes.txt': 'on no disk\n' })],
      userSettings: {
        'storyTracker.builtIn.dataFolder': join(folder, 'data'),
        'storyTracker.builtIn.demoProject': true,
      },
      env,
    });
  });
  after(async () => {
    await code.close();
    await proxy.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('asks for an address when nobody is signed in, and leads to the setting that mends the proxy of the environment', async () => {
    const { page } = code;
    const pane = new StoriesPane(page);
    await runCommand(page, 'Story Tracker: Check Connection…');
    await pane.answer('tracker.example.test');
    const toast = page.locator('.notification-toast', { hasText: 'failed at this step: proxy.' });
    await toast.waitFor();
    await page.locator('.notification-toast', { hasText: 'Checking the connection' }).waitFor({ state: 'detached' });
    await page.screenshot({ path: join(screenshots, 'checkConnection-proxy.png') });
    const text = (await toast.textContent()) ?? '';
    assert.match(text, /127\.0\.0\.1:\d+ \(HTTPS_PROXY\) does not accept the username and password/);
    assert.ok(!text.includes('hidden'));
    assert.deepEqual(proxy.seen, ['CONNECT tracker.example.test:443']);
    await toast.getByText('Open Setting').click();
    await page.locator('.settings-editor', { hasText: 'Http: Proxy' }).waitFor();
    await page.screenshot({ path: join(screenshots, 'checkConnection-setting.png') });
  });

  it('has stories and attaches files there, and says what Git needs', async () => {
    const { page } = code;
    const pane = new StoriesPane(page);
    await pane.show();
    await pane.welcomeButton('Use the Built-in Service').click();
    await pane
      .row(/^Feature, started/)
      .first()
      .waitFor();
    await runCommand(page, 'Story Tracker: Install Commit Hook');
    const toast = (text: string) => page.locator('.notification-toast', { hasText: text });
    await toast('Open a folder that contains a Git repository').waitFor();
    await showView(page, 'Explorer');
    const file = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'notes.txt' });
    await file.click({ button: 'right' });
    await clickMenuItem(page.locator('.monaco-menu .action-item', { hasText: 'Attach to Story' }).first());
    await page.locator('.quick-input-list .monaco-list-row', { hasText: '#' }).first().click();
    await toast('Attached notes.txt to #').waitFor();
    await page.screenshot({ path: join(screenshots, 'checkConnection-virtual.png') });
  });
});
