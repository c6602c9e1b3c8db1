import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { type ClonedRepository, clonedRepository } from '../support/git/clonedRepository.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { runCommand } from './commandPalette.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('A story from start to finish in a real window', function () {
  this.timeout(180_000);
  let data: string;
  let clones: ClonedRepository;
  let code: VsCode;
  let pane: StoriesPane;
  let branch: string;

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    data = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    clones = await clonedRepository();
    code = await openBuiltInWindow(data, { folder: clones.mine.root });
    pane = new StoriesPane(code.page);
  });
  after(async () => {
    await code.close();
    await clones.remove();
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  });

  const screenshot = (title: string) =>
    code.page.screenshot({ path: join(screenshots, `startAndFinish-${title}.png`) });
  const mine = async (...args: readonly string[]) => (await clones.mine.git(...args)).trim();
  const read = () => readFile(join(clones.mine.root, 'README.md'), 'utf8');
  const offered = (text: string) => code.page.locator('.quick-input-list .monaco-list-row', { hasText: text });
  const item = () => code.page.locator('.statusbar-item[id*="storyTracker.activeStory"]');
  const isOn = (name: string | RegExp) =>
    eventually(async () => assert.match(await mine('branch', '--show-current'), new RegExp(name)), 30_000);

  /** Starts the first story that is ready, up to the question about what is not committed. */
  async function startFirst(): Promise<void> {
    await pane.show();
    // The last of a project's rows comes when all of them are known.
    await pane.row(/^Icebox, /).waitFor();
    const row = pane.row(/^Feature, unstarted, .*\d points?, /).first();
    await pane.chooseInMenu(row, 'Start Story…');
    await offered('From origin/main').waitFor();
  }

  it('begins at the remote’s branch as it is now, with uncommitted work carried along', async () => {
    const theirs = await clones.theirs.commit('Theirs', 'theirs.txt');
    await clones.theirs.git('push', '--quiet', 'origin', 'HEAD:main');
    await writeFile(join(clones.mine.root, 'README.md'), 'Not committed');
    await startFirst();
    await screenshot('steps');
    await code.page.keyboard.press('Enter');
    await offered('Carry Along to feature/').waitFor();
    await screenshot('changes');
    await code.page.keyboard.press('Enter');
    await item().filter({ hasText: /#\d+/ }).waitFor();
    await isOn(/^feature\//);
    assert.equal(await mine('rev-parse', 'HEAD'), theirs);
    assert.equal(await read(), 'Not committed');
    await pane.row(/^Feature, started, active story, /).waitFor();
    await pane.settle();
    await screenshot('started');
  });

  it('is as it was after one undo', async () => {
    branch = await mine('branch', '--show-current');
    await runCommand(code.page, 'Story Tracker: Undo Last Change');
    await isOn('^main$');
    await eventually(async () => assert.equal(await mine('branch', '--list', branch), ''));
    await eventually(async () => assert.equal(await pane.row(/, active story, /).count(), 0));
    assert.equal(await read(), 'Not committed');
  });

  it('begins with uncommitted work put away', async () => {
    await startFirst();
    await code.page.keyboard.press('Enter');
    await offered('Stash').click();
    await isOn(`^${branch}$`);
    await item().filter({ hasText: /#\d+/ }).waitFor();
    assert.equal(await read(), 'Begin the project');
    assert.match(await mine('stash', 'list'), /On main: Before story #\d+$/);
    await pane.row(/^Feature, started, active story, /).waitFor();
  });

  it('is finished, pushed, and back on the base', async () => {
    await pane.row(/^Feature, started, active story, /).waitFor();
    const hash = await clones.mine.commit('Do it', 'done.txt');
    const commit = 'Link 1 Commit';
    await eventually(async () => {
      await item().click();
      await offered('Finish Story…').click();
      await offered(commit).waitFor({ timeout: 10_000 });
    }, 40_000);
    await screenshot('finish');
    await code.page.keyboard.press('Enter');
    await isOn('^main$');
    await pane
      .row(/^Feature, finished, /)
      .first()
      .waitFor();
    assert.equal((await clones.origin.git('rev-parse', branch)).trim(), hash);
    assert.equal(await mine('rev-parse', '--abbrev-ref', `${branch}@{upstream}`), `origin/${branch}`);
    assert.equal(await mine('rev-parse', branch), hash, 'it is not merged');
    await eventually(async () => assert.equal(await item().isVisible(), false));
    await pane.settle();
    await screenshot('finished');
  });

  it('is shown where it is from then on, alone selected, also in an iteration that is folded', async () => {
    await pane.show();
    await pane.row(/^Icebox, /).waitFor();
    const current = pane.row(/^Current \d+, /);
    await current.locator('.monaco-tl-twistie').click();
    await pane.expand(pane.row(/^Icebox, /));
    const frozen = pane.row(/^(Bug|Chore), unscheduled, /).first();
    const spoken = (await frozen.getAttribute('aria-label')) ?? '';
    await pane.chooseInMenu(frozen, 'Start Story…');
    await code.page
      .getByRole('checkbox', { name: /Create Branch / })
      .first()
      .waitFor();
    await code.page.keyboard.press('Enter');
    await pane.row(/^(Bug|Chore), started, active story, /).waitFor();
    const name = spoken.split(', ')[2] ?? assert.fail();
    await eventually(async () => {
      const selected = await pane.selectedNames();
      assert.ok(selected.length === 1 && selected[0]?.includes(name), selected.join());
    });
  });
});
