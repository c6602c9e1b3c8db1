import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProxy, type TestProxy } from '../support/servers/proxyServer.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { runCommand } from './commandPalette.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('Checking the connection in a real window', () => {
  let folder: string;
  let proxy: TestProxy;
  let code: VsCode;

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-check-'));
    proxy = await startProxy({ hosts: {}, authorization: 'Basic eDp5' });
    const env = { HTTPS_PROXY: `http://ada:hidden@${proxy.host}`, NO_PROXY: 'localhost,127.0.0.1' };
    code = await openVsCode({ folder, extensionPath: root, installed: true, env });
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
});
