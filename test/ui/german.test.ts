import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FrameLocator } from 'playwright-core';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { runCommand } from './commandPalette.ts';
import { StoriesPane } from './storiesPane.ts';

const screenshots = fileURLToPath(new URL('../../out/screenshots', import.meta.url));

/**
 * Makes German the language of VS Code, as if its language pack were installed. The pack of these tests is empty: what VS Code itself
 * says stays English.
 */
async function chooseGerman(profileFolder: string): Promise<void> {
  const data = join(profileFolder, 'server/data');
  await mkdir(join(data, 'User'), { recursive: true });
  const vscode = join(data, 'de.i18n.json');
  await writeFile(vscode, JSON.stringify({ version: '1.0.0', contents: {} }));
  const pack = { extensionIdentifier: { id: 'ms-ceintl.vscode-language-pack-de' }, version: '1.0.0' };
  const de = { hash: 'empty', label: 'Deutsch', extensions: [pack], translations: { vscode } };
  await writeFile(join(data, 'languagepacks.json'), JSON.stringify({ de }));
  await writeFile(join(data, 'User/argv.json'), JSON.stringify({ locale: 'de' }));
}

describe('A window in German', () => {
  let folder: string;
  let code: VsCode;
  let pane: StoriesPane;

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-german-'));
    const profileFolder = join(folder, 'profile');
    await chooseGerman(profileFolder);
    const viewport = { width: 1000, height: 1100 };
    code = await openBuiltInWindow(join(folder, 'data'), { folder, profileFolder, viewport, installed: true });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane
      .row(/^Aktuell \d+/)
      .first()
      .waitFor();
  });
  after(async () => {
    await code.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const page = (): FrameLocator => code.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');

  async function assertFits(name: string): Promise<void> {
    for (const width of [1000, 720]) {
      await code.page.setViewportSize({ width, height: 1100 });
      await code.page.screenshot({ path: join(screenshots, `german-${name}-${width}.png`) });
      const overflow = await page()
        .locator('html')
        .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
      assert.equal(overflow, 0, `${name}, ${width}`);
    }
    await code.page.setViewportSize({ width: 1000, height: 1100 });
  }

  it('tells in it what its worker thread found out', async () => {
    await runCommand(code.page, 'Story Tracker: Verbindung prüfen…');
    await code.page
      .locator('.notification-toast', { hasText: /Die Verbindung zu .+ funktioniert\. Es gibt 1 Projekt\./ })
      .waitFor();
  });

  it('has settings of a project and stories in it, with room for its long words', async () => {
    await runCommand(code.page, 'Story Tracker: Projekteinstellungen');
    await page()
      .getByRole('region', { name: 'Planung', exact: true })
      .getByLabel('Punkteskala', { exact: true })
      .waitFor();
    await assertFits('settings');
    await pane.doubleClick(pane.row(/^Feature, begonnen/).first());
    await page().getByText('begonnen', { exact: true }).first().waitFor();
    await assertFits('story');
  });
});
