import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Even a window that nobody looks at has asked by then. */
const timeout = 90_000;

describe('What others do, in a real window', function () {
  this.timeout(4 * timeout);
  let folder: string;
  let code: VsCode;
  let pane: StoriesPane;
  let elsewhere: RunningService;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    code = await openBuiltInWindow(join(folder, 'data'), {
      folder,
      userSettings: {
        'storyTracker.pollSeconds': 5,
      },
    });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.row(/^Current \d+, /).waitFor();
    elsewhere = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
  });
  after(async () => {
    await elsewhere.stop();
    await code.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** Renames the first story of the current iteration. */
  async function rename(name: string): Promise<void> {
    const xml = await elsewhere.ask('GET', '/projects/1/iterations/current');
    const id = elementText(xml.slice(xml.indexOf('<story>')), 'id') ?? '';
    await elsewhere.ask('PUT', `/projects/1/stories/${id}`, `<story><name>${name}</name></story>`);
  }

  it('shows without a command, and the selection stays', async () => {
    await pane
      .row(/in iteration \d+$/)
      .nth(1)
      .click();
    const selected = await pane.focusedName();
    await rename('Renamed by a colleague');
    await pane.row(/Renamed by a colleague/).waitFor({ timeout });
    await pane.hasFocused(selected);
  });

  it('shows in a window that is opened later', async () => {
    code = await code.restart();
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.row(/Renamed by a colleague/).waitFor();
    await rename('Renamed once more');
    await pane.row(/Renamed once more/).waitFor({ timeout });
  });
});
