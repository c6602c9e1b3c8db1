import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { runCommand } from './commandPalette.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('What is selected and expanded in the Stories view', () => {
  let folder: string;
  let elsewhere: RunningService;
  let code: VsCode;
  let pane: StoriesPane;
  let ids: Readonly<Record<'mine' | 'renamed' | 'moved' | 'deleted', string>>;
  let round = 0;

  const ask = (method: string, path: string, xml?: string) => elsewhere.ask(method, `/projects/1/stories${path}`, xml);
  const make = async (name: string) => {
    const fields = `<story_type>bug</story_type><labels>kept</labels><name>${name}</name>`;
    return elementText(await ask('POST', '', `<story>${fields}</story>`), 'id') ?? '';
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    elsewhere = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
    code = await openBuiltInWindow(join(folder, 'data'), {
      folder,
    });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.row(/^Current \d+, /).waitFor();
  });
  after(async () => {
    await code.close();
    await elsewhere.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  beforeEach(async () => {
    round += 1;
    ids = {
      mine: await make(`Mine ${round}`),
      renamed: await make(`Old name ${round}`),
      moved: await make(`Moved ${round}`),
      deleted: await make(`Deleted ${round}`),
    };
    await pane.refresh();
  });

  /** Another client renames, moves, deletes and adds stories; the view is refreshed. */
  async function changeElsewhere(): Promise<void> {
    await ask('PUT', `/${ids.renamed}`, `<story><name>New name ${round}</name></story>`);
    await ask('POST', `/${ids.moved}/moves?move[move]=before&move[target]=${ids.mine}`);
    await ask('DELETE', `/${ids.deleted}`);
    await make(`Added ${round}`);
    await pane.refresh();
    await pane
      .row(new RegExp(`New name ${round}`))
      .first()
      .waitFor();
    await pane
      .row(new RegExp(`Added ${round}`))
      .first()
      .waitFor();
    await pane
      .row(new RegExp(`Deleted ${round}`))
      .first()
      .waitFor({ state: 'detached' });
  }

  async function assertKept(group: RegExp): Promise<void> {
    const mine = pane.row(new RegExp(`, Mine ${round}, `));
    await pane.expandTo(pane.row(group), mine);
    await mine.first().click();
    const expanded = await expandedNames();
    await changeElsewhere();
    await pane.hasFocused(new RegExp(`, Mine ${round}, `));
    await eventually(async () => assert.equal(await mine.first().getAttribute('aria-selected'), 'true'));
    await eventually(async () => assert.deepEqual(await expandedNames(), expanded));
  }

  /** What the rows that are open are called, without what they count. */
  async function expandedNames(): Promise<readonly string[]> {
    const names = await pane
      .row(/./)
      .evaluateAll((rows) =>
        rows
          .filter((row) => row.getAttribute('aria-expanded') === 'true')
          .map((row) => row.getAttribute('aria-label') ?? ''),
      );
    return names.map((name) => name.split(',')[0] ?? '').toSorted();
  }

  const group = async (label: string) => {
    await runCommand(code.page, 'Story Tracker: Group Stories By…');
    await code.page.getByPlaceholder('Rows to show below each project').waitFor();
    await pane.choose(label);
  };

  it('stays when another client renames, moves, adds and deletes stories', async () => {
    for (const row of [/^Current \d+, /, /^Backlog \d+, /]) {
      const first = pane.row(row).first();
      if ((await first.getAttribute('aria-expanded')) === 'true') await first.click();
    }
    await assertKept(/^Icebox, /);
  });

  it('stays so when the window is opened again', async () => {
    const [current, backlog] = [() => pane.row(/^Current \d+, /), () => pane.row(/^Backlog \d+, /).first()];
    await pane.expand(pane.row(/^Icebox, /));
    await pane.expand(backlog());
    assert.equal(await current().getAttribute('aria-expanded'), 'false');
    const expanded = await expandedNames();
    // VS Code writes down what an extension remembers a moment later: a long one behind a busy machine.
    for (let moments = 0; moments < 5; moments++) await pane.settle();
    code = await code.restart();
    pane = new StoriesPane(code.page);
    await pane.show();
    await current().waitFor();
    await eventually(async () => assert.deepEqual(await expandedNames(), expanded));
    await backlog().click();
    await eventually(async () => assert.equal(await backlog().getAttribute('aria-expanded'), 'false'));
  });

  it('stays so with a filter', async () => {
    await pane.settle();
    await pane.click(pane.row(/^Project Story Tracker$/));
    await code.page.keyboard.press('Control+f');
    await code.page.getByPlaceholder('Example: state:started').waitFor();
    await pane.input().fill('label:kept');
    await code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Show Matching Stories' }).click();
    await pane.message(/^Filter: label:kept/).waitFor();
    await assertKept(/^Icebox, /);
    await pane.clearFilter();
    await pane.message(/^Filter/).waitFor({ state: 'hidden' });
    // The click on it, for the focus, had folded it.
    const project = pane.row(/^Project Story Tracker$/);
    assert.equal(await project.getAttribute('aria-expanded'), 'false');
    await pane.expand(project);
  });

  it('stays so when stories are grouped otherwise', async () => {
    await group('Label');
    await assertKept(/^Label kept, /);
    await group('Iteration');
    await pane.row(/^Current \d+, /).waitFor();
  });
});
