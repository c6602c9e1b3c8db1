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
import { StoriesPane } from './storiesPane.ts';
import { StoryPage } from './storyPage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');
const EVIL = '<img src=x onerror="document.title=\'broken\'"> \u202e[x](command:a)';

/** As texts of servers are shown, with a mark in place of what would turn them. */
const shown = (text: string) => text.replaceAll('\u202e', '\ufffd');

/** VS Code selects all in pages itself, a moment later than it is told to. */
const SELECT_ALL = ['Control+Home', 'Shift+Control+End'] as const;

/** With the keyboard alone, but where a field is first gone to. */
describe('Writing a story in a real window', () => {
  let folder: string;
  let elsewhere: RunningService;
  let code: VsCode;
  let pane: StoriesPane;
  let story: StoryPage;
  let id: string;

  const ask = (method: string, path: string, xml?: string) => elsewhere.ask(method, `/projects/1/stories${path}`, xml);
  const stored = async (name: string) => elementText(await ask('GET', `/${id}`), name);
  const keys = async (...pressed: readonly string[]) => {
    for (const key of pressed) await code.page.keyboard.press(key);
  };
  const type = (text: string) => code.page.keyboard.type(text);
  const screenshot = (name: string) => code.page.screenshot({ path: join(screenshots, `storyWriting-${name}.png`) });
  const see = () => {
    pane = new StoriesPane(code.page);
    story = new StoryPage(code.page);
  };
  const open = async () => {
    code = await openBuiltInWindow(join(folder, 'data'), { folder });
    see();
    await pane.show();
    await openRow(/Flour/);
  };
  const openRow = async (name: RegExp) => {
    const row = pane.row(name).first();
    await pane.expandTo(pane.row(/^Icebox, /), row);
    await pane.settle();
    await pane.click(row);
    await eventually(async () => assert.match(await pane.focusedName(), name));
    await keys('Control+Enter');
    await story.title().filter({ hasText: name }).waitFor();
  };
  const reload = async () => {
    await reloadWindow(code.page);
    see();
  };

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    elsewhere = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
    const made = await ask(
      'POST',
      '',
      '<story><name>Flour</name><story_type>feature</story_type><current_state>unscheduled</current_state></story>',
    );
    id = elementText(made, 'id') ?? '';
    await open();
  });
  after(async () => {
    await code.close();
    await elsewhere.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('changes the name by Enter, and goes back by Escape', async () => {
    await story.button('Edit Name').focus();
    await keys('Enter');
    await type(' and water');
    await keys('Escape');
    await eventually(async () => assert.equal(await story.title().textContent(), 'Flour'));
    await eventually(async () => assert.equal(await story.focused(), 'write-name'));
    await keys('Enter', ...SELECT_ALL);
    await type('Flour is ordered');
    await keys('Enter');
    await story.title().filter({ hasText: 'Flour is ordered' }).waitFor();
    await eventually(async () => assert.equal(await stored('name'), 'Flour is ordered'));
    assert.equal(await story.focused(), 'write-name');
  });

  it('keeps the focus in a name that is refused, and goes back from it by Escape', async () => {
    await story.button('Edit Name').focus();
    await keys('Enter', ...SELECT_ALL, 'Backspace', 'Enter');
    await story.alert('Enter a story name.').waitFor();
    await eventually(async () => assert.equal(await story.focused(), 'field-name'));
    await screenshot('nameless');
    await keys('Escape');
    await eventually(async () => assert.equal(await story.title().textContent(), 'Flour is ordered'));
    assert.equal(await story.focused(), 'write-name');
    assert.equal(await stored('name'), 'Flour is ordered');
  });

  it('goes to the comment by a key, and offers nobody what is theirs already', async () => {
    await story.button('Edit Name').focus();
    await keys('Alt+c');
    await eventually(async () => assert.equal(await story.focused(), 'comment'));
    await story.button('Assign to Me').focus();
    await keys('Enter');
    await story.button('Assign to Me').waitFor({ state: 'hidden' });
    await eventually(async () => assert.equal(await story.focused(), 'giveStoryUp'));
    assert.match((await story.texts('.kicker')).join(), /#\d+Story TrackerIcebox/);
    await screenshot('mine');
    await keys('Enter');
    await story.button('Unassign Story').waitFor({ state: 'hidden' });
    await eventually(async () => assert.equal(await story.focused(), 'ownStory'));
  });

  it('begins with the name where a story is to be edited', async () => {
    await runCommand(code.page, 'Story Tracker: Edit Story');
    await eventually(async () => assert.equal(await story.focused(), 'field-name'));
    await keys('Escape');
    await eventually(async () => assert.equal(await story.focused(), 'write-name'));
  });

  it('has again what Escape discarded, also after a reload, until the field is saved', async () => {
    const restore = () => story.button('Restore Discarded Description');
    await story.button('Edit Description').focus();
    await keys('Enter');
    await type('Ten minutes of work');
    await keys('Escape');
    await restore().waitFor();
    await screenshot('discarded');
    await reload();
    await restore().focus();
    await keys('Enter');
    await eventually(async () => {
      assert.equal(await story.field('Description').inputValue({ timeout: 1000 }), 'Ten minutes of work');
      assert.equal(await story.focused(), 'field-description');
    });
    await restore().waitFor({ state: 'hidden' });
    await story.unsaved().first().waitFor();
    await keys('Escape');
    await restore().focus();
    await keys('Enter', 'Control+Enter');
    await eventually(async () => assert.equal(await stored('description'), 'Ten minutes of work'));
    await eventually(async () => assert.equal(await restore().isVisible(), false));
    await code.page.locator('.statusbar', { hasText: 'Description saved.' }).waitFor();
    await ask('PUT', `/${id}`, '<story><description></description></story>');
    await runCommand(code.page, 'Story Tracker: Refresh');
    await story.text('Ten minutes of work').first().waitFor({ state: 'hidden' });
  });

  it('keeps half a description over a reload, and saves it with its preview beside it', async () => {
    await story.button('Edit Description').focus();
    await keys('Enter');
    await type('Ask the **mill** ');
    await story.unsaved().waitFor();
    await reload();
    await eventually(async () => assert.equal(await story.field('Description').inputValue(), 'Ask the **mill** '));
    await screenshot('unsaved');
    await story.field('Description').focus();
    await keys('Control+End');
    await type(`first.\n\n- rye\n${EVIL}`);
    await story.field('Preview').locator('strong', { hasText: 'mill' }).waitFor();
    await screenshot('description');
    await keys('Control+Enter');
    await eventually(async () => assert.match((await stored('description')) ?? '', /^Ask the \*\*mill\*\* first/));
    await eventually(async () => assert.equal(await story.focused(), 'write-description'));
    assert.equal(await story.unsaved().count(), 0);
    assert.equal(await code.page.title().then((title) => title.includes('broken')), false);
  });

  it('grows with a long description, whose preview follows the cursor', async () => {
    const lines = Array.from({ length: 120 }, (_, index) => `Line ${index}`).join('\n\n');
    const measured = async () => {
      const [height = 0, scrolled = 0, most = 0] = await (await story.frame()).evaluate<readonly number[]>(`(() => {
        const preview = document.getElementById('preview');
        const { height } = document.getElementById('field-description').getBoundingClientRect();
        return [height / innerHeight, preview.scrollTop, preview.scrollHeight - preview.clientHeight];
      })()`);
      return { height, scrolled, most };
    };
    await story.button('Edit Description').focus();
    await keys('Enter');
    const short = await measured();
    await story.field('Description').fill(lines);
    await story.field('Preview').getByText('Line 119').waitFor();
    await keys('Control+End');
    await eventually(async () => {
      const { height, scrolled, most } = await measured();
      assert.ok(height > short.height && height > 0.55 && height < 0.65, `${short.height} to ${height}`);
      assert.ok(most > 100 && scrolled > 0.98 * most, `${scrolled} of ${most}`);
    });
    await screenshot('long');
    await keys('Control+Home');
    const assertAtTop = async () => {
      const { scrolled, most } = await measured();
      assert.ok(scrolled < 0.02 * most, `${scrolled} of ${most}`);
    };
    await eventually(assertAtTop);
    await type('Zero');
    await story.field('Preview').getByText('Zero').waitFor();
    await assertAtTop();
    await keys('Escape');
  });

  it('saves a description by the key that saves files, too', async () => {
    await story.button('Edit Description').focus();
    await keys('Enter', 'Control+End');
    await type(' Soon.');
    await keys('Control+s');
    await eventually(async () => assert.match((await stored('description')) ?? '', / Soon\.$/));
    await eventually(async () => assert.equal(await story.focused(), 'write-description'));
  });

  it('chooses and completes the short fields', async () => {
    await story.field('Estimate').focus();
    await keys('ArrowDown', 'ArrowDown', 'Tab');
    await story.field('Owner').focus();
    await keys('ArrowDown', 'ArrowDown', 'Enter');
    await eventually(async () => assert.notEqual((await stored('owned_by')) ?? '', ''));
    await story.field('Labels').focus();
    await type('mill');
    await keys('Enter');
    await type('flour');
    await keys('Enter');
    await story.button('Remove Label flour').waitFor();
    await eventually(async () => assert.equal(await stored('labels'), 'mill,flour'));
    await eventually(async () => assert.notEqual((await stored('estimate')) ?? '-1', '-1'));
    await screenshot('written');
    assert.deepEqual(await story.seriousFaults(), []);
  });

  it('adds a label that is followed by a comma, and one that is left half typed', async () => {
    await story.field('Labels').focus();
    await type('rye,oat');
    await eventually(async () => assert.equal(await story.field('Labels').inputValue(), 'oat'));
    await story.button('Remove Label rye').waitFor();
    await keys('Tab');
    await story.button('Remove Label oat').waitFor();
    await eventually(async () => assert.match((await stored('labels')) ?? '', /rye,oat|oat,rye/));
    assert.equal(await story.field('Labels').inputValue(), '');
    assert.equal(await story.unsaved().count(), 0);
    await screenshot('labels');
    for (const label of ['rye', 'oat']) await story.button(`Remove Label ${label}`).click();
    await eventually(async () => assert.doesNotMatch((await stored('labels')) ?? '', /rye|oat/));
  });

  it('takes a deadline for a release', async () => {
    await story.field('Type').focus();
    await keys('End', 'Enter');
    await eventually(async () => assert.equal(await stored('story_type'), 'release'));
    await story.field('Deadline').focus();
    await type('12312027');
    await keys('Enter');
    await eventually(async () => assert.match((await stored('deadline')) ?? '', /^2027\/12\/31/));
  });

  it('says at the field why something is refused, and keeps it', async () => {
    await story.field('Requester').focus();
    await keys(...SELECT_ALL);
    await type('Stranger');
    await keys('Enter');
    await story.alert('Stranger is not a member of this project.').waitFor();
    assert.equal(await story.field('Requester').inputValue(), 'Stranger');
    await screenshot('refused');
    await keys('Escape');
    await story.alert('Stranger').waitFor({ state: 'detached' });
  });

  it('shows what someone else wrote beside what is written, and loses neither', async () => {
    await story.button('Edit Description').focus();
    await keys('Enter', ...SELECT_ALL);
    await type('Mine');
    await ask('PUT', `/${id}`, '<story><description>Theirs</description></story>');
    await keys('Control+Enter');
    await story.button('Keep Mine').waitFor();
    await eventually(async () => assert.equal(await stored('description'), 'Theirs'));
    await eventually(async () => assert.deepEqual(await story.theirs().allTextContents(), ['Theirs']));
    assert.equal(await story.field('Description').inputValue(), 'Mine');
    await story.alert('Changed elsewhere.').waitFor();
    await story.field('Description').focus();
    await keys('Control+Enter');
    await story.alert('Not saved. Choose "Keep Mine" or "Take Theirs".').waitFor();
    assert.equal(await stored('description'), 'Theirs');
    assert.equal(await story.button('Discard Unsaved Description').count(), 0);
    assert.deepEqual(await story.seriousFaults(), []);
    await screenshot('conflict');
    await story.button('Compare').click();
    await code.page.locator('.tab', { hasText: 'Theirs ↔ Mine' }).waitFor();
    await code.page.locator('.monaco-diff-editor .view-line', { hasText: 'Mine' }).waitFor();
    await screenshot('compare');
    await code.page.locator('.tab', { hasText: 'Flour is ordered' }).click();
    await story.button('Keep Mine').focus();
    await keys('Enter');
    await eventually(async () => assert.equal(await stored('description'), 'Mine'));
    await story.button('Keep Mine').waitFor({ state: 'hidden' });
  });

  it('loses neither text where two windows write the same description', async () => {
    const first = code;
    await story.button('Edit Description').focus();
    await keys('Enter', ...SELECT_ALL);
    await type('From the first window');
    try {
      await open();
      await story.button('Edit Description').focus();
      await keys('Enter', ...SELECT_ALL);
      await type('From the second window');
      await keys('Control+Enter');
      await eventually(async () => assert.equal(await stored('description'), 'From the second window'));
    } finally {
      await code.close();
      code = first;
      see();
    }
    await story.field('Description').focus();
    await keys('Control+Enter');
    await story.button('Keep Mine').waitFor();
    assert.deepEqual(await story.theirs().allTextContents(), ['From the second window']);
    assert.equal(await story.field('Description').inputValue(), 'From the first window');
    assert.equal(await stored('description'), 'From the second window');
    await story.button('Take Theirs').focus();
    await keys('Enter');
    await story.text('From the second window').first().waitFor();
    await story.button('Take Theirs').waitFor({ state: 'hidden' });
  });

  it('shows what a server says in every field, without any markup of it', async () => {
    const evil = EVIL.replaceAll('<', '&lt;').replaceAll('"', '&quot;');
    const fields = ['name', 'description', 'labels'].map((name) => `<${name}>Bran ${evil}</${name}>`).join('');
    await ask('POST', '', `<story>${fields}<current_state>unscheduled</current_state></story>`);
    await pane.refresh();
    await openRow(/Bran/);
    await story.button(`Remove Label Bran ${shown(EVIL)}`).waitFor();
    await story.button('Edit Name').focus();
    await keys('Enter');
    assert.equal(await story.field('Name').inputValue(), `Bran ${EVIL}`);
    await story.button('Edit Description').focus();
    await keys('Enter');
    await story.field('Preview').filter({ hasText: '<img src=x' }).waitFor();
    await story.field('Labels').focus();
    await type('bran');
    assert.equal(await story.images().count(), 0);
    await screenshot('hostile');
    await code.page.keyboard.press('Escape');
    await code.page.locator('.tab', { hasText: 'Flour is ordered' }).click();
    await story.title().filter({ hasText: 'Flour' }).waitFor();
  });

  for (const [name, theme] of [
    ['dark', 'Default Dark Modern'],
    ['high-contrast', 'Default High Contrast'],
    ['narrow', 'Default Light Modern'],
  ] as const) {
    it(`can be read in ${name}`, async () => {
      await beginInTheme(code, folder, theme);
      if (name === 'narrow') await code.page.setViewportSize({ width: 760, height: 900 });
      await openRow(/Flour/);
      await story.button('Edit Description').focus();
      await keys('Enter');
      await type(' **too**');
      await ask('PUT', `/${id}`, `<story><description>Theirs in ${name}</description></story>`);
      await keys('Control+Enter');
      await story.button('Take Theirs').waitFor();
      await pane.settle();
      await screenshot(name);
      assert.deepEqual(await story.seriousFaults(), []);
      await story.button('Take Theirs').focus();
      await keys('Enter');
      await story.field('Owner').focus();
      await keys('ArrowDown');
      await screenshot(`${name}-owner`);
      await keys('Escape');
    });
  }

  /** As the extension says it. */
  const tell = async (message: object) =>
    (await story.frame()).evaluate(`window.postMessage(${JSON.stringify(message)})`);

  it('shows what the story has in place of a draft that was discarded elsewhere, unless more was typed', async () => {
    const before = await story.field('Requester').inputValue();
    const withdraw = (text: string) => tell({ type: 'draftWithdrawn', field: 'requestedBy', text });
    await story.field('Requester').focus();
    await keys(...SELECT_ALL);
    await type('Mine');
    await story.unsaved().waitFor();
    await withdraw('Min');
    await withdraw('Mine');
    await eventually(async () => assert.equal(await story.field('Requester').inputValue(), before));
    assert.equal(await story.unsaved().count(), 0);
    await type('x');
    await withdraw(before);
    await story.unsaved().waitFor();
    await keys('Escape');
    assert.equal(await story.field('Requester').inputValue(), before);
  });

  it('lets a text be restored that was discarded outside of its page, whether the page shows it already or not', async () => {
    const discard = (text: string) =>
      tell({ type: 'draftsDiscarded', drafts: [{ field: 'description', base: '', text }] });
    const restore = story.button('Restore Discarded Description');
    await discard('Half a thought');
    await restore.click();
    await eventually(async () => assert.equal(await story.field('Description').inputValue(), 'Half a thought'));
    await type(' and more');
    await discard('Half a thought');
    assert.equal(await story.field('Description').inputValue(), 'Half a thought and more');
    await discard('Half a thought and more');
    await restore.waitFor();
    await eventually(async () =>
      assert.notEqual(await story.field('Description').inputValue(), 'Half a thought and more'),
    );
    await screenshot('discarded-elsewhere');
    await restore.click();
    await eventually(async () =>
      assert.equal(await story.field('Description').inputValue(), 'Half a thought and more'),
    );
    await keys('Escape');
  });

  it('offers what another window has of a field, in place of what is written, and the other way round', async () => {
    const base = (await stored('name')) ?? '';
    const other = { base, text: 'From another window' };
    await tell({ type: 'drafts', drafts: [{ field: 'name', base, text: 'From here', problem: '', other }] });
    const said = (text: string) => story.text(text).filter({ visible: true });
    await said('Other text was written here in another window.').waitFor();
    await screenshot('other-window');
    const restore = story.button('Restore Discarded Name');
    const assertWritten = (text: string) =>
      eventually(async () => assert.equal(await story.field('Name').inputValue(), text));
    await restore.click();
    await assertWritten('From another window');
    await said('Discarded.').first().waitFor();
    // A finger rests on the mouse for a moment, in which nothing is saved.
    await restore.click({ delay: 1_000 });
    await assertWritten('From here');
    assert.equal(await stored('name'), base);
    await keys('Escape');
  });

  it('can be read and copied once it is deleted, keeps what was begun, and offers no changes', async () => {
    await story.comment().fill('Begun');
    await ask('DELETE', `/${id}`);
    await pane.refresh();
    await story.alert(/was deleted/).waitFor();
    const controls = {
      ...{
        owner: story.field('Owner'),
        comment: story.comment(),
        task: story.task(),
        estimate: story.field('Estimate'),
      },
      ...{ state: story.button('Change State…'), name: story.button('Edit Name'), add: story.button('Add Task') },
    };
    await eventually(async () => assert.equal(await controls.name.isDisabled(), true));
    for (const [what, control] of Object.entries(controls)) {
      assert.equal(await control.getAttribute('aria-disabled'), 'true', what);
    }
    assert.deepEqual([await controls.owner.isEditable(), await controls.comment.isEditable()], [false, false]);
    assert.equal(await controls.comment.inputValue(), 'Begun');
    await controls.comment.focus();
    await keys('Control+Enter');
    assert.equal(await controls.comment.inputValue(), 'Begun');
    await story.title().dblclick();
    assert.equal(await story.field('Name').isVisible(), false);
    await screenshot('deleted');
    assert.deepEqual(await story.seriousFaults(), []);
  });

  it('keeps what a list no longer offers', async () => {
    const offered = [{ value: 'feature', text: 'feature' }];
    const estimates = [{ value: '', text: 'unestimated' }];
    const texts = { name: 'Flour', description: '', ownedBy: '', requestedBy: '', labels: '', deadline: '' };
    const lists = { unsent: [], labels: [], people: [], projectLabels: [] };
    const fields = { ...lists, texts: { ...texts, type: 'epic', estimate: '20' }, fields: ['type', 'estimate'] };
    const shown = async () => [await story.field('Type').inputValue(), await story.field('Estimate').inputValue()];
    await tell({ type: 'fields', fields: { ...fields, types: offered, estimates } });
    await eventually(async () => assert.deepEqual(await shown(), ['epic', '20']));
    await tell({ type: 'fields', fields: { ...fields, types: offered, estimates: [...estimates, ...offered] } });
    await eventually(async () => assert.equal(await story.field('Estimate').locator('option').count(), 3));
    assert.deepEqual(await shown(), ['epic', '20']);
  });
});
