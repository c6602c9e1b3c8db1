import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { storyIcon } from '../../src/host/story/storyIcons.ts';
import { eventually } from '../support/eventually.ts';
import type { GitRepositoryFolder } from '../support/git/gitRepository.ts';
import { workspaceRepository } from '../support/git/workspaceRepository.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { showInTheme } from './colorTheme.ts';
import { runCommand } from './commandPalette.ts';
import { SourceControlPane } from './sourceControlPane.ts';
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
    await rm(`${repository.root}.worktrees`, { recursive: true, force: true });
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  });

  it('is started from its row, with a branch to choose, and is in the status bar again after a reload', async () => {
    const { page } = code;
    await pane.show();
    // The last of a project's rows comes when all of them are known.
    await pane.row(/^Icebox, /).waitFor();
    const row = pane.row(/^Feature, started/).first();
    await pane.chooseInMenu(row, 'Start Story…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Create Branch' }).waitFor();
    await page.screenshot({ path: join(screenshots, 'activeStory-steps.png') });
    await page.keyboard.press('Enter');
    await item().filter({ hasText: /#\d+/ }).waitFor();
    await page.screenshot({ path: join(screenshots, 'activeStory-status.png') });
    const text = await item().innerText();
    const marked = pane.row(/^Feature, started, active story, /);
    await marked.waitFor();
    assert.match((await marked.textContent()) ?? '', /active · started/);
    const icon = marked.locator('.custom-view-tree-node-item-icon');
    assert.ok(await icon.isVisible());
    const { light } = storyIcon('feature', 'started', true);
    assert.ok((await icon.getAttribute('style'))?.includes(light), (await icon.getAttribute('style')) ?? '');
    assert.equal(await pane.row(/, active story, /).count(), 1);
    await marked.click();
    await pane.settle();
    await page.screenshot({ path: join(screenshots, 'activeStory-row.png') });

    const reloaded = page.waitForEvent('load', { timeout: 150_000 });
    await page.reload();
    await reloaded;
    await item().filter({ hasText: text.trim() }).waitFor();
    await item().click();
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Change State…' }).waitFor();
    await page.screenshot({ path: join(screenshots, 'activeStory-actions.png') });
  });

  it('marks the row of another story at once, and none after it is stopped', async () => {
    const { page } = code;
    await page.keyboard.press('Escape');
    const row = pane.row(/^(Feature|Bug), unstarted, /).first();
    await row.waitFor();
    await pane.chooseInMenu(row, 'Set Active Story…');
    const question = page.locator('.monaco-dialog-box', { hasText: /is the branch of story #\d+/ });
    await question.waitFor();
    await page.screenshot({ path: join(screenshots, 'activeStory-otherBranch.png') });
    await question.getByRole('button', { name: /^Use It for #\d+$/ }).click();
    const marked = pane.row(/, unstarted, active story, /);
    await marked.waitFor();
    assert.equal(await pane.row(/, active story, /).count(), 1);
    for (const theme of ['Default High Contrast', 'Default High Contrast Light'] as const) {
      await showInTheme(code, repository.root, theme);
      await pane.settle();
      await page.screenshot({ path: join(screenshots, `activeStory-${theme.replaceAll(' ', '')}.png`) });
    }
    await showInTheme(code, repository.root, 'Default Dark Modern');
    await pane.chooseInMenu(marked, 'Stop Story');
    await eventually(async () => assert.equal(await pane.row(/, active story, /).count(), 0));
    await eventually(async () => assert.equal(await item().isVisible(), false));
  });

  it('is the first to be named in a commit, then those that one has begun', async () => {
    const { page } = code;
    const row = pane.row(/^(Feature|Bug), unstarted, /).first();
    await pane.chooseInMenu(row, 'Set Active Story…');
    await item().filter({ hasText: /#\d+/ }).waitFor();
    const [id = ''] = /#\d+/.exec(await item().innerText()) ?? [];
    await runCommand(page, 'Story Tracker: Insert Marker');
    const offered = page.locator('.quick-input-list .monaco-list-row');
    await offered.filter({ hasText: `${id} · unstarted · active` }).waitFor();
    await page.screenshot({ path: join(screenshots, 'activeStory-picker.png') });
    const texts = await offered.allTextContents();
    assert.match(texts[0] ?? '', new RegExp(`${id} · unstarted · active`));
    await page.keyboard.press('Enter');
    await page.locator('.statusbar', { hasText: `Added [fixes ${id}]` }).waitFor();
  });

  it('is started in a worktree that is opened, where its branch has it', async () => {
    const { page } = code;
    const row = pane.row(/^(Feature|Bug|Chore), unstarted, (?!active)/).nth(1);
    await pane.chooseInMenu(row, 'Start Story…');
    const worktree = page.locator('.quick-input-list .monaco-list-row', { hasText: '.worktrees' });
    await worktree.click();
    await page.screenshot({ path: join(screenshots, 'activeStory-worktreeStep.png') });
    await page.keyboard.press('Enter');
    const here = page.locator('.quick-input-list .monaco-list-row', { hasText: 'Open in This Window' });
    await here.waitFor();
    await page.screenshot({ path: join(screenshots, 'activeStory-worktreeOpen.png') });
    const loaded = page.waitForEvent('load', { timeout: 150_000 });
    await here.click();
    await Promise.race([loaded, estimated(loaded)]);
    await loaded;
    const [folder = ''] = await readdir(`${repository.root}.worktrees`);
    const branch = (
      await repository.git('-C', join(`${repository.root}.worktrees`, folder), 'branch', '--show-current')
    ).trim();
    const id = (await repository.git('config', `branch.${branch}.storyTrackerStory`)).trim();
    assert.match(branch, new RegExp(`/${id}-`));
    await new SourceControlPane(page).show();
    await item()
      .filter({ hasText: `#${id}` })
      .waitFor();
    await pane.show();
    await pane.row(/, started, active story, /).waitFor();
    await pane.settle();
    await page.screenshot({ path: join(screenshots, 'activeStory-worktree.png') });
  });

  /** Answers what may still be asked before a story can be started. */
  async function estimated(until: Promise<unknown>): Promise<void> {
    const estimate = code.page.locator('.quick-input-list .monaco-list-row', { hasText: /^1 point$/ });
    let isOver = false;
    void until.then(() => {
      isOver = true;
    });
    while (!isOver) {
      if (await estimate.isVisible().catch(() => false)) await estimate.click();
      await sleep(100);
    }
  }
});
