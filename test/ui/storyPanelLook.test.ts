import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import { eventually } from '../support/eventually.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { beginInTheme } from './colorTheme.ts';
import { StoriesPane } from './storiesPane.ts';
import { StoryPage } from './storyPage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

/** A PNG of one colour; nobody looks at its check sums but the browser. */
function plainPng(width: number, height: number, [red, green, blue]: readonly [number, number, number]): Buffer {
  const line = [0, ...Array.from({ length: width }, () => [red, green, blue]).flat()];
  const data = deflateSync(Buffer.from(Array.from({ length: height }, () => line).flat()));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(checkSum(body));
  return Buffer.concat([length, body, sum]);
}

function checkSum(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return (sum ^ 0xffffffff) >>> 0;
}

describe('What the story panel shows beside its fields', () => {
  let folder: string;
  let elsewhere: RunningService;
  let code: VsCode;
  let id: string;

  const ask = (method: string, path: string, xml: string) => elsewhere.ask(method, `/projects/1/stories${path}`, xml);
  async function attach(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const form = new FormData();
    form.append('Filedata', new Blob([bytes]), name);
    const sent = await fetch(`${elsewhere.url}/services/v3/projects/1/stories/${id}/attachments`, {
      method: 'POST',
      headers: { 'X-ServiceToken': elsewhere.token },
      body: form,
    });
    assert.equal(sent.status, 200);
  }

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    elsewhere = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
    const fields = '<story_type>feature</story_type><estimate>2</estimate><current_state>unstarted</current_state>';
    const made = await ask('POST', '', `<story><name>Look at the crust</name>${fields}</story>`);
    id = elementText(made, 'id') ?? '';
    const other = elementText(await ask('POST', '', `<story><name>Other crust</name>${fields}</story>`), 'id') ?? '';
    for (const text of ['Read `orders.csv`', 'Sort them by **oven**', `As in #${other}`]) {
      await ask('POST', `/${id}/tasks`, `<task><description>${text}</description></task>`);
    }
    const evil =
      '&lt;img src=x onerror="document.title=1"&gt; [x](javascript:alert(1)) [y](command:workbench.action.quit)';
    await ask(
      'POST',
      `/${id}/notes`,
      `<note><text>Like **#${other}**, see https://bakery.example/orders:\n\n- *rye* first\n- then #4711\n\n${evil}</text></note>`,
    );
    await ask('PUT', `/${id}`, '<story><current_state>started</current_state><labels>crust</labels></story>');
    await attach('crust.png', new Uint8Array(plainPng(320, 180, [196, 138, 74])));
    await attach('evil.png', new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'));
    code = await openBuiltInWindow(join(folder, 'data'), { folder });
  });
  after(async () => {
    await code.close();
    await elsewhere.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  for (const [name, theme, width] of [
    ['light', 'Default Light Modern', 1280],
    ['dark', 'Default Dark Modern', 1280],
    ['high-contrast', 'Default High Contrast', 1280],
    ['narrow', 'Default Dark Modern', 760],
  ] as const) {
    describe(name, () => {
      before(async () => {
        await beginInTheme(code, folder, theme);
        await code.page.setViewportSize({ width, height: 1100 });
      });

      it('shows Markdown, images and history, and has nothing that axe takes for serious', async () => {
        const [pane, story] = [new StoriesPane(code.page), new StoryPage(code.page)];
        await pane.show();
        const row = pane.row(/Look at the crust/);
        await row.waitFor();
        await pane.click(row);
        await pane.pressInRow(row, 'Open Story');
        await story.title().waitFor();
        await story.text('History').waitFor();
        await eventually(async () => assert.deepEqual(await story.texts('.tasks code'), ['orders.csv']));
        await story.text('crust.png').first().scrollIntoViewIfNeeded();
        await eventually(async () => assert.deepEqual(await story.seen('.picture img'), ['crust.png']));
        assert.deepEqual(await story.texts('.notes em'), ['rye']);
        assert.equal((await story.texts('a[data-story]')).length, 2, 'a task and a comment name a story that is known');
        assert.equal((await story.texts('.notes img, [href^="javascript"], [href^="command"]')).length, 0);
        await pane.settle();
        await code.page.screenshot({ path: join(screenshots, `storyPanelLook-${name}.png`) });
        assert.deepEqual(await story.seriousFaults(), []);
      });
    });
  }
});
