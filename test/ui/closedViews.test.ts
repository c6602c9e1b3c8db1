import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { type Colleague, colleague } from '../support/servers/colleague.ts';
import { elementText } from '../support/servers/runningService.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { ActivityPane } from './activityPane.ts';
import { runCommand } from './commandPalette.ts';
import { CommitWorkspace } from './commitWorkspace.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');
const script = join(root, 'dist/service.js');
/** Milliseconds after which even a window that nobody looks at has asked for news. */
const SEEN = 90_000;

describe('Windows whose views stay closed', function () {
  this.timeout(4 * SEEN);
  let workspace: CommitWorkspace;
  let bo: Colleague;
  let id: string;
  let code: VsCode;

  const screenshot = (name: string) => code.page.screenshot({ path: join(screenshots, `closedViews-${name}.png`) });
  const toasts = (page: Page) => page.locator('.notification-toast', { hasText: 'Bake bread' });
  const badge = (page: Page) => new ActivityPane(page).badge();
  const timesCreated = async (name: string) => {
    const stories = await workspace.ask('GET', '/projects/1/stories?limit=500');
    return stories.split(`<name>${name}</name>`).length - 1;
  };

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    workspace = await CommitWorkspace.create(script);
    const service = {
      ...{ url: workspace.url, token: workspace.token, stop: async () => {} },
      ask: (...asked: Parameters<CommitWorkspace['ask']>) => workspace.ask(...asked),
    };
    bo = await colleague(script, { service, dataFolder: workspace.beside('data'), name: 'Bo Marsh' });
    const fields = '<story_type>feature</story_type><current_state>unscheduled</current_state>';
    const story = await workspace.ask('POST', '/projects/1/stories', `<story><name>Bake bread</name>${fields}</story>`);
    id = elementText(story, 'id') ?? '';
    const userSettings = { 'storyTracker.pollSeconds': 5, 'storyTracker.notifications': ['assigned'] };
    // Installed, so that notifications are shown.
    code = await openVsCode({ folder: workspace.root, extensionPath: root, userSettings, installed: true });
    const pane = new StoriesPane(code.page);
    await pane.show();
    await pane.signIn(workspace.url.replace('http://', ''), workspace.token);
    await pane
      .row(/^Icebox, [1-9]/)
      .first()
      .waitFor();
  });
  after(async () => {
    await code.close();
    await workspace.remove();
  });

  it('send what a killed window left unsent, once', async () => {
    const pane = new StoriesPane(code.page);
    await workspace.goAway();
    await runCommand(code.page, 'Story Tracker: Quick Add Story…');
    await pane.answer('Spelt');
    await pane.choose('feature');
    await pane
      .row(/^Feature, unscheduled, Spelt,/)
      .first()
      .waitFor();
    await runCommand(code.page, 'View: Show Explorer');
    await code.page.locator('.sidebar .explorer-folders-view').waitFor();
    await runCommand(code.page, 'View: Close All Editors');
    await new Promise((resolve) => setTimeout(resolve, 2000)); // VS Code keeps a little later which view is open.
    await kill();
    await workspace.comeBack();
    code = await code.restart();
    await eventually(async () => assert.equal(await timesCreated('Spelt'), 1), SEEN);
    await code.page.locator('.sidebar .explorer-folders-view').waitFor();
    assert.equal(await badge(code.page), '');
  });

  it('count on the icon what others did since, and nothing of one’s own', async () => {
    await bo.ask('POST', `/stories/${id}/notes`, '<note><text>The oven is hot.</text></note>');
    await eventually(async () => assert.equal(await badge(code.page), '1'), SEEN);
    await screenshot('badge');
    assert.equal(await timesCreated('Spelt'), 1);
    assert.equal(await new ActivityPane(code.page).pane().count(), 0);
  });

  it('tell of a story that became one’s own in one of three', async () => {
    const others = [await code.page.context().newPage(), await code.page.context().newPage()];
    for (const page of others) {
      await page.goto(code.page.url());
      await eventually(async () => assert.equal(await badge(page), '1'), SEEN);
    }
    await bo.ask('PUT', `/stories/${id}`, '<story><owned_by>Nora Vesper</owned_by></story>');
    const pages = [code.page, ...others];
    const shown = async () => (await Promise.all(pages.map((page) => toasts(page).count()))).reduce((a, b) => a + b);
    await eventually(async () => assert.equal(await shown(), 1), SEEN);
    for (const page of pages) await eventually(async () => assert.equal(await badge(page), '2'), SEEN);
    assert.equal(await shown(), 1);
    for (const page of others) await page.close();
  });

  /** Ends VS Code's server, every extension host and the window, none of which can finish anything. */
  async function kill(): Promise<void> {
    const { process: server } = code.server;
    const ended = once(server, 'exit');
    process.kill(-(server.pid ?? Number.NaN), 'SIGKILL');
    await ended;
  }
});
