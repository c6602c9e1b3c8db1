import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import type { GitRepositoryFolder } from '../support/git/gitRepository.ts';
import { workspaceRepository } from '../support/git/workspaceRepository.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { reloadWindow } from './commandPalette.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('The editors of a story in a real window', function () {
  this.timeout(240_000);
  let data: string;
  let repository: GitRepositoryFolder;
  let code: VsCode;
  let pane: StoriesPane;
  let original: string;

  const item = () => code.page.locator('.statusbar-item[id*="storyTracker.activeStory"]');
  const picture = (name: string) => code.page.screenshot({ path: join(screenshots, `storyEditors-${name}.png`) });
  const tabs = () =>
    code.page
      .locator('.editor-group-container .tabs-container .tab')
      .evaluateAll((all) => all.map((tab) => tab.getAttribute('data-resource-name')));
  const shows = (...names: readonly string[]) => eventually(async () => assert.deepEqual(await tabs(), names), 30_000);

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    data = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    repository = await workspaceRepository();
    for (const name of ['bread.ts', 'rolls.ts', 'cake.ts']) await repository.commit(`Add ${name}`, name);
    original = (await repository.git('branch', '--show-current')).trim();
    code = await openBuiltInWindow(data, {
      folder: repository.root,
      userSettings: { 'storyTracker.editorsPerStory': true, 'files.autoSave': 'off' },
    });
    pane = new StoriesPane(code.page);
  });
  after(async () => {
    await code.close();
    await repository.remove();
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  });

  async function openFile(name: string): Promise<void> {
    const { page } = code;
    await page.keyboard.press('Control+p');
    await page.locator('.quick-input-widget input.input').fill(name);
    await page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().waitFor();
    await page.keyboard.press('Enter');
    const tab = page.locator(`.tabs-container .tab[data-resource-name="${name}"]`);
    await tab.waitFor();
    await tab.dblclick();
  }

  async function start(row: RegExp): Promise<string> {
    const { page } = code;
    await pane.chooseInMenu(pane.row(row).first(), 'Start Story…');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Create Branch' }).waitFor();
    await page.keyboard.press('Enter');
    const taken = page.getByRole('button', { name: 'Take Over' });
    await Promise.race([pane.row(/, active story, /).waitFor(), taken.waitFor().then(() => taken.click())]);
    await item().filter({ hasText: /#\d+/ }).waitFor();
    return (await repository.git('branch', '--show-current')).trim();
  }

  it('go when a story is started and come back with its branch, unsaved ones staying all the while', async () => {
    const { page } = code;
    await pane.show();
    await pane.row(/^Icebox, /).waitFor();
    // Git is there, so that it is known which story is worked on: none.
    await page.locator('.statusbar-item', { hasText: original }).first().waitFor();
    await openFile('README.md');
    await openFile('bread.ts');
    await shows('README.md', 'bread.ts');
    await picture('none');
    const branch = await start(/^Feature, started/);
    await shows();
    await picture('started');
    await openFile('rolls.ts');
    await openFile('cake.ts');
    await page.locator('.editor-instance .view-lines').first().click();
    await page.keyboard.type('// half an idea');
    await shows('rolls.ts', 'cake.ts');
    await repository.git('checkout', '--quiet', original);
    await shows('cake.ts', 'README.md', 'bread.ts');
    await picture('unsaved');
    assert.equal(await page.locator('.tab.dirty').getAttribute('data-resource-name'), 'cake.ts');
    await repository.git('checkout', '--quiet', branch);
    await eventually(async () => assert.deepEqual((await tabs()).toSorted(), ['cake.ts', 'rolls.ts']), 30_000);
    await picture('back');
  });

  it('come back after a reload too', async () => {
    const { page } = code;
    await page.locator('.tab[data-resource-name="cake.ts"]').click();
    await page.keyboard.press('Control+s');
    await eventually(async () => assert.equal(await page.locator('.tab.dirty').count(), 0));
    await reloadWindow(page);
    await item().filter({ hasText: /#\d+/ }).waitFor({ timeout: 90_000 });
    await eventually(async () => assert.deepEqual((await tabs()).toSorted(), ['cake.ts', 'rolls.ts']), 30_000);
    await repository.git('stash', '--quiet');
    await repository.git('checkout', '--quiet', original);
    // What was open while no story was worked on, the one that was unsaved then too.
    await shows('cake.ts', 'README.md', 'bread.ts');
    await picture('reloaded');
  });
});
