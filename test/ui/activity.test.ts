import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { type Colleague, colleague } from '../support/servers/colleague.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { ActivityPane } from './activityPane.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { beginInTheme, showInTheme } from './colorTheme.ts';
import { runCommand } from './commandPalette.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');
const script = join(root, 'dist/service.js');

describe('The Activity view in a real window', () => {
  let folder: string;
  let elsewhere: RunningService;
  let bo: Colleague;
  let id: string;
  let code: VsCode;
  let stories: StoriesPane;
  let activity: ActivityPane;

  const screenshot = (name: string) => code.page.screenshot({ path: join(screenshots, `activity-${name}.png`) });

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    const dataFolder = join(folder, 'data');
    elsewhere = await runningService(script, dataFolder);
    bo = await colleague(script, { service: elsewhere, dataFolder, name: 'Bo Marsh' });
    const story =
      '<story><name>Bake bread</name><estimate>2</estimate><current_state>unstarted</current_state></story>';
    id = elementText(await elsewhere.ask('POST', '/projects/1/stories', story), 'id') ?? '';
    code = await openBuiltInWindow(dataFolder, {
      ...{ folder, installed: true },
      userSettings: { 'storyTracker.notifications': ['assigned', 'rejected'] },
    });
    stories = new StoriesPane(code.page);
    activity = new ActivityPane(code.page);
  });
  after(async () => {
    await code.close();
    await elsewhere.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const comment = (text: string) => bo.ask('POST', `/stories/${id}/notes`, `<note><text>${text}</text></note>`);

  describe('in light colours', () => {
    before(() => showInTheme(code, folder, 'Default Light Modern'));

    it('counts what others did since, on the icon too', async () => {
      await stories.show();
      await stories.row(/^Current \d+, /).waitFor();
      assert.equal(await activity.badge(), '');
      await bo.ask('PUT', `/stories/${id}`, '<story><current_state>started</current_state></story>');
      await comment('The oven is hot.');
      await stories.refresh();
      await eventually(async () => assert.equal(await activity.badge(), '2'), 20_000);
    });

    it('shows it by story, the latest first and what is unread with a dot, until it was looked at', async () => {
      await activity.expand();
      const text = 'Bo Marsh added comment: "The oven is hot\\." to "Bake bread", .*, 2 earlier activities$';
      await activity.row(new RegExp(`^2 unread, ${text}`)).waitFor();
      await screenshot('unread');
      // By now it may have been looked at for long enough to be read.
      await activity.row(new RegExp(text)).locator('.monaco-tl-twistie').click();
      await activity.row(/^(Unread, )?Bo Marsh started "Bake bread"/).waitFor();
      await screenshot('light');
      await eventually(async () => assert.equal(await activity.badge(), ''), 20_000);
      await eventually(async () =>
        assert.deepEqual(
          (await activity.names()).filter((name) => /unread/i.test(name)),
          [],
        ),
      );
    });

    it('says once how new the stories are', async () => {
      const said = await code.page
        .locator('.sidebar')
        .getByText(/as of \d/)
        .allTextContents();
      assert.equal(said.length, 1, said.join(' | '));
    });

    it('opens the story by a key', async () => {
      await stories.press('ArrowDown', 'Enter');
      await code.page.locator('.tab', { hasText: `#${id} ` }).waitFor();
    });

    it('counts nothing more once all was marked as read', async () => {
      await activity.collapse();
      await comment('Flour is out.');
      await stories.refresh();
      await eventually(async () => assert.equal(await activity.badge(), '1'), 20_000);
      await runCommand(code.page, 'Story Tracker: Mark All Activity as Read');
      await eventually(async () => assert.equal(await activity.badge(), ''), 20_000);
    });
  });

  describe('in a dark, narrow window', () => {
    before(async () => {
      await beginInTheme(code, folder, 'Default Dark Modern');
      await code.page.setViewportSize({ width: 640, height: 700 });
    });
    after(() => code.page.setViewportSize({ width: 1280, height: 860 }));

    it('still tells what happened', async () => {
      await stories.show();
      await activity.expand();
      await activity
        .row(/"Bake bread"/)
        .first()
        .waitFor();
      await comment('It is dark.');
      await stories.refresh();
      await activity.row(/It is dark/).waitFor();
      await screenshot('dark-narrow');
    });
  });

  describe('in high contrast, with notifications', () => {
    before(() => beginInTheme(code, folder, 'Default High Contrast'));

    const toast = () => code.page.locator('.notification-toast', { hasText: 'Bake bread' });

    it('tells who wished for it that a story became theirs, and opens it', async () => {
      await stories.show();
      await stories.row(/^Current \d+, /).waitFor();
      await activity.expand();
      await bo.ask('PUT', `/stories/${id}`, `<story><owned_by>${await ownName()}</owned_by></story>`);
      await stories.refresh();
      await toast()
        .filter({ hasText: /Bo Marsh assigned “Bake bread” to you\./ })
        .waitFor();
      await screenshot('high-contrast');
      await toast().getByRole('button', { name: 'Open Story' }).click();
      await code.page.locator('.tab', { hasText: `#${id} ` }).waitFor();
    });
  });

  /** What the person at this machine is called, who is made by the window's own service. */
  async function ownName(): Promise<string> {
    const memberships = await elsewhere.ask('GET', '/projects/1/memberships');
    return (
      elementText(memberships.split('<membership>').find((one) => one.includes('you@localhost')) ?? '', 'name') ?? ''
    );
  }
});
