import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import type { GitRepositoryFolder } from '../support/git/gitRepository.ts';
import { elementText } from '../support/servers/runningService.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { reloadWindow, runCommand } from './commandPalette.ts';
import { CommitWorkspace, type LinkedStory } from './commitWorkspace.ts';
import { SourceControlPane } from './sourceControlPane.ts';
import { StoriesPane } from './storiesPane.ts';
import { StoryPage } from './storyPage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

/** VS Code selects all in pages itself, a moment later than it is told to. */
const SELECT_ALL = ['Control+Home', 'Shift+Control+End'] as const;

/** Milliseconds, on a machine that is busy with other things. */
const KEPT_MS = 3000;

/** A window, and what a person sees in it. */
interface Desk {
  readonly code: VsCode;
  readonly pane: StoriesPane;
  readonly story: StoryPage;
}

const deskOf = (code: VsCode): Desk => ({ code, pane: new StoriesPane(code.page), story: new StoryPage(code.page) });

describe('Writing a story whatever becomes of windows and servers', function () {
  this.timeout(180_000);
  let workspace: CommitWorkspace;
  let repository: GitRepositoryFolder;
  let desk: Desk;
  let shop: LinkedStory;
  let id: string;

  const stored = async (name: string) =>
    elementText(await workspace.ask('GET', `/projects/1/stories/${id}`), name) ?? '';
  /** What has been changed of the story, as the server tells of it: the fields of each activity, and what they became. */
  const changes = async () => {
    const told = await workspace.ask('GET', '/projects/1/activities?limit=50');
    return told
      .split('<activity>')
      .filter((activity) => activity.includes('story_update') && elementText(storyIn(activity), 'id') === id)
      .map((activity) => {
        const fields = [...storyIn(activity).matchAll(/<(\w+)(?: [^>]*)?>([^<]*)<\/\1>/g)];
        return fields
          .flatMap(([, name, value]) => (name === 'id' || name === 'url' ? [] : [`${name} ${value}`]))
          .join();
      });
  };
  const press = async ({ code }: Desk, ...keys: readonly string[]) => {
    for (const key of keys) await code.page.keyboard.press(key);
  };
  const type = ({ code }: Desk, text: string) => code.page.keyboard.type(text);
  const screenshot = ({ code }: Desk, name: string) =>
    code.page.screenshot({ path: join(screenshots, `writingAway-${name}.png`) });
  const open = async () => {
    const settings = { 'storyTracker.commit.link': 'off' };
    const opened = deskOf(await openVsCode({ folder: repository.root, extensionPath: root, userSettings: settings }));
    await opened.pane.show();
    await signIn(opened);
    return opened;
  };
  const signIn = ({ pane }: Desk) => pane.signIn(workspace.url.replace('http://', ''), workspace.token);
  const openStory = async ({ code, pane, story }: Desk, name: RegExp) => {
    await eventually(async () => {
      // The other project, whose list is empty, may be there first. VS Code folds what is opened while it paints a project again.
      await pane.expand(pane.row(/^Icebox, [1-9]/).first());
      await pane.row(name).first().waitFor({ timeout: 2_000 });
    }, 30_000);
    await pane.settle();
    await pane.doubleClick(pane.row(name).first());
    await story.title().filter({ hasText: name }).waitFor();
    await code.page.locator('.tab').first().waitFor();
  };
  /** Writes what takes the place of a text, and leaves it unsaved. */
  const write = async (at: Desk, field: 'Name' | 'Description', text: string) => {
    await at.story.button(`Edit ${field}`).focus();
    await press(at, 'Enter', ...SELECT_ALL);
    await type(at, text);
    await at.story.unsaved().first().waitFor();
  };

  const written = ({ story }: Desk) => story.field('Description').inputValue({ timeout: 1000 });

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    workspace = await CommitWorkspace.create(join(root, 'dist/service.js'));
    const fields = '<story_type>feature</story_type><current_state>unscheduled</current_state>';
    const made = await workspace.ask(
      'POST',
      '/projects/1/stories',
      `<story><name>Rye</name>${fields}<description>As ever</description></story>`,
    );
    id = elementText(made, 'id') ?? '';
    shop = await workspace.story('Shop');
    repository = await workspace.repository('one');
    await repository.commit('Begin');
    await repository.commit(`Mill the rye [#${id}]`);
    desk = await open();
  });
  after(async () => {
    await desk.code.close();
    await workspace.remove();
  });

  it('has half a description and half a comment again after its window and VS Code are killed', async () => {
    await openStory(desk, /Rye/);
    await desk.story.comment().fill('Half');
    // VS Code writes what a page remembers when its window is left, and seldom before.
    await reloadWindow(desk.code.page);
    desk = deskOf(desk.code);
    await eventually(async () => assert.equal(await desk.story.comment().inputValue(), 'Half'));
    await desk.story.comment().fill('Half a comment');
    await write(desk, 'Description', 'Half a thought');
    const { code } = desk;
    // VS Code writes what an extension remembers a moment later.
    await sleep(KEPT_MS);
    await kill(code);
    desk = deskOf(await code.restart());
    await desk.pane.show();
    // VS Code has not always noted by then which tabs were open.
    await openStory(desk, /Rye/);
    await eventually(async () => assert.equal(await written(desk), 'Half a thought'));
    await desk.story.unsaved().first().waitFor();
    await eventually(async () => assert.equal(await desk.story.comment().inputValue(), 'Half a comment'));
    await screenshot(desk, 'killed');
    assert.equal(await stored('description'), 'As ever');
  });

  it('has it again after signing out and in', async () => {
    await desk.pane.show();
    await runCommand(desk.code.page, 'Story Tracker: Sign Out');
    await desk.pane.welcomeButton('Sign In to a Server…').waitFor();
    await desk.pane.settle();
    await screenshot(desk, 'signed-out');
    await signIn(desk);
    await openStory(desk, /Rye/);
    await eventually(async () => assert.equal(await written(desk), 'Half a thought'));
    await screenshot(desk, 'signed-in');
    await desk.story.field('Description').focus();
    await press(desk, 'Escape');
    await desk.story.unsaved().first().waitFor({ state: 'hidden' });
  });

  it('sends what two windows wrote without the server, each change once, and loses neither text where they meet', async () => {
    const other = await open();
    try {
      await openStory(other, /Rye/);
      await workspace.goAway();
      const save = async (at: Desk, field: 'Name' | 'Description', text: string) => {
        await write(at, field, text);
        await press(at, 'Control+Enter');
        await at.story.unsaved().first().waitFor({ state: 'hidden' });
      };
      await save(desk, 'Name', 'Rye is milled');
      await desk.story.field('Estimate').focus();
      await press(desk, 'ArrowDown', 'ArrowDown', 'Tab');
      await save(desk, 'Description', 'From the first window');
      await save(other, 'Description', 'From the second window');
      await other.story.field('Labels').focus();
      await type(other, 'mill');
      await press(other, 'Enter');
      await other.story.button('Remove Label mill').waitFor();
      await other.story.field('Owner').focus();
      await type(other, 'nora');
      await press(other, 'ArrowDown', 'Enter');
      await desk.pane.message(/3 unsent changes/).waitFor();
      await other.pane.message(/3 unsent changes/).waitFor();
      await eventually(async () => assert.deepEqual(await desk.story.unsent(), ['name', 'description', 'estimate']));
      await screenshot(desk, 'away');
      await screenshot(other, 'away-other');
      await workspace.comeBack();
      for (const { code } of [desk, other]) await runCommand(code.page, 'Story Tracker: Retry Unsent Changes');
      await eventually(async () => {
        const fields = ['name', 'labels', 'owned_by'];
        assert.deepEqual(await Promise.all(fields.map(stored)), ['Rye is milled', 'mill', 'Nora Vesper']);
        assert.notEqual(await stored('estimate'), '-1');
      }, 60_000);
      const keep = (at: Desk) => at.story.button('Keep Mine');
      await Promise.race([keep(desk).waitFor(), keep(other).waitFor()]);
      const winner = await stored('description');
      const [mine, theirs] = ['From the first window', 'From the second window'].toSorted((text) =>
        text === winner ? 1 : -1,
      );
      const loser = mine === 'From the first window' ? desk : other;
      assert.equal(winner, theirs);
      assert.deepEqual(await loser.story.theirs().allTextContents(), [theirs]);
      assert.equal(await loser.story.field('Description').inputValue(), mine);
      await screenshot(loser, 'conflict');
      await keep(loser).focus();
      await press(loser, 'Enter');
      await eventually(async () => assert.equal(await stored('description'), mine));
      await keep(loser).waitFor({ state: 'hidden' });
      for (const at of [desk, other]) await at.pane.message(/unsent change/).waitFor({ state: 'hidden' });
      await eventually(async () => assert.deepEqual(await desk.story.unsent(), []));
      // One for each change, and none for the description that was not sent until it was asked for.
      const once = [`description ${mine}`, `description ${theirs}`, 'estimate 1', 'labels mill', 'name Rye is milled'];
      assert.deepEqual((await changes()).toSorted(), [...once, 'owned_by Nora Vesper'].toSorted());
    } finally {
      await other.code.close();
    }
  });

  it('moves a story to another project with its number, by which it is found, and with what is being written', async () => {
    const { code, pane } = desk;
    const { projectId } = shop;
    // The last of what was written may be from the other window.
    await pane.refresh();
    await desk.story
      .text(await stored('description'))
      .first()
      .waitFor();
    await write(desk, 'Description', 'Half another thought');
    const box = await desk.story.field('Description').elementHandle();
    await pane.chooseInMenu(pane.row(/Rye is milled/).first(), 'Move to Project…');
    await pane.choose('Shop');
    await eventually(async () => {
      const there = await workspace.ask('GET', `/projects/${projectId}/stories/${id}`);
      assert.deepEqual([elementText(there, 'name'), elementText(there, 'labels')], ['Rye is milled', 'mill']);
    });
    await assert.rejects(async () => workspace.ask('GET', `/projects/1/stories/${id}`), /: 404/);
    // The tab shows the story of the other project in a page of its own.
    await eventually(async () => assert.equal(await box?.isVisible().catch(() => false), false));
    await desk.story.unsaved().first().waitFor();
    await eventually(async () => assert.equal(await written(desk), 'Half another thought'));
    await desk.story.field('Description').focus();
    await press(desk, 'Control+Enter');
    await eventually(async () => {
      const there = await workspace.ask('GET', `/projects/${projectId}/stories/${id}`);
      assert.equal(elementText(there, 'description'), 'Half another thought');
    });
    await runCommand(code.page, 'Story Tracker: Find Story…');
    await code.page.getByPlaceholder('ID such as #12').waitFor();
    await pane.input().fill(`#${id}`);
    const found = code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Rye is milled' }).first();
    await found.filter({ hasText: 'Shop' }).waitFor();
    await screenshot(desk, 'find');
    await code.page.keyboard.press('Enter');
    await pane.hasFocused(/Rye is milled.* of 1 in the icebox/);
    await pane.settle();
    await screenshot(desk, 'moved');
  });

  it('shows in the hover of a row the stories and addresses that its text mentions, and opens them', async () => {
    const { code, pane, story } = desk;
    const description = `After #${shop.storyId}, as on https://example.org/rye, not #99999.`;
    const path = `/projects/${shop.projectId}/stories/${id}`;
    await workspace.ask('PUT', path, `<story><description>${description}</description></story>`);
    await pane.refresh();
    await story.text('as on').first().waitFor();
    const hover = code.page.locator('.workbench-hover', { hasText: 'as on' });
    const mention = hover.getByRole('link', { name: `#${shop.storyId}`, exact: true });
    await eventually(async () => {
      await code.page.mouse.move(700, 500);
      await pane
        .row(/Rye is milled/)
        .first()
        .hover();
      await mention.waitFor({ timeout: 3000 });
    }, 30_000);
    await screenshot(desk, 'hover');
    assert.deepEqual(await hover.getByRole('link').allTextContents(), [`#${shop.storyId}`, 'https://example.org/rye']);
    await mention.click();
    await story.title().filter({ hasText: 'Shop' }).waitFor();
    await screenshot(desk, 'mentioned');
  });

  it('leads from the marker of an old commit to the story in its new project', async () => {
    const { code, story } = desk;
    await runCommand(code.page, 'View: Close All Editors');
    await runCommand(code.page, 'Git: Undo Last Commit');
    const scm = new SourceControlPane(code.page);
    await scm.show();
    await scm.shows(`Mill the rye [#${id}]`);
    const link = code.page.locator('.scm-view .scm-editor .detected-link').first();
    await link.waitFor();
    const card = code.page.locator('.monaco-hover:visible', { hasText: 'Rye is milled' }).first();
    await eventually(async () => {
      await code.page.mouse.move(700, 500);
      await link.hover();
      await card.waitFor({ timeout: 3000 });
    }, 30_000);
    await card.getByRole('link', { name: `#${shop.storyId}`, exact: true }).waitFor();
    await screenshot(desk, 'marker');
    await code.page.mouse.move(700, 500);
    await eventually(async () => {
      // The key draws the link anew below the mouse.
      await link.hover();
      await code.page.keyboard.down('Control');
      await code.page.mouse.down();
      await code.page.mouse.up();
      await code.page.keyboard.up('Control');
      await story.title().filter({ hasText: 'Rye is milled' }).waitFor({ timeout: 5000 });
    }, 30_000);
    await screenshot(desk, 'marked');
  });

  /** Ends VS Code's server, every extension host and the browser, none of which can finish anything. */
  async function kill({ page, server: { process: server } }: VsCode): Promise<void> {
    const ended = once(server, 'exit');
    process.kill(-(server.pid ?? Number.NaN), 'SIGKILL');
    await ended;
    await page.context().close();
  }

  it('keeps in the tab of a new story what was written there until a server has given it its number', async () => {
    const { code, pane, story } = desk;
    await runCommand(code.page, 'View: Close All Editors');
    await pane.show();
    await pane
      .row(/^Icebox, [1-9]/)
      .first()
      .click();
    await workspace.goAway();
    await runCommand(code.page, 'Story Tracker: New Story…');
    await story.field('Name').waitFor();
    await type(desk, 'Spelt');
    await press(desk, 'Control+Enter');
    await story.title().filter({ hasText: 'Spelt' }).waitFor();
    await story.comment().focus();
    await type(desk, 'Not now');
    await press(desk, 'Control+Enter');
    await story
      .alert(/has no ID until/)
      .first()
      .waitFor();
    await story.comment().focus();
    await press(desk, ...SELECT_ALL);
    await type(desk, 'Half a comment');
    await story.task().focus();
    await type(desk, 'Half a task');
    await screenshot(desk, 'unsent');
    await workspace.comeBack();
    await runCommand(code.page, 'Story Tracker: Retry Unsent Changes');
    await code.page
      .locator('.tab')
      .filter({ hasText: /#\d+ .*Spelt/ })
      .waitFor({ timeout: 60_000 });
    await eventually(async () => {
      const timeout = 1000;
      assert.equal(await story.comment().inputValue({ timeout }), 'Half a comment');
      assert.equal(await story.task().inputValue({ timeout }), 'Half a task');
    });
    await screenshot(desk, 'numbered');
  });
});

/** The story of an activity. */
function storyIn(activity: string): string {
  return activity.slice(activity.indexOf('<story>'));
}
