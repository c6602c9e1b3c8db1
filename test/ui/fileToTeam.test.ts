import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../../scripts/vscode/browser.ts';
import { runService, type ServiceProcess } from '../service/support/serviceProcess.ts';
import { type HostedExport, PEOPLE, writeHostedExport } from '../support/builders/hostedExport.ts';
import { eventually } from '../support/eventually.ts';
import type { GitRepositoryFolder } from '../support/git/gitRepository.ts';
import { workspaceRepository } from '../support/git/workspaceRepository.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { runCommand } from './commandPalette.ts';
import { chooseFolder } from './fileDialog.ts';
import { SettingsPage } from './settingsPage.ts';
import { StoriesPane } from './storiesPane.ts';
import { TeamOffice } from './teamOffice.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');
const script = join(root, 'dist/service.js');
const PASSWORD = 'nine green bottles';
const SCALE = '0, 1, 2, 3, 5, 8, 13';
/** Milliseconds that all stories may take from one place to another, on a machine that is busy with other things. */
const PATIENCE = 120_000;

interface Person {
  readonly name: string;
  readonly code: VsCode;
  readonly pane: StoriesPane;
}

describe('Stories of a file that become the project of a team', function () {
  this.timeout(2 * PATIENCE);
  let office: TeamOffice;
  let servers: readonly ServiceProcess[];
  let brought: HostedExport;
  let repository: GitRepositoryFolder;
  let maren: Person;
  const people: Person[] = [];
  const invitations = new Map<string, string>();
  const invited = ['Ben Okafor', 'Priya Raman'];

  const emailOf = (name: string) => `${name.toLowerCase().replace(' ', '.')}@example.org`;
  const screenshot = async ({ code, pane }: Person, what: string): Promise<void> => {
    await pane.settle();
    await code.page.screenshot({ path: join(screenshots, `fileToTeam-${what}.png`) });
  };
  const toast = ({ code }: Person, text: RegExp) => code.page.locator('.notification-toast', { hasText: text });
  const listed = ({ code }: Person, text: string) =>
    code.page.locator('.quick-input-list .monaco-list-row', { hasText: text });
  const dialog = ({ code }: Person) => code.page.locator('.monaco-dialog-box');

  /** The row of the story is selected, and on screen. */
  const isShown = ({ pane }: Person, story: string): Promise<void> =>
    eventually(
      async () => assert.ok((await pane.selectedNames()).some((row) => row.includes(`, ${story}, `))),
      PATIENCE,
    );

  async function window(name: string): Promise<Person> {
    const userSettings = {
      'workbench.hover.delay': 100,
      'storyTracker.builtIn.dataFolder': join(office.folder, 'built-in'),
      'storyTracker.extraCertificates': [office.authority.file],
    };
    const code = await openVsCode({ folder: repository.root, extensionPath: root, installed: true, userSettings });
    const person = { name, code, pane: new StoriesPane(code.page) };
    people.push(person);
    await person.pane.show();
    return person;
  }

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    office = await TeamOffice.open();
    brought = await writeHostedExport(join(office.folder, 'export'), Date.now());
    repository = await workspaceRepository();
    await repository.commit(`Ring the bell [fixes #${brought.started[0]?.id}]`, 'bell.txt');
    const owner = ['--name', 'Maren Holt', '--email', emailOf('Maren Holt')];
    await office.command(['user', 'add', ...owner, '--password-stdin'], PASSWORD);
    servers = [await office.serve(), await office.serve()];
    maren = await window('Maren Holt');
  });
  after(async () => {
    await Promise.all(people.map(({ code }) => code.close()));
    await office.close();
    await repository.remove();
  });

  it('are shown before they come, and come with their files into the built-in service', async () => {
    const { code, pane } = maren;
    await pane.welcomeButton('Use the Built-in Service').click();
    await pane.choose('Import Stories…');
    await pane.choose('A Folder with Attachments…');
    await chooseFolder(code.page, 'Import', brought.folder);
    await code.page.locator('.quick-input-widget', { hasText: 'Name of the new project' }).waitFor();
    await pane.answer('Harbor');
    await listed(maren, 'Import 3,000 stories').waitFor({ timeout: PATIENCE });
    assert.match(await pane.question(), /Import into a New Project, Harbor/);
    assert.match(await pane.question(), / · 12 files · 2,000 accepted, 12 started, 488 unstarted, 500 unscheduled/);
    await screenshot(maren, 'preview');
    for (const name of PEOPLE) {
      await pane.input().fill(name);
      await listed(maren, name).waitFor();
    }
    await pane.input().fill('Maren');
    await pane.choose('Maren Holt');
    await code.page.locator('.quick-input-widget', { has: code.page.getByPlaceholder('Who is Maren Holt?') }).waitFor();
    await screenshot(maren, 'match');
    await pane.choose('(You)');
    await listed(maren, 'you@localhost').waitFor();
    const progress = toast(maren, /Importing harbor\.csv/).waitFor();
    await pane.choose('Import 3,000 stories');
    await progress;
    await code.page.screenshot({ path: join(screenshots, 'fileToTeam-progress.png') });
    await toast(maren, /Imported 3,000 stories into Harbor\. Attached 12 files\./).waitFor({ timeout: PATIENCE });
    await isShown(maren, brought.started[0]?.name ?? '');
    await screenshot(maren, 'imported');
  });

  it('are planned by other settings, after a look at what that changes', async () => {
    const { code } = maren;
    const settings = new SettingsPage(code.page);
    await runCommand(code.page, 'Story Tracker: Project Settings');
    await settings.field('Planning', 'Point scale').fill(SCALE);
    await settings.field('Planning', 'Iteration length').selectOption('2');
    await settings.save('Planning').click();
    await dialog(maren)
      .filter({ hasText: /stories change their iteration/ })
      .waitFor({ timeout: PATIENCE });
    await screenshot(maren, 'plan');
    await dialog(maren).getByRole('button', { name: 'Save' }).click();
    await settings.unsaved('Planning').waitFor({ state: 'hidden' });
    await settings.button('Integrations', 'Add Integration').click();
    await settings.field('Integrations', 'Name').fill('Bugs');
    await settings.field('Integrations', "Start of a ticket's URL").fill('https://bugs.example.org/');
    await settings.button('Integrations', 'Save').click();
    await settings.button('Integrations', 'Retire Bugs').waitFor();
    await screenshot(maren, 'settings');
  });

  it('are all in a backup, which is restored into another folder', async () => {
    const { code } = maren;
    const backups = join(office.folder, 'backups');
    await mkdir(backups);
    await runCommand(code.page, 'Story Tracker: Back Up the Built-in Service…');
    await chooseFolder(code.page, 'Back Up Here', backups);
    await toast(maren, /Backed up to .*story-tracker-/).waitFor({ timeout: PATIENCE });
    await screenshot(maren, 'backup');
    const [made = ''] = await readdir(backups);
    const restored = join(office.folder, 'restored');
    const restore = await runService(['restore', join(backups, made), '--data', restored], '', {}, script);
    assert.match(restore.stdout, /Restored all data, with 12 attached files,/, restore.stderr);
    const args = ['export', '--project', '1', '--format', 'csv', '--data', restored];
    const { stdout } = await runService(args, '', {}, script);
    assert.equal(stdout.match(/^4\d{4},[^,]/gm)?.length, brought.stories);
    const check = await runService(['files', 'check', '--data', restored], '', {}, script);
    assert.equal(check.code, 0, check.stdout);
  });

  it('move to a server with their numbers and files, and the old project is put out of sight', async () => {
    const { code, pane } = maren;
    await runCommand(code.page, 'View: Close All Editors');
    await runCommand(code.page, 'Story Tracker: Sign In…');
    await pane.choose('Server…');
    await pane.signInByPassword(servers[0]?.url ?? '', emailOf('Maren Holt'), PASSWORD);
    await code.page.locator('.statusbar', { hasText: 'Signed in to 127.0.0.1' }).waitFor();
    await runCommand(code.page, 'Story Tracker: Move to a Server…');
    await dialog(maren)
      .filter({ hasText: /Move Harbor with 3,000 stories to 127\.0\.0\.1/ })
      .waitFor({ timeout: PATIENCE });
    assert.match((await dialog(maren).textContent()) ?? '', /All stories keep their IDs/);
    await screenshot(maren, 'move');
    await dialog(maren).getByRole('button', { name: 'Move' }).click();
    const moved = toast(maren, /Moved Harbor to .*: 3,000 stories, 12 files\./);
    await moved.waitFor({ timeout: PATIENCE });
    await isShown(maren, brought.started[0]?.name ?? '');
    await screenshot(maren, 'moved');
    await moved.getByRole('button', { name: 'Hide the Old Project' }).click();
    await eventually(async () => {
      await pane.scrollToTop();
      assert.match((await pane.names())[0] ?? '', /^Project Harbor(?!, Built-in)/);
    }, PATIENCE);
    await screenshot(maren, 'hidden');
  });

  it('are there for two more people, whom the owner adds by their addresses', async () => {
    const { code, pane } = maren;
    const settings = new SettingsPage(code.page);
    await pane.chooseInMenu(pane.row(/^Project Harbor/), 'Project Settings');
    await settings.field('Planning', 'Point scale').waitFor();
    assert.equal((await settings.field('Planning', 'Point scale').inputValue()).replaceAll(' ', ''), '0,1,2,3,5,8,13');
    await settings.button('Integrations', 'Retire Bugs').waitFor();
    await settings.section('Integrations').getByText('https://bugs.example.org/').waitFor();
    for (const name of invited) {
      await settings.field('Members', 'Email address').fill(emailOf(name));
      await settings.button('Members', 'Add Member').click();
      const link = await eventually(async () => {
        const text = await settings.invitation().innerText({ timeout: 1000 });
        assert.ok(text.startsWith('https://127.0.0.1:') && ![...invitations.values()].includes(text));
        return text;
      });
      invitations.set(name, link);
    }
    await screenshot(maren, 'invited');
  });

  it('are seen by them, who set a password in the browser and sign in on different processes', async () => {
    for (const [index, name] of invited.entries()) {
      await followInvitation(name);
      const person = await window(name);
      await person.pane.welcomeButton('Sign In to a Server…').click();
      await person.pane.signInByPassword(servers[index]?.url ?? '', emailOf(name), PASSWORD);
      await person.pane.row(/^Project Harbor/).waitFor({ timeout: PATIENCE });
      for (const { name: story } of brought.started.slice(0, 2))
        await person.pane.row(new RegExp(`, ${story}, `)).waitFor({ timeout: PATIENCE });
      await screenshot(person, name.split(' ')[0]?.toLowerCase() ?? '');
    }
  });

  async function followInvitation(name: string): Promise<void> {
    const profileFolder = join(office.folder, `browser of ${name}`);
    const viewport = { width: 900, height: 800 };
    const context = await openBrowser({ profileFolder, viewport, ignoresCertificates: true });
    try {
      const page = await context.newPage();
      await page.goto(invitations.get(name) ?? '');
      assert.match(await page.locator('main').innerText(), /Maren Holt invited you to Harbor/);
      await page.getByLabel('Name').fill(name);
      await page.getByLabel('Password at least').fill(PASSWORD);
      await page.getByLabel('Repeat password').fill(PASSWORD);
      await page.screenshot({ path: join(screenshots, `fileToTeam-join-${invited.indexOf(name)}.png`) });
      await page.getByRole('button', { name: 'Join', exact: true }).click();
      await page.getByRole('heading', { name: 'Account' }).waitFor();
      assert.match(await page.locator('main').innerText(), new RegExp(`Signed in as ${name}`));
    } finally {
      await context.close();
    }
  }

  it('are where commits from before lead, in the window of someone who has only the server', async () => {
    const ben = people.find(({ name }) => name === invited[0]);
    assert.ok(ben);
    const { page } = ben.code;
    const tab = page.locator('.tab.active', { hasText: `#${brought.started[0]?.id}` });
    await runCommand(page, 'Source Control: Focus on Graph View');
    const commit = page.locator('.scm-history-view .monaco-list-row', { hasText: 'Ring the bell' });
    await commit.waitFor();
    const hover = page.locator('.monaco-hover', { hasText: 'Ring the bell' }).filter({ visible: true }).first();
    // Git tells of the commit anew when its repository is read again, and the hover of what was there before goes then.
    await eventually(async () => {
      if (await tab.isVisible()) return;
      await page.mouse.move(700, 500);
      await commit.hover({ timeout: 5_000 });
      await hover.locator('a', { hasText: 'Open Story' }).click({ timeout: 5_000 });
      await tab.waitFor({ timeout: 5_000 });
    }, 90_000);
    await screenshot(ben, 'commit');
  });
});
