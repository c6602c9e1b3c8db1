import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunningService, runningService } from '../support/servers/runningService.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const script = join(root, 'dist/service.js');

describe('A server that no longer accepts a token', () => {
  let folder: string;
  let service: RunningService;
  let code: VsCode;
  let pane: StoriesPane;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    service = await runningService(script);
    code = await openVsCode({ extensionPath: root, folder });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.signIn(service.url, service.token);
    await pane.row(/^Project Story Tracker$/).waitFor();
    // Another one at its place, with tokens of its own.
    const port = Number(new URL(service.url).port);
    await service.stop();
    service = await runningService(script, join(folder, 'data'), port);
  });
  after(async () => {
    await code.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('has a row that asks for the new one, and for nothing else', async () => {
    const row = pane.row(/^127\.0\.0\.1:\d+ no longer accepts your sign-in\., Sign In Again…$/);
    await pane.refresh();
    await row.waitFor();
    await pane.row(/^Project Story Tracker$/).waitFor();
    await pane.click(row);
    await pane.choose('Token');
    await pane.answer(service.token);
    await row.waitFor({ state: 'detached' });
    await pane.row(/^Current \d+, .+ points$/).waitFor();
  });
});
