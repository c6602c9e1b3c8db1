import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { elementText, type RunningService, runningService } from '../support/runningService.ts';
import { openVsCode, type VsCode } from '../support/vscodeHost.ts';
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
  const listed = () => code.page.locator('.quick-input-list .monaco-list-row');

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-filter-'));
    server = await runningService(join(root, 'dist/service.js'));
    code = await openVsCode({ folder, extensionPath: root });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.welcomeButton('Sign In to a Server…').click();
    await pane.answer(server.url.replace('http://', ''));
    await pane.choose('Token');
    await pane.answer(server.token);
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
      await code.page.getByPlaceholder('Id, as in #12').waitFor();
      await pane.input().fill(`#${elementText(made, 'id')}`);
      await listed().filter({ hasText: 'Made elsewhere' }).waitFor();
      await pane.input().fill('#999999');
      await listed().filter({ hasText: 'was not found' }).waitFor();
      await pane.press('Escape');
    });

    it('puts the exact id first, and shows the row of what was chosen, done stories too', async () => {
      await runCommand(code.page, 'Story Tracker: Find Story…');
      await code.page.getByPlaceholder('Id, as in #12').waitFor();
      await pane.input().fill('1');
      await listed().first().filter({ hasText: '#1 ·' }).waitFor();
      await screenshot('find');
      await code.page.keyboard.press('Enter');
      await code.page.locator('.sidebar .monaco-list-row.selected.focused').waitFor();
      assert.match(await pane.focusedName(), /accepted|delivered|finished|started|unstarted|unscheduled/);
    });
  });
});
