import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { type RunningService, runningService } from '../support/servers/runningService.ts';
import { openVsCode, type VsCode, type VsCodeOptions } from '../support/windows/vscodeHost.ts';
import { runCommand } from './commandPalette.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('The Stories view in a real window', () => {
  let folder: string;
  let code: VsCode;
  let pane: StoriesPane;

  const open = async (options: Partial<VsCodeOptions> = {}) => {
    const { userSettings, ...rest } = options;
    code = await openVsCode({
      folder,
      extensionPath: root,
      userSettings: {
        'storyTracker.builtIn.demoProject': true,
        'storyTracker.builtIn.dataFolder': join(folder, 'data'),
        ...userSettings,
      },
      ...rest,
    });
    pane = new StoriesPane(code.page);
  };
  const screenshot = (name: string) => code.page.screenshot({ path: join(screenshots, `stories-${name}.png`) });

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
  });
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  describe('with the built-in service', () => {
    before(() => open());
    after(() => code.close());

    it('welcomes who is not signed in and leads to the demo project', async () => {
      await pane.show();
      await pane.welcomeButton('Sign In to a Server…').waitFor();
      await screenshot('welcome');
      const said = await watchWelcome(code.page);
      await pane.welcomeButton('Use the Built-in Service').click();
      await pane.row(/^Current \d+, .+ of \d+ points$/).waitFor();
      assertTrueWords(await said());
      await pane.row(/^Icebox, /).waitFor();
      await pane.settle();
      await screenshot('light');
      const names = await pane.names();
      assert.equal(names[0], 'Project Story Tracker');
      assert.equal(
        await pane
          .row(/^(Feature|Bug|Chore|Release), \w+, .+ in iteration \d+$/)
          .first()
          .isVisible(),
        true,
      );
      for (const group of ['Backlog', 'Done', 'Icebox'])
        assert.ok(
          names.some((name) => name.startsWith(group)),
          `${group} in ${names.join(' | ')}`,
        );
      assert.equal(new Set(names).size, names.length);
    });

    it('shows the tasks, files and comments of a story by keys alone', async () => {
      await pane
        .row(/in iteration \d+$/)
        .first()
        .click();
      await pane.press('ArrowDown');
      await pane.hasFocused(/^(Feature|Bug|Chore|Release), /);
      const story = await pane.focusedName();
      await pane.press('ArrowRight');
      const below = pane.row(/^(Task|Attachment|Comment|Commit), /);
      await below.first().waitFor();
      await pane.press('ArrowRight');
      await pane.hasFocused(/^(Task|Attachment|Comment|Commit), /);
      await pane.press('ArrowLeft');
      await pane.hasFocused(story);
      await screenshot('story');
    });

    it('keeps what is selected and expanded when a story changed elsewhere, and paints the change', async () => {
      const elsewhere = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
      try {
        const id = /<id type="integer">(\d+)<\/id>\s*<project_id[^>]*>1</.exec(
          await elsewhere.ask('GET', '/projects/1/iterations/current'),
        )?.[1];
        const selected = await pane.focusedName();
        const before = await pane.names();
        await elsewhere.ask('PUT', `/projects/1/stories/${id}`, '<story><name>Renamed elsewhere</name></story>');
        await pane.refresh();
        await pane.row(/Renamed elsewhere/).waitFor();
        await pane.hasFocused(selected);
        await eventually(async () => assert.equal((await pane.names()).length, before.length));
      } finally {
        await elsewhere.stop();
      }
    });

    it('shows older iterations, the icebox and a hover, and a story that is clicked beside them', async () => {
      await pane.click(pane.row(/^Done,/));
      await pane
        .row(/^Done \d+, /)
        .first()
        .waitFor();
      await pane.click(pane.row(/^Icebox,/));
      const frozen = pane.row(/in the icebox$/).first();
      await pane.click(frozen);
      await pane.settle();
      await frozen.hover();
      await code.page.locator('.monaco-hover', { hasText: '#' }).first().waitFor();
      await screenshot('groups');
      assert.equal(await code.page.locator('.quick-input-widget:visible').count(), 0);
      const tabs = code.page.locator('.tabs-container .tab');
      assert.equal(await tabs.count(), 1);
      assert.match((await tabs.first().getAttribute('aria-label')) ?? '', /\(Preview\)/);
      assert.ok(await code.page.locator('.sidebar .monaco-list:focus').count(), 'the focus stays in the tree');
    });

    it('is there again after a restart, without being asked for', async () => {
      await code.page.mouse.move(700, 400);
      const from = Date.now();
      code = await code.restart();
      pane = new StoriesPane(code.page);
      await pane.show();
      await pane.row(/^Current \d+, /).waitFor();
      process.stdout.write(`      warm start to painted tree: ${Date.now() - from} ms\n`);
    });
  });

  describe('in a dark, narrow window', () => {
    before(() =>
      open({
        viewport: { width: 640, height: 700 },
        userSettings: { 'workbench.colorTheme': 'Default Dark Modern', 'storyTracker.builtIn.signIn': 'automatic' },
      }),
    );
    after(() => code.close());

    it('signs in by itself where that is wished for', async () => {
      await pane.show();
      await pane.row(/^Current \d+, /).waitFor();
      await pane.settle();
      await screenshot('dark-narrow');
      assert.equal(await code.page.locator('.notification-toast').count(), 0);
    });
  });

  describe('with no project yet', () => {
    before(() =>
      open({
        userSettings: {
          'storyTracker.builtIn.demoProject': false,
          'storyTracker.builtIn.dataFolder': join(folder, 'new'),
        },
      }),
    );
    after(() => code.close());

    it('leads from nothing to the first story', async () => {
      await pane.show();
      const said = await watchWelcome(code.page);
      await pane.welcomeButton('Use the Built-in Service').click();
      await pane.choose('Empty Project…');
      await pane.answer('Bakery');
      await pane.row(/^Project Bakery$/).waitFor();
      await pane.row(/^Icebox, 0 stories$/).waitFor();
      assertTrueWords(await said());
      const current = pane.row(/^Current 1, .+, No stories$/);
      assert.equal(await current.getAttribute('aria-expanded'), null, 'it does not unfold to nothing');
      await screenshot('no-stories');
      await pane.click(pane.row(/^No stories yet, New Story…$/));
      await code.page.getByRole('tab', { name: /^New Story/ }).waitFor();
      await pane.newStory();
      await pane.answer('Bake <b>rye</b> & sell $(flame) it');
      await pane.choose('feature');
      await pane
        .row(/^Feature, unscheduled, Bake <b>rye<\/b> & sell \$\(flame\) it, .*1 of 1 in the icebox$/)
        .waitFor();
      await pane.row(/^Icebox, 1 story$/).waitFor();
      await pane.row(/^No stories yet/).waitFor({ state: 'detached' });
      await screenshot('first-story');
    });
  });

  describe('with no project yet, to try it out', () => {
    before(() =>
      open({
        userSettings: {
          'storyTracker.builtIn.demoProject': false,
          'storyTracker.builtIn.dataFolder': join(folder, 'demo'),
        },
      }),
    );
    after(() => code.close());

    it('makes the demo project where that is chosen, and asks nothing the next time', async () => {
      await pane.show();
      await pane.welcomeButton('Use the Built-in Service').click();
      await pane.choose('Demo Project');
      await pane.row(/^Project Story Tracker$/).waitFor();
      await pane.row(/^Current \d+, .+ of \d+ points$/).waitFor();
      await runCommand(code.page, 'Story Tracker: Sign Out');
      await pane.welcomeButton('Use the Built-in Service').click();
      await pane.row(/^Current \d+, .+ of \d+ points$/).waitFor();
      assert.equal(await pane.question(), '');
    });

    const openEmpty = (name: string) =>
      open({
        userSettings: {
          'storyTracker.builtIn.demoProject': false,
          'storyTracker.builtIn.dataFolder': join(folder, name),
        },
      });

    it('asks what to import where that is chosen', async () => {
      await code.close();
      await openEmpty('imported');
      await pane.show();
      await pane.welcomeButton('Use the Built-in Service').click();
      await pane.choose('Import Stories…');
      await code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'A CSV or XML File…' }).waitFor();
    });

    it('signs in all the same where the choice is dismissed', async () => {
      await code.close();
      await openEmpty('nothing');
      await pane.show();
      await pane.welcomeButton('Use the Built-in Service').click();
      await code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Demo Project' }).waitFor();
      await code.page.keyboard.press('Escape');
      await pane.welcomeButton('New Project…').waitFor();
    });
  });

  describe('with a server', () => {
    let server: RunningService;

    before(async () => {
      server = await runningService(join(root, 'dist/service.js'));
      await open();
    });
    after(() => code.close());

    it('keeps what was typed when the server refuses it', async () => {
      await pane.show();
      await pane.welcomeButton('Sign In to a Server…').click();
      await pane.answer('no address', { refused: true });
      assert.match(await pane.question(), /Enter an address like/);
      await pane.answer(server.url.replace('http://', ''));
      await pane.choose('Token');
      await pane.answer('wrong', { refused: true });
      await code.page.getByText('The server does not accept this token.').waitFor();
      assert.equal(await pane.input().inputValue(), 'wrong');
      await screenshot('wrong-token');
      await pane.answer(server.token);
      await pane.row(/^Current \d+, /).waitFor();
    });

    it('says why the rows are not the newest when the server has gone, and keeps them', async () => {
      await pane.row(/^Icebox, /).waitFor();
      const before = await pane.names();
      await server.stop();
      await pane.refresh();
      await pane.message(/127\.0\.0\.1/).waitFor();
      await screenshot('server-gone');
      assert.deepEqual(await pane.names(), before);
    });

    it('shows the same rows after a restart although the server is still away, and of when they are', async () => {
      const before = await pane.names();
      code = await code.restart();
      pane = new StoriesPane(code.page);
      await pane.show();
      await pane.row(/^Current \d+, /).waitFor();
      await pane.message(/127\.0\.0\.1[\s\S]*as of \d/).waitFor();
      await screenshot('server-gone-restarted');
      await eventually(async () => assert.deepEqual(await pane.names(), before));
    });
  });

  describe('with a slow server', () => {
    let server: FixtureServer;

    before(async () => {
      server = await FixtureServer.start();
      await open();
    });
    after(async () => {
      await code.close();
      await server.stop();
    });

    it('says that projects are loading, and not that there are none, until it answers', async () => {
      await pane.show();
      // The first one is asked for to try the token.
      server.hold(/^GET \/projects$/)();
      const letGo = server.hold(/^GET \/projects$/, 10);
      await pane.signIn(server.url, server.token);
      await code.page.locator('.sidebar .welcome-view', { hasText: 'Loading your projects…' }).waitFor();
      await screenshot('loading');
      const said = await watchWelcome(code.page);
      letGo();
      await pane.row(/^Current 12, /).waitFor();
      assertTrueWords(await said());
    });
  });

  describe('with two servers', () => {
    let server: RunningService;

    before(async () => {
      server = await runningService(join(root, 'dist/service.js'));
      await open();
    });
    after(async () => {
      await code.close();
      await server.stop();
    });

    it('says on which each project and each story of a list is', async () => {
      const { host } = new URL(server.url);
      await pane.show();
      await pane.signIn(host, server.token);
      await pane.row(/^Current \d+, /).waitFor();
      assert.doesNotMatch((await pane.row(/^Project Story Tracker/).textContent()) ?? '', /127/);
      await runCommand(code.page, 'Story Tracker: Sign In…');
      await pane.choose('Built-in Service on This Machine');
      await eventually(async () => {
        const rows = await pane.row(/^Project Story Tracker/).allTextContents();
        const named = rows.map((text) => [host, 'Built-in Service'].find((name) => text.includes(name)));
        assert.deepEqual(named, [host, 'Built-in Service'], rows.join('\n'));
      });
      await pane.settle();
      await screenshot('two-servers');
      await runCommand(code.page, 'Story Tracker: Find Story…');
      await pane.input().fill('#1');
      await eventually(async () => {
        const found = await code.page.locator('.quick-input-list .monaco-list-row').allTextContents();
        const first = found.slice(0, 2).map((text) => /Story Tracker · (.+)$/.exec(text)?.[1]);
        assert.deepEqual(first.toSorted(), [host, 'Built-in Service'], found.join('\n'));
      });
      await screenshot('two-servers-find');
      await pane.press('Escape');
    });
  });
});

/** Notes what the view says in place of rows from now on, be it for ever so short a time. */
async function watchWelcome(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(`window.said = new Set();
    window.watched = new MutationObserver(() => {
      for (const one of document.querySelectorAll('.sidebar .welcome-view:not(.hide) .welcome-view-content')) {
        const text = one.checkVisibility() ? one.textContent.trim() : '';
        if (text !== '') window.said.add(text);
      }
    });
    window.watched.observe(document.body, { subtree: true, childList: true, attributes: true });`);
  return () => page.evaluate<readonly string[]>('window.watched.disconnect(), [...window.said]');
}

/** Whoever was asked to sign in is told at most that projects are loading: the service may have answered before the view is painted. */
function assertTrueWords(said: readonly string[]): void {
  const others = said.filter((text) => !text.includes('No account needed') && text !== 'Loading your projects…');
  assert.deepEqual(others, []);
}
