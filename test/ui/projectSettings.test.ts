import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { beginInTheme } from './colorTheme.ts';
import { reloadWindow, runCommand } from './commandPalette.ts';
import { SettingsPage } from './settingsPage.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

/** Of those who are members in the end. */
const ROLES = ['Owner', 'Viewer', 'Owner', 'Member'];

describe('The settings of a project', () => {
  let folder: string;
  let elsewhere: RunningService;
  let code: VsCode;
  let settings: SettingsPage;

  const change = (fields: string) => elsewhere.ask('PUT', '/projects/1', `<project>${fields}</project>`);
  const told = async (element: string) =>
    elementText(await elsewhere.ask('GET', '/projects/1/settings'), element) ?? '';

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    elsewhere = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
    const jira = '<name>Issues</name><type>JIRA</type><field_name>jira_id</field_name>';
    const url = '<base_url>https://jira.example.org/browse/</base_url>';
    await elsewhere.ask('POST', '/projects/1/integrations', `<integration>${jira}${url}</integration>`);
    const moved = '<story><id>90001</id><name>Moved</name><requested_by>Ben Bitdiddle</requested_by></story>';
    await elsewhere.ask('POST', '/projects/1/imports?format=xml', `<stories type="array">${moved}</stories>`);
    code = await openBuiltInWindow(join(folder, 'data'), { folder });
    await code.page.setViewportSize({ width: 1280, height: 1100 });
    settings = new SettingsPage(code.page);
    await new StoriesPane(code.page).show();
    await new StoriesPane(code.page)
      .row(/Current/)
      .first()
      .waitFor();
  });
  after(async () => {
    await code.close();
    await elsewhere.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  async function open(): Promise<void> {
    await runCommand(code.page, 'Story Tracker: Project Settings');
    await settings.field('General', 'Name').waitFor();
  }

  it('are changed where they are read, and what is wrong is said at its field', async () => {
    await open();
    assert.deepEqual(await settings.seriousFaults(), []);
    const scale = settings.field('Planning', 'Point scale');
    await scale.fill('3, 2');
    await settings.unsaved('Planning').waitFor();
    await settings.save('Planning').click();
    await settings.refusals().filter({ hasText: 'ascending whole numbers' }).waitFor();
    await scale.fill('0, 1, 2, 3, 5, 8, 13');
    await settings.save('Planning').click();
    await eventually(async () => assert.equal(await told('point_scale'), '0,1,2,3,5,8,13'));
    await settings.unsaved('Planning').waitFor({ state: 'hidden' });
    await settings.field('Stories', 'Stories have attachments').uncheck();
    await settings.field('General', 'Name').fill('Bakery');
    await settings.save('Stories').click();
    await eventually(async () => assert.equal(await told('allow_attachments'), 'false'));
    await settings.unsaved('General').waitFor();
  });

  it('say which stories change their iteration before that is saved', async () => {
    const before = await told('iteration_length');
    await settings.field('Planning', 'Iteration length').selectOption('4');
    await settings.save('Planning').click();
    const dialog = code.page.locator('.monaco-dialog-box');
    await dialog.filter({ hasText: /change their iteration/ }).waitFor();
    assert.match((await dialog.textContent()) ?? '', /#\d+ .*iteration/);
    await code.page.screenshot({ path: join(screenshots, 'projectSettings-plan.png') });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await told('iteration_length'), before);
    await settings.button('Planning', 'Discard changes to Planning').click();
  });

  it('show both values where someone else changed the same', async () => {
    const name = settings.field('General', 'Name');
    await name.fill('Mine');
    await change('<name>Theirs</name><enable_tasks>false</enable_tasks>');
    await settings.save('General').click();
    await settings.theirs().filter({ hasText: 'Theirs' }).waitFor();
    assert.equal(await told('name'), 'Theirs');
    await code.page.screenshot({ path: join(screenshots, 'projectSettings-conflict.png') });
    await settings.button('General', 'Keep Mine').click();
    await settings.save('General').click();
    await eventually(async () => assert.equal(await told('name'), 'Mine'));
    assert.equal(await settings.field('Stories', 'Stories have tasks').isChecked(), false);
  });

  it('keep what is typed over a reload of the window', async () => {
    await settings.field('Planning', 'Initial velocity').fill('21');
    await settings.unsaved('Planning').waitFor();
    await reloadWindow(code.page);
    const velocity = settings.field('Planning', 'Initial velocity');
    await velocity.waitFor({ timeout: 60_000 });
    await eventually(async () => assert.equal(await velocity.inputValue(), '21'), 30_000);
    await settings.unsaved('Planning').waitFor();
    await settings.button('Planning', 'Discard changes to Planning').click();
  });

  it('hold members and integrations', async () => {
    await settings.field('Members', 'Email address').fill('nobody');
    await settings.button('Members', 'Add Member').click();
    await settings.refusals().filter({ hasText: 'email address' }).waitFor();
    await settings.button('Integrations', 'Retire Issues').click();
    await settings.button('Integrations', 'Use Again: Issues').waitFor();
    await settings.button('Integrations', 'Remove Issues').click();
    const dialog = code.page.locator('.monaco-dialog-box', { hasText: 'Remove the integration Issues?' });
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await settings.button('Integrations', 'Use Again: Issues').waitFor({ state: 'detached' });
    await settings.button('Integrations', 'Add Integration').click();
    await settings.field('Integrations', 'Name').fill('Bugs');
    await settings.field('Integrations', "Start of a ticket's URL").fill('ftp://x');
    await settings.button('Integrations', 'Save').click();
    await settings.refusals().filter({ hasText: 'begins with https' }).waitFor();
    await settings.field('Integrations', "Start of a ticket's URL").fill('https://bugs.example.org/');
    await settings.button('Integrations', 'Save').click();
    await settings.button('Integrations', 'Retire Bugs').waitFor();
  });

  it('invite who has no password, and ask before a member is removed', async () => {
    const email = settings.field('Members', 'Email address');
    await email.fill('ben@example.org');
    // The next address is typed before the first is answered.
    await email.evaluate((element) => {
      const input = element as unknown as EventTarget & { value: string; readonly form: { requestSubmit(): void } };
      input.form.requestSubmit();
      input.value = 'next@example.org';
      input.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await settings
      .invitation()
      .filter({ hasText: /^http:\/\/127\.0\.0\.1:\d+\/\S+$/ })
      .waitFor();
    assert.equal(await email.inputValue(), 'next@example.org');
    assert.equal(await settings.button('Members', 'Add Member').isEnabled(), true);
    await email.fill('');
    await settings
      .section('Members')
      .getByText(
        /on this computer only\. Others can join once you move the project to a team server\. The link works once, until .*\d/,
      )
      .waitFor();
    await settings.button('Members', 'Copy Link').click();
    await code.page.screenshot({ path: join(screenshots, 'projectSettings-invited.png') });
    await settings.button('Members', 'Remove Tobin Ashgrove').click();
    const dialog = code.page.locator('.monaco-dialog-box');
    await dialog.filter({ hasText: 'Remove Tobin Ashgrove from this project?' }).waitFor();
    assert.match((await dialog.textContent()) ?? '', /They own \d+ stories that are not accepted/);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await settings.button('Members', 'Remove Tobin Ashgrove').waitFor({ state: 'detached' });
    await settings.field('Members', 'Role of Ines Quillard').selectOption('Viewer');
    const roles = async () => (await elsewhere.ask('GET', '/projects/1/memberships')).match(/<role>\w+/g);
    await eventually(async () =>
      assert.deepEqual(
        await roles(),
        ROLES.map((role) => `<role>${role}`),
      ),
    );
  });

  it('match a name that an import kept to a member, after saying how many stories that are', async () => {
    const name = settings.field('Members', 'Who is Ben Bitdiddle?');
    const dialog = code.page.locator('.monaco-dialog-box');
    await name.selectOption('ben@example.org');
    await dialog.filter({ hasText: 'Is Ben Bitdiddle the member ben@example.org?' }).waitFor();
    assert.match((await dialog.textContent()) ?? '', /1 story with this name/);
    await code.page.screenshot({ path: join(screenshots, 'projectSettings-name.png') });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await eventually(async () => assert.equal(await name.inputValue(), ''));
    await name.selectOption('ben@example.org');
    await dialog.getByRole('button', { name: 'Match' }).click();
    await name.waitFor({ state: 'detached' });
    const story = await elsewhere.ask('GET', '/projects/1/stories/90001');
    assert.equal(elementText(story, 'requested_by'), 'Ben Bitdiddle');
  });

  it('lead to importing, exporting, moving to a server and backing up', async () => {
    const names = ['Import Stories…', 'Export Project…', 'Move to a Server…', 'Back Up the Built-in Service…'];
    for (const name of names) await settings.button('Import, Export and Move', name).waitFor();
    await settings.button('Import, Export and Move', 'Import Stories…').click();
    const question = code.page.getByPlaceholder('What do you want to import?');
    await question.waitFor();
    await question.press('Escape');
    await question.waitFor({ state: 'hidden' });
  });

  for (const [name, theme] of [
    ['light', 'Default Light Modern'],
    ['dark', 'Default Dark Modern'],
    ['high-contrast', 'Default High Contrast'],
  ] as const) {
    it(`look well in ${name}, with nothing that axe takes for serious`, async () => {
      await beginInTheme(code, folder, theme);
      await open();
      await settings.button('Planning', 'Add Iteration').click();
      await code.page.screenshot({ path: join(screenshots, `projectSettings-${name}.png`) });
      assert.deepEqual(await settings.seriousFaults(), []);
      await settings.section('Integrations').scrollIntoViewIfNeeded();
      await code.page.screenshot({ path: join(screenshots, `projectSettings-${name}-below.png`) });
      await settings.button('Planning', 'Discard changes to Planning').click();
    });
  }

  it('are only read by who is no owner, and look so', async () => {
    await beginInTheme(code, folder, 'Default Dark Modern');
    await open();
    const members = await elsewhere.ask('GET', '/projects/1/memberships');
    const [, own = ''] = /<id>(\d+)<\/id>\s*<person>\s*<email>you@localhost</.exec(members) ?? [];
    await elsewhere.ask('PUT', `/projects/1/memberships/${own}`, '<membership><role>Viewer</role></membership>');
    await settings.save('Stories').waitFor();
    await runCommand(code.page, 'Story Tracker: Refresh');
    await settings.notice().filter({ hasText: 'You are a Viewer of this project.' }).waitFor({ timeout: 30_000 });
    assert.equal(await settings.field('General', 'Name').isDisabled(), true);
    await settings.save('General').waitFor({ state: 'hidden' });
    await settings.section('Web Hook').waitFor({ state: 'hidden' });
    await code.page.screenshot({ path: join(screenshots, 'projectSettings-readOnly.png') });
    assert.deepEqual(await settings.seriousFaults(), []);
  });
});
