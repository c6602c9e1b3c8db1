import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { runCommand } from './commandPalette.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('Finding stories in a real window', () => {
  let folder: string;
  let server: RunningService;
  let code: VsCode;
  let pane: StoriesPane;

  const screenshot = (name: string) => code.page.screenshot({ path: join(screenshots, `filter-${name}.png`) });
  /** A story over which another is dragged slowly is opened by VS Code: what is below it is no change of the order. */
  const storyNames = async () => (await pane.names()).filter((name) => / \d+ of \d+ in /.test(name));
  const listed = () => code.page.locator('.quick-input-list .monaco-list-row');

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-filter-'));
    server = await runningService(join(root, 'dist/service.js'));
    code = await openVsCode({ folder, extensionPath: root });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.signIn(server.url.replace('http://', ''), server.token);
    await pane.row(/^Current \d+, /).waitFor();
  });
  after(async () => {
    await code.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  describe('by id or words', () => {
    it('asks the server for a story that was made elsewhere, and says when there is none', async () => {
      const made = await server.ask('POST', '/projects/1/stories', '<story><name>Made elsewhere</name></story>');
      await runCommand(code.page, 'Story Tracker: Find Story…');
      await code.page.getByPlaceholder('ID such as #12').waitFor();
      await pane.input().fill(`#${elementText(made, 'id')}`);
      await listed().filter({ hasText: 'Made elsewhere' }).waitFor();
      await pane.input().fill('#999999');
      await listed().filter({ hasText: 'Could not find story' }).waitFor();
      await pane.press('Escape');
    });

    it('puts the exact id first, and shows the row of what was chosen, done stories too', async () => {
      await runCommand(code.page, 'Story Tracker: Find Story…');
      await code.page.getByPlaceholder('ID such as #12').waitFor();
      await pane.input().fill('1');
      await listed().first().filter({ hasText: '#1 ·' }).waitFor();
      await screenshot('find');
      await code.page.keyboard.press('Enter');
      await code.page.locator('.sidebar .monaco-list-row.selected.focused').waitFor();
      await pane.hasFocused(/accepted|delivered|finished|started|unstarted|unscheduled/);
    });
  });

  describe('by a filter', () => {
    const openFilter = async () => {
      await pane.click(pane.row(/^Project Story Tracker/));
      await code.page.keyboard.press('Control+f');
      await code.page.getByPlaceholder('Example: state:started').waitFor();
    };

    it('says what it does not understand while one types, and completes what it knows', async () => {
      await openFilter();
      await pane.input().fill('colour:red');
      await listed().filter({ hasText: 'Unknown filter key “colour:”' }).waitFor();
      await screenshot('mistake');
      await pane.input().fill('ty');
      await listed().filter({ hasText: 'type:' }).click();
      await listed().filter({ hasText: 'type:bug' }).waitFor();
      await code.page.keyboard.type('bu');
      await listed().first().filter({ hasText: 'type:bug' }).waitFor();
      await screenshot('completion');
      await code.page.keyboard.press('Enter');
      await listed().first().filter({ hasText: 'Show Matching Stories' }).waitFor();
      await eventually(async () => assert.equal(await pane.input().inputValue(), 'type:bug '));
      await code.page.keyboard.press('Enter');
    });

    it('shows what fits in its place, and says so', async () => {
      await pane.row(/^Project Story Tracker, \d+ of \d+ stories shown$/).waitFor();
      await pane.row(/^Icebox, \d+ of \d+ stories shown$/).waitFor();
      await pane.message(/^Filter: type:bug \(\d+ of \d+ stories\)/).waitFor();
      const names = await pane.names();
      const stories = names.filter((name) => / of \d+ in /.test(name));
      assert.ok(stories.length > 2, names.join(' | '));
      assert.deepEqual(
        stories.filter((name) => !name.startsWith('Bug, ')),
        [],
      );
      await pane.settle();
      await screenshot('applied');
    });

    it('is still there after a refresh and after a restart', async () => {
      await pane.refresh();
      await pane.row(/^Project Story Tracker, \d+ of \d+ stories shown$/).waitFor();
      code = await code.restart();
      pane = new StoriesPane(code.page);
      await pane.show();
      await pane.row(/^Project Story Tracker, \d+ of \d+ stories shown$/).waitFor();
      await pane.message(/^Filter: type:bug/).waitFor();
    });

    it('ends when a story is to be shown that it hides', async () => {
      await runCommand(code.page, 'Story Tracker: Find Story…');
      await code.page.getByPlaceholder('ID such as #12').waitFor();
      await pane.input().fill('1');
      await listed().first().filter({ hasText: '#1 ·' }).waitFor();
      await code.page.keyboard.press('Enter');
      await pane.row(/^Project Story Tracker$/).waitFor();
      await code.page.locator('.sidebar .monaco-list-row.selected.focused').waitFor();
    });

    it('remembers filters, and ends with a click', async () => {
      await openFilter();
      await listed().filter({ hasText: 'type:bug' }).first().click();
      await pane.row(/^Project Story Tracker, \d+ of \d+ stories shown$/).waitFor();
      await pane.clearFilter();
      await pane.row(/^Project Story Tracker$/).waitFor();
      await pane.message(/^Filter/).waitFor({ state: 'hidden' });
    });

    it('suggests what was meant where a value is a slip', async () => {
      await openFilter();
      await pane.input().fill('-state:strated type:bug');
      await listed().filter({ hasText: 'Did you mean -state:started type:bug?' }).waitFor();
      await screenshot('slip');
      await listed().filter({ hasText: 'Did you mean' }).click();
      await pane.message(/^Filter: -state:started type:bug/).waitFor();
      await pane.clearFilter();
    });

    it('says where nothing fits, and a click there ends it', async () => {
      await openFilter();
      await pane.input().fill('project:harbour');
      await listed().filter({ hasText: 'Show Matching Stories' }).click();
      const row = pane.row(/^No matching projects, Clear Filter$/);
      await row.waitFor();
      await pane.settle();
      await screenshot('nothing');
      await pane.click(row);
      await pane.row(/^Project Story Tracker$/).waitFor();
    });

    it('sorts, and then puts nothing in order, and says why', async () => {
      await openFilter();
      await pane.input().fill('project:story sort:name');
      await listed().filter({ hasText: 'Show Matching Stories' }).click();
      await pane.message(/^Filter: project:story sort:name/).waitFor();
      const stories = pane.row(/ \d+ of \d+ in iteration \d+$/);
      await stories.nth(2).waitFor();
      const before = await storyNames();
      await pane.settle();
      await screenshot('sorted');
      await pane.drag(stories.nth(1), stories.first());
      await code.page.getByText('only in priority order').first().waitFor();
      assert.deepEqual(await storyNames(), before);
      await pane.press('Escape');
      await pane.clearFilter();
      await pane.row(/^Project Story Tracker$/).waitFor();
    });

    it('knows who one is', async () => {
      await openFilter();
      await pane.input().fill('requester:me');
      await listed().filter({ hasText: 'Show Matching Stories' }).click();
      await pane.row(/^Project Story Tracker, [1-9]\d* of \d+ stories shown$/).waitFor();
      await pane.clearFilter();
      await pane.row(/^Project Story Tracker$/).waitFor();
    });
  });

  describe('by what they have in common', () => {
    const groupBy = async (label: string) => {
      await runCommand(code.page, 'Story Tracker: Group Stories By…');
      await code.page.getByPlaceholder('Rows to show below each project').waitFor();
      await pane.choose(label);
      // VS Code folds a row that is painted again while it opens.
      await pane.expand(pane.row(/^Project Story Tracker$/));
    };

    it('groups by owner and by label, and says where a story stands', async () => {
      await groupBy('Owner');
      await pane
        .row(/^Owner [A-Z][\w ]+, \d+ stories, \d+ points$/)
        .first()
        .waitFor();
      await pane.row(/^Owner No owner, /).waitFor();
      await groupBy('Label');
      const group = pane.row(/^Label \w+, \d+ stories, \d+ points$/).first();
      await group.click();
      await pane
        .row(/^(Feature|Bug|Chore|Release), .+ \d+ of \d+ in \w+$/)
        .first()
        .waitFor();
      await pane.settle();
      await screenshot('label');
    });

    it('puts nothing in order where no order shows, and says so', async () => {
      const stories = pane.row(/ \d+ of \d+ in \w+$/);
      const before = await storyNames();
      await pane.drag(stories.nth(1), stories.first());
      await code.page.getByText('only when they are grouped by iteration').first().waitFor();
      assert.deepEqual(await storyNames(), before);
      await pane.press('Escape');
    });

    it('is still so after a restart, and back in order when wished', async () => {
      await groupBy('State');
      await pane.row(/^State started, /).waitFor();
      // VS Code writes down what an extension remembers a moment later.
      await pane.settle();
      code = await code.restart();
      pane = new StoriesPane(code.page);
      await pane.show();
      await pane.row(/^State started, /).waitFor();
      await pane.settle();
      await screenshot('state');
      await groupBy('Iteration');
      await pane.row(/^Current \d+, .+ of \d+ points$/).waitFor();
    });
  });

  describe('among several projects', () => {
    const projects = async () => (await pane.names()).filter((name) => /^(?:Project|\d+ hidden)/.test(name));
    const assertProjects = (...expected: readonly string[]) =>
      eventually(async () => assert.deepEqual(await projects(), expected));

    it('pins a project above the others', async () => {
      const first = pane.row(/^Project Story Tracker$/);
      // All projects are on screen once its rows are not.
      if ((await first.getAttribute('aria-expanded')) === 'true') await pane.click(first);
      for (const name of ['Apollo', 'Harbour']) {
        await server.ask('POST', '/projects', `<project><name>${name}</name></project>`);
      }
      await eventually(async () => {
        // One that is under way may have asked before they were there.
        await pane.refresh();
        await pane.row(/^Project Harbour$/).waitFor({ timeout: 3000 });
      }, 60_000);
      await pane.chooseInMenu(pane.row(/^Project Harbour$/), 'Pin Project');
      await assertProjects('Project Harbour, pinned', 'Project Story Tracker', 'Project Apollo');
    });

    it('hides one, with a way back in the message and in a row', async () => {
      await pane.chooseInMenu(pane.row(/^Project Apollo$/), 'Hide Project');
      await assertProjects('Project Harbour, pinned', 'Project Story Tracker', '1 hidden project, Show…');
      await pane.settle();
      await screenshot('hidden-project');
      await pane.click(pane.row(/^1 hidden project/));
      await code.page.getByPlaceholder('Projects to show again').waitFor();
      await code.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Apollo' }).click();
      await code.page.keyboard.press('Enter');
      await assertProjects('Project Harbour, pinned', 'Project Story Tracker', 'Project Apollo');
    });

    it('has the way back in the menu of the view, too', async () => {
      await pane.chooseInMenu(pane.row(/^Project Apollo$/), 'Hide Project');
      await assertProjects('Project Harbour, pinned', 'Project Story Tracker', '1 hidden project, Show…');
      await pane.chooseInTitleMenu('Show Hidden Projects');
      await code.page.getByPlaceholder('Projects to show again').waitFor();
      await code.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'Apollo' }).click();
      await code.page.keyboard.press('Enter');
      await assertProjects('Project Harbour, pinned', 'Project Story Tracker', 'Project Apollo');
    });

    it('shows those of the workspace, to which new stories go without a question', async () => {
      await runCommand(code.page, 'Story Tracker: Choose Projects for This Workspace…');
      await code.page.getByPlaceholder('Projects to show while this workspace is open').waitFor();
      for (const name of ['Harbour', 'Story Tracker']) {
        await code.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).click();
      }
      await code.page.keyboard.press('Enter');
      // The others are of other workspaces, not hidden.
      await assertProjects('Project Apollo');
      await pane.chooseInMenu(pane.row(/^Project Apollo$/), 'Hide Project');
      await assertProjects('1 hidden project, Show…');
      await pane.click(pane.row(/^1 hidden project/));
      await code.page.getByPlaceholder('Projects to show again').waitFor();
      const hidden = code.page.locator('.quick-input-list .monaco-list-row');
      assert.equal(await hidden.count(), 1);
      await hidden.filter({ hasText: 'Apollo' }).click();
      await code.page.keyboard.press('Enter');
      await assertProjects('Project Apollo');
      await runCommand(code.page, 'Story Tracker: Quick Add Story…');
      await code.page
        .getByText(/^New Story in .*Apollo/)
        .first()
        .waitFor();
      await pane.press('Escape');
      await runCommand(code.page, 'Story Tracker: Choose Projects for This Workspace…');
      await code.page.getByPlaceholder('Projects to show while this workspace is open').waitFor();
      for (const name of ['Harbour', 'Story Tracker']) {
        await code.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name }).click();
      }
      await code.page.keyboard.press('Enter');
      await pane.chooseInMenu(pane.row(/^Project Harbour, pinned$/), 'Unpin Project');
      await assertProjects('Project Story Tracker', 'Project Apollo', 'Project Harbour');
    });
  });

  describe('in a dark, narrow window', () => {
    it('has room for what it says', async () => {
      await code.page.setViewportSize({ width: 640, height: 700 });
      await runCommand(code.page, 'Preferences: Toggle between Light/Dark Themes');
      await pane.click(pane.row(/^Project Story Tracker$/));
      await code.page.keyboard.press('Control+f');
      await pane.input().fill('state:started,unstarted requester:me');
      await listed().filter({ hasText: 'Show Matching Stories' }).waitFor();
      await screenshot('dark-narrow-box');
      await listed().filter({ hasText: 'Show Matching Stories' }).click();
      await pane.message(/^Filter: state:started,unstarted requester:me/).waitFor();
      await pane.settle();
      await screenshot('dark-narrow');
    });
  });

  describe('by the ID that a story had before it came here', () => {
    it('finds it, and says so', async () => {
      const moved = '<story><id>1000000321</id><name>Moved here</name></story>';
      await server.ask('POST', '/projects/1/imports?format=xml', `<stories type="array">${moved}</stories>`);
      await runCommand(code.page, 'Story Tracker: Refresh');
      await runCommand(code.page, 'Story Tracker: Find Story…');
      await code.page.getByPlaceholder('ID such as #12').waitFor();
      await pane.input().fill('#1000000321');
      const found = listed().filter({ hasText: 'Moved here' });
      await found.waitFor();
      assert.match((await found.textContent()) ?? '', /#\d{1,4} .*formerly #1000000321/);
      await pane.press('Escape');
    });
  });
});
