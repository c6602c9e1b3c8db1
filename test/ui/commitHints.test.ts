import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import type { GitRepositoryFolder } from '../support/git/gitRepository.ts';
import { workspaceRepository } from '../support/git/workspaceRepository.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { runCommand } from './commandPalette.ts';
import { SourceControlPane } from './sourceControlPane.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('Writing a commit message in a real window', () => {
  let data: string;
  let repository: GitRepositoryFolder;
  let service: RunningService;
  let code: VsCode;
  let pane: StoriesPane;
  let scm: SourceControlPane;
  let ids: readonly number[];
  let names: readonly string[];

  const screenshot = (title: string) => code.page.screenshot({ path: join(screenshots, `commitHints-${title}.png`) });
  const box = () => code.page.locator('.scm-view .scm-editor');
  const storyRow = (index: number) => pane.row(new RegExp(escaped(names[index] ?? ''))).first();

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    data = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    service = await runningService(join(root, 'dist/service.js'), data);
    const current = await service.ask('GET', '/projects/1/iterations/current');
    const open = current.split(/<story>/).filter((xml) => />(?:un)?started<\/current_state>/.test(xml));
    ids = open.map((xml) => Number(elementText(xml, 'id')));
    names = open.map((xml) => elementText(xml, 'name') ?? '');
    repository = await workspaceRepository();
    await writeFile(join(repository.root, 'tide.txt'), 'High water at noon.\n');
    code = await openVsCode({
      folder: repository.root,
      extensionPath: root,
      userSettings: {
        'storyTracker.builtIn.signIn': 'automatic',
        'storyTracker.builtIn.demoProject': true,
        'storyTracker.builtIn.dataFolder': data,
      },
    });
    pane = new StoriesPane(code.page);
    scm = new SourceControlPane(code.page);
    await pane.show();
    await storyRow(0).waitFor();
  });
  after(async () => {
    await code.close();
    await service.stop();
    await repository.remove();
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Empties the box and types into it; no list of proposals is open afterwards. */
  async function write(text: string): Promise<void> {
    const { keyboard } = code.page;
    await scm.show();
    await scm.box().click();
    await keyboard.press('Control+a');
    await keyboard.press('Delete');
    await scm.shows('');
    await keyboard.type(text);
    await scm.shows(text);
  }

  /** The icon of a view that is shown already would hide it. */
  async function showStories(): Promise<void> {
    if (!(await storyRow(0).isVisible())) await pane.show();
    // Rows that still come would move the one that is meant.
    await pane.row(/^Icebox, /).waitFor();
    await pane.settle();
  }

  /** Takes a row with the mouse and carries it a little. */
  async function takeUp(row: Locator): Promise<void> {
    await row.hover();
    await code.page.mouse.down();
    const from = await row.boundingBox();
    await code.page.mouse.move((from?.x ?? 0) + 60, (from?.y ?? 0) + 30, { steps: 4 });
  }

  async function letGoOn(place: Locator): Promise<void> {
    await moveOver(place, 6);
    await code.page.mouse.up();
  }

  async function moveOver(place: Locator, steps: number): Promise<void> {
    const at = await place.boundingBox();
    assert.ok(at);
    await code.page.mouse.move(at.x + at.width / 2 - 3, at.y + at.height / 2 - 3);
    await code.page.mouse.move(at.x + at.width / 2, at.y + at.height / 2, { steps });
  }

  it('proposes stories behind #', async () => {
    await write('');
    await code.page.keyboard.type(`Sort #${ids[0]}`, { delay: 40 });
    await code.page
      .locator('.suggest-widget.visible .monaco-list-row', { hasText: `#${ids[0]}` })
      .first()
      .waitFor();
    await code.page.keyboard.press('Enter');
    await scm.shows(`Sort [fixes #${ids[0]}]`);
  });

  for (const theme of ['light', 'dark']) {
    it(`underlines what is no marker and writes one, in ${theme} colours`, async () => {
      await write(`Sort the shells, closes #${ids[0]} well`);
      await box().locator('.squiggly-warning').first().waitFor();
      for (let step = 0; step < ' well'.length; step++) await code.page.keyboard.press('ArrowLeft');
      await code.page.keyboard.press('Control+.');
      const fix = code.page.locator('.action-widget .monaco-list-row', { hasText: `Change to [fixes #${ids[0]}]` });
      await fix.waitFor();
      await screenshot(`fix-${theme}`);
      await fix.click();
      await scm.shows(`Sort the shells, [fixes #${ids[0]}] well`);
      await eventually(async () => assert.equal(await box().locator('.squiggly-warning').count(), 0));
    });

    it(`shows the card of a story that is named, in ${theme} colours`, async () => {
      await write(`Sort the shells [fixes #${ids[0]}] `);
      const link = box().locator('.detected-link').first();
      await link.waitFor();
      const card = code.page.locator('.monaco-hover:visible', { hasText: names[0] ?? '' }).first();
      await eventually(async () => {
        await code.page.mouse.move(700, 500);
        await link.hover();
        await card.waitFor({ timeout: 3000 });
      }, 30_000);
      await screenshot(`card-${theme}`);
      await code.page.mouse.move(700, 500);
      await write('');
      await runCommand(code.page, 'Preferences: Toggle between Light/Dark Themes');
    });
  }

  it('takes a story that is dropped into the commit box where its marker belongs', async () => {
    await write('Sort the shells');
    await code.page.keyboard.press('Enter');
    await code.page.keyboard.press('Enter');
    await code.page.keyboard.type('By size.');
    await showStories();
    await takeUp(storyRow(1));
    // Resting on the icon of a view shows it.
    const icon = code.page.locator('.activitybar [aria-label^="Source Control"]').first();
    await eventually(async () => {
      await moveOver(icon, 20);
      await scm.box().waitFor({ timeout: 1500 });
    }, 20_000);
    await letGoOn(scm.box());
    await scm.shows(`Sort the shells [fixes #${ids[1]}]\n\nBy size.`);
    await screenshot('dropped');
  });

  it('takes the address of a story that is pasted for a marker, and can be undone', async () => {
    await showStories();
    await pane.chooseInMenu(storyRow(0), 'Copy Link');
    await code.page.locator('.statusbar', { hasText: `/story/show/${ids[0]}` }).waitFor();
    await write('Sort the shells by ');
    await code.page.keyboard.press('Control+v');
    await scm.shows(`Sort the shells by [fixes #${ids[0]}]`);
    await screenshot('pasted');
    await code.page.keyboard.press('Control+z');
    await scm.shows('Sort the shells by ');
  });

  it('takes both in the file that Git waits for', async () => {
    await writeFile(join(repository.root, 'COMMIT_EDITMSG'), 'Sort the shells\n\nBy size.\n# On branch main\n');
    await write('');
    await code.page.keyboard.press('Control+p');
    await pane.input().fill('COMMIT_EDITMSG');
    await code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'COMMIT_EDITMSG' }).first().waitFor();
    await code.page.keyboard.press('Enter');
    const editor = code.page.locator('.editor-group-container .monaco-editor .view-lines').first();
    await editor.waitFor();
    const line = (text: string) => editor.locator('.view-line', { hasText: text });
    await line('By size.').waitFor();
    await showStories();
    await takeUp(storyRow(1));
    // VS Code opens what is dropped on an editor, unless it is to go into the text.
    await code.page.keyboard.down('Shift');
    await moveOver(line('By size.'), 6);
    await screenshot('dragged-file');
    await code.page.mouse.up();
    await code.page.keyboard.up('Shift');
    await line(`Sort the shells [fixes #${ids[1]}]`).waitFor();
    await screenshot('dropped-file');
    await pane.chooseInMenu(storyRow(0), 'Copy Link');
    await code.page.locator('.statusbar', { hasText: `/story/show/${ids[0]}` }).waitFor();
    await line('By size.').click();
    await code.page.keyboard.press('Control+v');
    await line(`Sort the shells [fixes #${ids[1]} #${ids[0]}]`).waitFor();
    assert.equal(await line('http').count(), 0);
    await screenshot('pasted-file');
    await code.page.keyboard.press('Control+s');
  });

  it('misses the active story where it is not named', async () => {
    await showStories();
    await pane.chooseInMenu(storyRow(0), 'Set Active Story');
    await code.page.locator('.statusbar-item[id*="storyTracker.activeStory"]', { hasText: `#${ids[0]}` }).waitFor();
    await write('Sort the shells');
    await box().locator('.squiggly-info').first().waitFor();
    await code.page.keyboard.press('Control+.');
    const fix = code.page.locator('.action-widget .monaco-list-row', { hasText: `Add [fixes #${ids[0]}]` });
    await fix.waitFor();
    await screenshot('active');
    await fix.click();
    await scm.shows(`Sort the shells [fixes #${ids[0]}]`);
    await eventually(async () => assert.equal(await box().locator('.squiggly-info').count(), 0));
  });
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
