import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { type BehaviourName, behaviours, HostileServer } from '../support/servers/hostileServer.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');
const LONG = 'Lorem ipsum '.repeat(8334);
const MARKUP = '<img src=x onerror=alert(1)> **b** $(bug) [run](command:workbench.action.quit)';

/** Installed as users have it, so that notifications are shown where there are any. */
describe('A hostile server in a real window', () => {
  let folder: string;
  let good: FixtureServer;
  let server: HostileServer;
  let code: VsCode;
  let pane: StoriesPane;

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-hostile-'));
    good = await FixtureServer.start();
    server = await HostileServer.start(good.url, 'http://127.0.0.1:9');
    const named = (id: number, name: string) => {
      const text = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      for (const element of ['name', 'description']) {
        good.routes.story(id).elements.set(element, `<${element}>${text}</${element}>`);
      }
    };
    named(103, LONG);
    named(104, `\u202e${MARKUP}`);
    named(105, 'שלום עולם, مرحبا');
    code = await openVsCode({ folder, extensionPath: root, installed: true });
    pane = new StoriesPane(code.page);
  });
  after(async () => {
    await code.close();
    await server.stop();
    await good.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('is shown as text, whatever its stories are called', async () => {
    await pane.show();
    await pane.signIn(server.url.replace('http://', ''), good.token);
    await pane.row(/^Current 12,/).waitFor();
    await pane.expandTo(pane.row(/^Backlog 13,/), pane.row(/Lorem ipsum/));
    const evil = pane.row(/onerror/);
    await evil.hover();
    const hover = code.page.locator('.workbench-hover', { hasText: 'onerror' });
    await hover.waitFor();
    assert.match((await hover.textContent()) ?? '', /<img src=x onerror=alert\(1\)> \*\*b\*\* \$\(bug\) \[run\]/);
    assert.equal(await hover.locator('img, strong strong, a[data-href^="command"], .codicon-bug').count(), 0);
    await code.page.screenshot({ path: join(screenshots, 'hostileServer-names.png') });
    await pane.settle();
  });

  const tried: readonly BehaviourName[] = [
    'sends a page',
    'refuses with markup',
    'sends a bomb of entities',
    'ends in the middle',
  ];
  for (const name of tried) {
    it(`that ${name} leaves the rows as they are, with one sentence above them and nothing that pops up`, async () => {
      const before = await pane.names();
      assert.ok(before.length > 5, before.join('|'));
      server.strike(/./, behaviours[name]);
      await pane.refresh();
      await pane.message(/Shown as of/).waitFor();
      await code.page.screenshot({ path: join(screenshots, `hostileServer-${name.replaceAll(' ', '-')}.png`) });
      assert.deepEqual(await pane.names(), before);
      assert.equal(await code.page.locator('.sidebar .message a, .sidebar .message .codicon-bug').count(), 0);
      assert.equal(await code.page.locator('.notification-toast').count(), 0);
      server.relent();
      await pane.refresh();
      await eventually(async () => assert.equal(await pane.message(/Shown as of/).count(), 0));
      assert.deepEqual(await pane.names(), before);
    });
  }

  it('cannot double a row', async () => {
    const before = await pane.names();
    good.routes.story(106).elements.set('name', '<name>Sweep once</name>');
    server.strike(/current_backlog|stories\?/, ({ response, good: { status, type, body } }) => {
      const twice = body.toString().replaceAll(/<(story|iteration)>[\s\S]*?<\/\1>/g, (one) => one + one);
      response.writeHead(status, { 'content-type': type }).end(twice);
    });
    await pane.refresh();
    await pane.row(/Sweep once/).waitFor();
    assert.equal((await pane.names()).length, before.length);
    assert.equal(await pane.message(/./).count(), 0);
    await code.page.screenshot({ path: join(screenshots, 'hostileServer-doubled.png') });
  });
});
