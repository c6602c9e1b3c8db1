import assert from 'node:assert/strict';
import { appendFile, chmod, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import type { GitRepositoryFolder } from '../support/git/gitRepository.ts';
import { workspaceRepository } from '../support/git/workspaceRepository.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { runCommand } from './commandPalette.ts';
import { RepositoryPane } from './repositoryPane.ts';
import { SourceControlPane } from './sourceControlPane.ts';
import { StoriesPane } from './storiesPane.ts';
import { StoryPage } from './storyPage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('Commits and stories in a real window', () => {
  let data: string;
  let repository: GitRepositoryFolder;
  let service: RunningService;
  let code: VsCode;
  let pane: StoriesPane;
  let scm: SourceControlPane;
  let id: number;
  let name: string;

  const screenshot = (title: string) => code.page.screenshot({ path: join(screenshots, `commits-${title}.png`) });
  const message = async () => (await repository.git('log', '-1', '--format=%B')).trim();
  const story = () => service.ask('GET', `/projects/1/stories/${id}`);

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    data = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    service = await runningService(join(root, 'dist/service.js'), data);
    const current = await service.ask('GET', '/projects/1/iterations/current');
    const started = current
      .split(/<story>/)
      .find((xml) => /started<\/current_state>/.test(xml) && xml.includes('>feature<'));
    id = Number(elementText(started ?? '', 'id'));
    name = elementText(started ?? '', 'name') ?? '';
    repository = await workspaceRepository();
    await repository.commit('Say what it is for', 'README.md');
    code = await openBuiltInWindow(data, {
      folder: repository.root,
    });
    pane = new StoriesPane(code.page);
    scm = new SourceControlPane(code.page);
  });
  after(async () => {
    await code.close();
    await service.stop();
    await repository.remove();
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  });

  it('names a story from the tree in the commit message, commits, links: the story has the comment and is finished', async () => {
    await pane.show();
    const row = pane.row(new RegExp(`#${id}\\b|${escaped(name)}`)).first();
    await row.waitFor();
    await row.hover();
    await screenshot('story');
    // Rows that are still coming move this one away from the mouse.
    await eventually(async () => {
      await row.hover();
      await row.getByRole('button', { name: /^Insert Marker/ }).click({ timeout: 1000 });
    });
    await code.page.locator('.statusbar', { hasText: `Added [fixes #${id}]` }).waitFor();
    await screenshot('inserted');

    await writeFile(join(repository.root, 'tide.txt'), 'High water at noon.\n');
    await scm.show();
    await scm.shows(`[fixes #${id}]`);
    await scm.box().click();
    await code.page.keyboard.press('Control+Home');
    await code.page.keyboard.type('Tell the tide');
    await scm.shows(`Tell the tide [fixes #${id}]`);
    await scm.change('tide.txt');
    await screenshot('message');
    await scm.commit();
    await eventually(async () => assert.equal(await message(), `Tell the tide [fixes #${id}]`));
    assert.equal((await repository.git('rev-list', '--count', 'HEAD')).trim(), '3');

    await runCommand(code.page, 'Link Existing Commits');
    const item = code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Tell the tide' });
    await item.waitFor();
    await screenshot('pick');
    await item.click();
    await code.page.keyboard.press('Enter');
    await code.page.locator('.statusbar', { hasText: `Linked 1 commit to #${id}, finished.` }).waitFor();
    const linked = await story();
    assert.equal(elementText(linked, 'current_state'), 'finished');
    assert.ok(linked.includes((await repository.git('rev-parse', 'HEAD')).trim()));
    await pane.show();
    await pane.row(new RegExp(`^Feature, finished, .*${escaped(name)}`)).waitFor();
    await pane.settle();
    await screenshot('finished');

    const hash = (await repository.git('rev-parse', 'HEAD')).trim().slice(0, 7);
    await pane.row(new RegExp(`^Feature, finished, .*${escaped(name)}`)).click();
    await code.page.keyboard.press('ArrowRight');
    await pane
      .row(new RegExp(`^Commit, linked, .*${hash}, Tell the tide`))
      .first()
      .click();
    await code.page.locator('.tab.active', { hasText: `${hash} - Tell the tide` }).waitFor();
    await code.page.locator('.multiDiffEntry', { hasText: 'tide.txt' }).waitFor();
    await screenshot('opened-commit');
    await runCommand(code.page, 'View: Close All Editors');
    await pane.row(new RegExp(`^Feature, finished, .*${escaped(name)}`)).dblclick();
    await new StoryPage(code.page).commit(hash).click();
    await code.page.locator('.tab.active', { hasText: `${hash} - Tell the tide` }).waitFor();
    await runCommand(code.page, 'View: Close All Editors');
  });

  it('keeps the cursor and every word when the marker comes while one is typing', async () => {
    await writeFile(join(repository.root, 'tide.txt'), 'High water at one.\n');
    await scm.show();
    await scm.box().click();
    await code.page.keyboard.type('Move noon');
    await code.page.keyboard.press('Enter');
    await code.page.keyboard.press('Enter');
    await code.page.keyboard.type('The moon is late, ');
    await code.page.keyboard.press('Control+Alt+m');
    await pane.input().fill(name);
    await code.page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().waitFor();
    await screenshot('pick-story');
    await code.page.keyboard.press('Enter');
    await scm.shows(`Move noon [fixes #${id}]\nThe moon is late,`);
    await code.page.keyboard.type('as ever.');
    await scm.shows(`Move noon [fixes #${id}]\nThe moon is late, as ever.`);
    await scm.change('tide.txt');
    await scm.commit();
    await eventually(async () =>
      assert.equal(await message(), `Move noon [fixes #${id}]\n\nThe moon is late, as ever.`),
    );
  });

  it('proposes stories behind # while one is typing', async () => {
    await writeFile(join(repository.root, 'tide.txt'), 'High water at two.\n');
    await scm.show();
    await scm.box().click();
    await code.page.keyboard.type(`Again #${id}`, { delay: 60 });
    const proposal = code.page.locator('.suggest-widget.visible .monaco-list-row', { hasText: `#${id}` }).first();
    await proposal.waitFor();
    await screenshot('completion');
    await code.page.keyboard.press('Enter');
    await scm.shows(`Again [fixes #${id}]`);
    await scm.change('tide.txt');
    await scm.commit();
    await eventually(async () => assert.equal(await message(), `Again [fixes #${id}]`));
  });

  it('proposes stories at a word when asked to', async () => {
    await scm.show();
    await scm.box().click();
    const word = /\p{L}{4,}/u.exec(name)?.[0] ?? '';
    await code.page.keyboard.type(`About ${word}`, { delay: 60 });
    await scm.shows(`About ${word}`);
    assert.equal(await code.page.locator('.suggest-widget.visible').count(), 0, 'nothing pops up while one types');
    await code.page.keyboard.press('Control+Space');
    await code.page
      .locator('.suggest-widget.visible .monaco-list-row', { hasText: `#${id}` })
      .first()
      .click();
    await scm.shows(`About [fixes #${id}]`);
    await code.page.keyboard.press('Control+a');
    await code.page.keyboard.press('Delete');
    await scm.shows('');
  });

  it('asks for a story for commits that name none, and shows which are linked', async () => {
    await runCommand(code.page, 'Link Existing Commits');
    await code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Say what it is for' }).click();
    await screenshot('linked-before');
    await code.page.keyboard.press('Enter');
    await pane.input().fill(name);
    await code.page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().waitFor();
    await code.page.keyboard.press('Enter');
    await code.page.locator('.statusbar', { hasText: 'Linked 1 commit to' }).waitFor();
    assert.ok((await story()).includes(`Say what it is for [fixes #${id}]`));
    assert.equal((await repository.git('log', '-1', '--format=%s', 'HEAD~3')).trim(), 'Say what it is for');
  });

  it('names all selected stories when the key is pressed in the tree', async () => {
    await pane.show();
    const unstarted = pane.row(/^(Feature|Bug|Chore), unstarted, /);
    await unstarted.nth(0).click();
    await unstarted.nth(1).click({ modifiers: ['Control'] });
    await pane.settle();
    await code.page.keyboard.press('Control+Alt+m');
    const status = code.page.locator('.statusbar', { hasText: /Added \[fixes #\d+ #\d+\]/ });
    await status.waitFor();
    const [marker = ''] = /\[fixes [^\]]+\]/.exec((await status.textContent()) ?? '') ?? [];
    assert.equal(await pane.row(new RegExp(escaped(name))).isVisible(), true, 'the view stays');
    await scm.show();
    await scm.shows(marker);
    await screenshot('several');
  });

  it('proposes stories in a window where nothing else of the extension was used', async () => {
    code = await code.restart();
    pane = new StoriesPane(code.page);
    scm = new SourceControlPane(code.page);
    // VS Code may show another view than the last one.
    await scm.show();
    await scm.box().click();
    await code.page.keyboard.press('Control+a');
    await eventually(async () => {
      await code.page.keyboard.press('Escape');
      await code.page.keyboard.press('Control+a');
      await code.page.keyboard.type(`#${id}`, { delay: 60 });
      await code.page
        .locator('.suggest-widget.visible .monaco-list-row', { hasText: `#${id}` })
        .waitFor({ timeout: 3000 });
    }, 30_000);
  });
});

describe('Commits in the second of two repositories', () => {
  let data: string;
  let folder: string;
  let service: RunningService;
  let second: GitRepositoryFolder;
  let code: VsCode;
  let pane: StoriesPane;
  let id: number;
  let name: string;

  const template = 'Why:\n\n# Dropped by VS Code\nHow it was tried:\n';

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    data = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    folder = await realpath(await mkdtemp(join(tmpdir(), 'story-tracker-two-')));
    service = await runningService(join(root, 'dist/service.js'), data);
    const current = await service.ask('GET', '/projects/1/iterations/current');
    const started = current.split(/<story>/).find((xml) => /started<\/current_state>/.test(xml)) ?? '';
    id = Number(elementText(started, 'id'));
    name = elementText(started, 'name') ?? '';
    await workspaceRepository(join(folder, 'first'));
    second = await workspaceRepository(join(folder, 'second'));
    await second.commit('Chart the coast', 'coast.txt');
    await writeFile(join(folder, 'template.txt'), template);
    await second.git('config', 'commit.template', join(folder, 'template.txt'));
    await writeFile(join(second.root, 'tide.txt'), 'High water at noon.\n');
    code = await openBuiltInWindow(data, {
      folder,
      userSettings: { 'scm.alwaysShowRepositories': true, 'scm.alwaysShowActions': true },
    });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane
      .row(new RegExp(escaped(name)))
      .first()
      .waitFor();
    await code.page
      .locator('.activitybar [aria-label^="Source Control"]')
      .first()
      .click({ position: { x: 4, y: 4 } });
  });
  after(async () => {
    await code.close();
    await service.stop();
    for (const one of [folder, data]) await rm(one, { recursive: true, force: true, maxRetries: 5 });
  });

  const one = () => new RepositoryPane(code.page, 'first');
  const other = () => new RepositoryPane(code.page, 'second');

  async function pickStory(): Promise<void> {
    await pane.input().fill(name);
    await code.page.locator('.quick-input-list .monaco-list-row', { hasText: name }).first().waitFor();
    await code.page.keyboard.press('Enter');
    await code.page
      .locator('.statusbar', { hasText: `Added [fixes #${id}] to the commit message of second` })
      .waitFor();
  }

  it('come to the repository whose button was pressed, with text, template and all', async () => {
    await other().shows('Why:\nHow it was tried:');
    await (await other().box()).click();
    await code.page.keyboard.press('Control+Home');
    await code.page.keyboard.type('Tell the tide');
    await code.page.keyboard.press('Enter');
    await code.page.keyboard.press('Enter');
    await other().shows('Tell the tide\nWhy:\nHow it was tried:');
    await (await one().box()).click();
    await other().press(/^Insert Marker/);
    await pickStory();
    await other().shows(`Tell the tide [fixes #${id}]\nWhy:\nHow it was tried:`);
    await one().shows('');
    await pane.settle();
    await code.page.screenshot({ path: join(screenshots, 'commits-second.png') });
    await (await other().box()).click();
    await other().chooseMore('Remove Marker');
    await other().shows('Tell the tide\nWhy:\nHow it was tried:');
  });

  it('come by key to the one whose box one is typing in, behind the cursor that stays where it is', async () => {
    await (await other().box()).locator('.view-line', { hasText: 'Why:' }).click();
    await code.page.keyboard.press('End');
    await code.page.keyboard.type(' it ');
    await code.page.keyboard.press('Control+Alt+m');
    await pickStory();
    await other().shows(`Tell the tide [fixes #${id}]\nWhy: it\nHow it was tried:`);
    await code.page.keyboard.type('floods');
    await other().shows(`Tell the tide [fixes #${id}]\nWhy: it floods\nHow it was tried:`);
    await one().shows('');
  });

  it('are listed for the repository in whose menu one asks', async () => {
    await one().chooseMore('Link Existing Commits');
    const commits = code.page.locator('.quick-input-list .monaco-list-row');
    await commits.filter({ hasText: 'Begin the project' }).waitFor();
    assert.equal(await commits.filter({ hasText: 'Chart the coast' }).count(), 0);
    await code.page.keyboard.press('Escape');
    await other().chooseMore('Link Existing Commits');
    await commits.filter({ hasText: 'Chart the coast' }).waitFor();
    await code.page.keyboard.press('Escape');
  });

  it('keep the marker of the one that is selected when a file of another is open', async () => {
    await other().chooseMore('Remove Marker');
    await other().shows('Tell the tide\nWhy: it floods\nHow it was tried:');
    await code.page.keyboard.press('Control+p');
    await pane.input().fill('first README.md');
    await code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'first' }).first().waitFor();
    await code.page.keyboard.press('Enter');
    await code.page.locator('.editor-group-container .tab.active', { hasText: 'README.md' }).waitFor();
    // A commit box that still has the focus would be emptied by Escape.
    await code.page.locator('.editor-group-container .view-lines').first().click();
    await runCommand(code.page, 'Story Tracker: Insert Marker');
    await pickStory();
    await other().shows(`Tell the tide [fixes #${id}]\nWhy: it floods\nHow it was tried:`);
    await one().shows('');
  });
});

describe('Commits in Restricted Mode', () => {
  let repository: GitRepositoryFolder;
  let aside: string;
  let code: VsCode;

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    aside = await mkdtemp(join(tmpdir(), 'story-tracker-hostile-'));
    repository = await workspaceRepository();
    const program = join(aside, 'program');
    await writeFile(program, `#!/bin/sh\necho run >> ${join(aside, 'left')}\nexit 1\n`);
    await chmod(program, 0o755);
    await appendFile(
      join(repository.root, '.git/config'),
      `[core]\nfsmonitor = ${program}\npager = ${program}\nsshCommand = ${program}\nhooksPath = ${aside}\n[diff]\nexternal = ${program}\n`,
    );
    await writeFile(join(repository.root, 'changed.txt'), 'changed');
    code = await openVsCode({ folder: repository.root, extensionPath: root, trust: false, installed: true });
    await code.page.locator('.monaco-workbench .part.sidebar .monaco-list-row').first().waitFor();
  });
  after(async () => {
    await code.close();
    await repository.remove();
    await rm(aside, { recursive: true, force: true });
  });

  for (const title of ['Insert Marker', 'Remove Marker', 'Link Existing Commits']) {
    it(`${title} says why it does nothing, and nothing of the folder is run`, async () => {
      await runCommand(code.page, `Story Tracker: ${title}`);
      const toast = code.page.locator('.notification-toast', { hasText: 'Git is not used in Restricted Mode.' });
      await toast.waitFor();
      await toast.hover();
      await sleep(500);
      await code.page.screenshot({
        path: join(screenshots, `commits-restricted-${title.split(' ')[0]?.toLowerCase()}.png`),
      });
      await toast.locator('.codicon-notifications-clear').click();
      assert.ok(!(await readdir(aside)).includes('left'));
    });
  }
});

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
