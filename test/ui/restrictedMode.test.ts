import assert from 'node:assert/strict';
import { access, appendFile, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GitRepositoryFolder } from '../support/git/gitRepository.ts';
import { workspaceRepository } from '../support/git/workspaceRepository.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { runCommand } from './commandPalette.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('Restricted Mode in a real window, signed in', () => {
  let data: string;
  let aside: string;
  let repository: GitRepositoryFolder;
  let code: VsCode;
  let configuration: string;

  const inGit = (name: string) => join(repository.root, '.git', name);
  const recorded = () => readFile(join(aside, 'runs'), 'utf8').catch(() => '');

  async function executable(path: string, text: string): Promise<void> {
    await writeFile(path, `#!/bin/sh\n${text}\n`);
    await chmod(path, 0o755);
  }

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    data = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    aside = await mkdtemp(join(tmpdir(), 'story-tracker-restricted-'));
    await mkdir(join(aside, 'shims'));
    const git = `echo "git $*" >>'${join(aside, 'runs')}'\nPATH='${process.env.PATH}' exec git "$@"`;
    await executable(join(aside, 'shims/git'), git);
    const program = join(aside, 'program');
    await executable(program, `echo canary >>'${join(aside, 'runs')}'\nexit 1`);
    repository = await workspaceRepository();
    await repository.git('config', 'branch.main.storyTrackerStory', '1');
    const hostile = `[core]\nfsmonitor = ${program}\npager = ${program}\nsshCommand = ${program}\nhooksPath = ${aside}\n[diff]\nexternal = ${program}\n`;
    await appendFile(inGit('config'), hostile);
    await writeFile(join(repository.root, 'changed.txt'), 'changed');
    configuration = await readFile(inGit('config'), 'utf8');
    code = await openBuiltInWindow(data, {
      folder: repository.root,
      trust: false,
      installed: true,
      env: { PATH: `${join(aside, 'shims')}:${process.env.PATH}` },
    });
    const pane = new StoriesPane(code.page);
    await pane.show();
    await pane
      .row(/^Feature, started/)
      .first()
      .waitFor();
  });
  after(async () => {
    await code.close();
    await repository.remove();
    for (const folder of [data, aside]) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const toast = () => code.page.locator('.notification-toast', { hasText: 'Git is not used in Restricted Mode.' });

  for (const title of ['Install Commit Hook', 'Remove Commit Hook']) {
    it(`${title} says why it does nothing`, async () => {
      await runCommand(code.page, `Story Tracker: ${title}`);
      await toast().waitFor();
      await toast().hover();
      await code.page.screenshot({ path: join(screenshots, `restricted-${title.split(' ')[0]?.toLowerCase()}.png`) });
      await toast().locator('.codicon-notifications-clear').click();
      await assert.rejects(access(join(aside, 'prepare-commit-msg')));
    });
  }

  it('works on a story without its branch, and has run no Git', async () => {
    const { page } = code;
    await runCommand(page, 'Story Tracker: Set Active Story');
    const row = page.locator('.quick-input-list .monaco-list-row', { hasText: '#' }).first();
    await row.waitFor();
    await row.click();
    const item = page.locator('.statusbar-item[id*="storyTracker.activeStory"]');
    await item.filter({ hasText: /#\d+/ }).waitFor();
    const reloaded = page.waitForEvent('load', { timeout: 150_000 });
    await page.reload();
    await reloaded;
    await item.filter({ hasText: /#\d+/ }).waitFor();
    await page.screenshot({ path: join(screenshots, 'restricted-active.png') });
    assert.equal(await recorded(), '');
    assert.equal(await readFile(inGit('config'), 'utf8'), configuration);
  });
});
