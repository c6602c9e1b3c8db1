import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listen, type TestServer } from '../support/servers/testServer.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('A sign-in that VS Code has not kept', () => {
  let folder: string;
  let server: TestServer;
  let code: VsCode;

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-forgotten-'));
    server = await listen((_, response) => void response.end('<projects type="array"/>'));
    code = await openVsCode({ folder, extensionPath: root });
  });
  after(async () => {
    await code.close();
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('is explained at the next start, where one signs in again', async () => {
    const pane = new StoriesPane(code.page);
    await pane.show();
    await pane.signIn(server.url, 'x');
    await pane.welcomeButton('New Project…').waitFor();
    // Where VS Code keeps the secrets of a browser.
    await code.page.evaluate(() => localStorage.removeItem('secrets.provider'));
    code = await code.restart();
    const later = new StoriesPane(code.page);
    await later.show();
    const welcome = code.page.locator('.welcome-view', { hasText: 'VS Code did not keep your sign-in' });
    await welcome.waitFor();
    await later.welcomeButton('Sign In…').waitFor();
    await code.page.screenshot({ path: join(screenshots, 'forgottenSignIn.png') });
    await later.welcomeButton('Sign In…').click();
    await later.choose('Server…');
    await later.answer(server.url);
    await later.choose('Token');
    await later.answer('x');
    await welcome.waitFor({ state: 'detached' });
  });
});
