import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GitRepositoryFolder } from '../support/gitRepository.ts';
import type { VsCode } from '../support/vscodeHost.ts';
import { workspaceRepository } from '../support/workspaceRepository.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('The active story in a real window', () => {
  let data: string;
  let repository: GitRepositoryFolder;
  let code: VsCode;
  let pane: StoriesPane;

  const item = () => code.page.locator('.statusbar-item[id*="storyTracker.activeStory"]');

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    data = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    repository = await workspaceRepository();
    code = await openBuiltInWindow(data, {
      folder: repository.root,
    });
    pane = new StoriesPane(code.page);
  });
  after(async () => {
    await code.close();
    await repository.remove();
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  });

  it('is started from its row, with a branch to choose, and is in the status bar again after a reload', async () => {
    const { page } = code;
    await pane.show();
    const row = pane.row(/^Feature, started/).first();
    await row.waitFor();
    await pane.chooseInMenu(row, 'Start Story…');
    const branch = page.locator('.quick-input-list .monaco-list-row', { hasText: 'New branch' }).first();
    await branch.waitFor();
    await page.screenshot({ path: join(screenshots, 'activeStory-branches.png') });
    await branch.click();
    const taken = page.getByRole('button', { name: 'Take It Over' });
    await Promise.race([item().waitFor(), taken.waitFor().then(() => taken.click())]);
    await item().filter({ hasText: /#\d+/ }).waitFor();
    await page.screenshot({ path: join(screenshots, 'activeStory-status.png') });
    const text = await item().innerText();

    const reloaded = page.waitForEvent('load');
    await page.reload();
    await reloaded;
    await item().filter({ hasText: text.trim() }).waitFor();
    await item().click();
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Change State…' }).waitFor();
    await page.screenshot({ path: join(screenshots, 'activeStory-actions.png') });
  });
});
