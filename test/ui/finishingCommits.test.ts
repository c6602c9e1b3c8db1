import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import type { GitRepositoryFolder } from '../support/git/gitRepository.ts';
import { workspaceRepository } from '../support/git/workspaceRepository.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { SourceControlPane } from './sourceControlPane.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('Commit & Finish below the commit button of a real window', () => {
  let data: string;
  let repository: GitRepositoryFolder;
  let service: RunningService;
  let code: VsCode;
  let scm: SourceControlPane;
  let id: number;

  const state = async () => elementText(await service.ask('GET', `/projects/1/stories/${id}`), 'current_state');
  const subject = async () => (await repository.git('log', '-1', '--format=%s')).trim();
  const items = () => code.page.locator('.monaco-menu .action-item', { hasText: /Commit/ });

  /** Opens the menu below the arrow of the button, whose items may not be there yet; gives what it offers. */
  async function offered(): Promise<readonly string[]> {
    await code.page.locator('.scm-view .monaco-button-dropdown .monaco-dropdown-button').first().click();
    await items().first().waitFor();
    return items().allInnerTexts();
  }
  async function close(): Promise<void> {
    await code.page.keyboard.press('Escape');
    await items().first().waitFor({ state: 'detached' });
  }
  async function isOffered(wanted: boolean): Promise<void> {
    await eventually(async () => {
      const isThere = (await offered()).some((text) => text.includes(`Commit & Finish #${id}`));
      if (isThere !== wanted) {
        await close();
        assert.equal(isThere, wanted);
      }
    }, 30_000);
  }
  /** A menu takes no click in the moment in which it opens. */
  async function choose(): Promise<void> {
    const item = items().filter({ hasText: `Commit & Finish #${id}` });
    await eventually(async () => {
      if (await item.isVisible()) await item.click({ timeout: 1000 });
      assert.equal(await item.isVisible(), false);
    });
  }

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    data = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    service = await runningService(join(root, 'dist/service.js'), data);
    const current = await service.ask('GET', '/projects/1/iterations/current');
    const started = current.split(/<story>/).find((xml) => /started<\/current_state>/.test(xml)) ?? '';
    id = Number(elementText(started, 'id'));
    repository = await workspaceRepository();
    await writeFile(join(repository.root, 'tide.txt'), 'High water at noon.\n');
    code = await openBuiltInWindow(data, {
      folder: repository.root,
      userSettings: { 'storyTracker.commit.link': 'off' },
    });
    const pane = new StoriesPane(code.page);
    await pane.show();
    await pane
      .row(/started, /)
      .first()
      .waitFor();
    scm = new SourceControlPane(code.page);
    await scm.show();
    await scm.change('tide.txt');
  });
  after(async () => {
    await code.close();
    await service.stop();
    await repository.remove();
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  });

  it('is offered while the message names a story that is not finished', async () => {
    await isOffered(false);
    await close();
    await scm.box().click();
    await code.page.keyboard.type(`Tell the tide [#${id}]`, { delay: 30 });
    await isOffered(true);
    await code.page.screenshot({ path: join(screenshots, 'finishingCommits-menu.png') });
    await close();
  });

  it('leaves the story alone when the commit fails', async () => {
    const hook = join(repository.root, '.git', 'hooks', 'pre-commit');
    await mkdir(join(hook, '..'), { recursive: true });
    await writeFile(hook, '#!/bin/sh\necho "No commits today" >&2\nexit 1\n');
    await chmod(hook, 0o755);
    await isOffered(true);
    await choose();
    const dialog = code.page.locator('.monaco-dialog-box', { hasText: 'No commits today' });
    await dialog.waitFor();
    await code.page.screenshot({ path: join(screenshots, 'finishingCommits-refused.png') });
    await dialog
      .getByRole('button', { name: /Cancel|OK/ })
      .first()
      .click();
    await rm(hook);
    assert.equal(await subject(), 'Begin the project');
    assert.notEqual(await state(), 'finished');
    await scm.shows(`Tell the tide [#${id}]`);
  });

  it('commits and finishes the story, and is no longer offered for it', async () => {
    await isOffered(true);
    await choose();
    await code.page.locator('.statusbar', { hasText: `Story #${id} is finished.` }).waitFor();
    assert.equal(await subject(), `Tell the tide [#${id}]`);
    assert.equal(await state(), 'finished');
    await code.page.screenshot({ path: join(screenshots, 'finishingCommits-done.png') });
    await writeFile(join(repository.root, 'tide.txt'), 'High water at one.\n');
    await scm.change('tide.txt');
    await scm.box().click();
    await code.page.keyboard.type(`Tell it again [#${id}]`, { delay: 30 });
    await isOffered(false);
    await close();
  });
});
