import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../scripts/vscode/browser.ts';
import { newProject } from '../service/support/project.ts';
import { request, textOf, texts } from '../service/support/request.ts';
import { startTestService, type TestService, type TestUser } from '../service/support/testService.ts';

const PASSWORD = 'nine green bottles';

describe('The pages of the service, in a browser', function () {
  this.timeout(120_000);
  let service: TestService;
  let ada: TestUser;
  let folder: string;
  let context: BrowserContext;
  let page: Page;
  /** What the browser complains of, such as something that the page's own policy forbids. */
  const complaints: string[] = [];

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada Lovelace');
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-pages-'));
    context = await openBrowser({ profileFolder: folder, viewport: { width: 900, height: 800 } });
    page = await context.newPage();
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  after(async () => {
    await context?.close();
    await service?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const look = async (name: string) => {
    const kept = process.env.STORY_TRACKER_PICTURES;
    if (kept === undefined) return;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(kept, `${name}-${colorScheme}.png`), fullPage: true });
    }
  };
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();

  it('lead from an invitation to a token that works', async () => {
    const projectId = await newProject(ada, 'Apollo');
    const body = '<membership><person><email>eve@example.com</email></person></membership>';
    const link = textOf(await ada.post(`/projects/${projectId}/memberships`, body), 'url');
    await page.goto(link);
    await look('invite');
    assert.match(await page.locator('main').innerText(), /Ada Lovelace invited you to Apollo/);
    await page.getByLabel('Name').fill('Eve Moneypenny');
    await page.getByLabel('Password at least').fill('password123');
    await page.getByLabel('Repeat password').fill('password123');
    await press('Join');
    await page.getByRole('alert').waitFor();
    await look('invite-refused');
    assert.match(await page.getByRole('alert').innerText(), /too easy to guess/);
    assert.equal(await page.getByLabel('Name').inputValue(), 'Eve Moneypenny');
    await page.getByLabel('Password at least').fill(PASSWORD);
    await page.getByLabel('Repeat password').fill(PASSWORD);
    await press('Join');
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    assert.match(await page.locator('main').innerText(), /Signed in as Eve Moneypenny/);
    await press('Create Token');
    const token = await page.locator('#token').innerText();
    await look('account');
    const projects = await request(`${service.url}/services/v3/projects`, { token });
    assert.equal(texts(projects, 'name')[0], 'Apollo');
  });

  it('change the password, leave a project, and let in again with the new one', async () => {
    await page.getByRole('link', { name: 'Change password' }).click();
    await look('password');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('New password at least').fill('ten green bottles');
    await page.getByLabel('Repeat new password').fill('ten green bottles');
    await press('Change Password');
    await page.getByRole('status').waitFor();
    assert.match(await page.getByRole('status').innerText(), /Your password is set/);
    await page.getByText('Leave…').click();
    await press('Leave Project');
    await page.getByText('You left the project.').waitFor();
    await press('Sign Out');
    await page.getByRole('heading', { name: 'Sign In' }).waitFor();
    await look('sign-in');
    await page.getByLabel('Email address').fill('eve@example.com');
    await page.getByLabel('Password').fill('ten green bottles');
    await press('Sign In');
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    assert.match(await page.locator('main').innerText(), /You are not a member of any project/);
    const [cookie] = await context.cookies();
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Strict']);
    const said = complaints.filter((text) => !/favicon|Failed to load resource/.test(text));
    assert.deepEqual(said, []);
  });
});
