import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { runCommand } from './commandPalette.ts';
import { showView } from './sideBar.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('A story that is looked for before the Stories view was ever seen', () => {
  let folder: string;
  let service: RunningService;
  let code: VsCode;
  let pane: StoriesPane;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    service = await runningService(join(root, 'dist/service.js'));
    for (const name of ['Bakery', 'Cellar']) {
      const id = elementText(await service.ask('POST', '/projects', `<project><name>${name}</name></project>`), 'id');
      for (const number of [1, 2, 3]) {
        const story = `<story><name>${name} ${number}</name><story_type>bug</story_type></story>`;
        await service.ask('POST', `/projects/${id}/stories`, story);
      }
    }
    code = await openVsCode({ extensionPath: root, folder, viewport: { width: 1280, height: 1600 } });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.signIn(service.url, service.token);
    await pane.row(/^Project Cellar$/).waitFor();
    await showView(code.page, 'Explorer');
    await pane.settle();
    code = await code.restart();
    pane = new StoriesPane(code.page);
  });
  after(async () => {
    await code.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** The projects, and what is below each besides the stories of iterations. */
  const outline = async () =>
    (await pane.names())
      .filter((name) => /^(?:Project|Current|Icebox|Bug, unscheduled, (?:Bakery|Cellar))/.test(name))
      .map((name) => name.replace(/ \d+, .*|, \d+ .*/, ''));

  it('is shown below its project, and every other row below its own', async () => {
    const found = code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Bakery 2' }).first();
    await eventually(async () => {
      await code.page.keyboard.press('Escape');
      await runCommand(code.page, 'Story Tracker: Find Story…');
      await code.page.getByPlaceholder(/words/i).waitFor({ timeout: 10_000 });
      await pane.input().fill('Bakery 2', { timeout: 2000 });
      await found.click({ timeout: 5000 });
      await found.waitFor({ state: 'hidden', timeout: 5000 });
    }, 90_000);
    await pane.hasFocused(/, Bakery 2, /);
    const below = ['Current', 'Icebox'];
    await eventually(async () =>
      assert.deepEqual(await outline(), [
        ...['Project Story Tracker', ...below],
        ...['Project Bakery', ...below, ...[1, 2, 3].map(() => 'Bug, unscheduled, Bakery')],
        ...['Project Cellar', ...below],
      ]),
    );
  });
});
