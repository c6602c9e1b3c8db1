import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { type RunningService, runningService } from '../support/servers/runningService.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { dismissToasts } from './dismissToasts.ts';
import { openViewByDrag, showView } from './sideBar.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');
const STORY = 'Show what waits in the outbox, and why';
const GIB = 1024 ** 3;
const MEBIBYTE = 1024 ** 2;
/** Bytes of a file that is more than memory may grow by, many times over, and is sent whole. */
const LARGE = 512 * MEBIBYTE;
const FILES = ['a-empty.txt', 'b-gone.txt', 'c-huge.bin', 'd-photo.png', 'e-notes é.txt'] as const;
const HUGE = ['x-1.bin', 'x-2.bin', 'x-3.bin', 'x-4.bin'] as const;

describe('Five files dropped from the Explorer in a real window', () => {
  let folder: string;
  let code: VsCode;
  let pane: StoriesPane;
  const work = (...names: readonly string[]) => join(folder, 'work', ...names);
  const screenshot = (name: string) => code.page.screenshot({ path: join(screenshots, `attachFive-${name}.png`) });
  const file = (name: string) => code.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  const toast = (text: string) => code.page.locator('.notification-toast', { hasText: text });
  const story = () => code.page.locator('.sidebar .monaco-list-row', { hasText: STORY }).first();

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    await mkdir(work(), { recursive: true });
    await writeFile(work('a-empty.txt'), '');
    await symlink('not-there-yet.txt', work('b-gone.txt'));
    await sparse('c-huge.bin', LARGE);
    await writeFile(work('d-photo.png'), randomBytes(3_000_000));
    await writeFile(work('e-notes é.txt'), 'first\r\nsecond\0\n');
    await writeFile(work('warm.txt'), 'warm');
    for (const name of HUGE) await sparse(name, GIB);
    code = await openVsCode({
      folder: work(),
      extensionPath: root,
      installed: true,
      userSettings: {
        'explorer.autoReveal': false,
        'storyTracker.builtIn.signIn': 'automatic',
        'storyTracker.builtIn.demoProject': true,
        'storyTracker.builtIn.dataFolder': join(folder, 'data'),
      },
    });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.expandTo(pane.row(/^Backlog 6, /), story());
  });
  after(async () => {
    await code.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  async function sparse(name: string, size: number): Promise<void> {
    await writeFile(work(name), 'begins with words\n');
    await truncate(work(name), size);
    const handle = await open(work(name), 'r+');
    await handle.write('ends with words', size - 15);
    await handle.close();
  }

  async function select(...names: readonly string[]): Promise<void> {
    await showView(code.page, 'Explorer');
    for (const [index, name] of names.entries()) {
      await file(name).click(index === 0 ? {} : { modifiers: ['ControlOrMeta'] });
    }
    await eventually(async () => {
      const selected = code.page.locator('.explorer-folders-view .monaco-list-row.selected');
      assert.equal(await selected.count(), names.length);
    });
  }

  /** Takes selected files up by the row of one; rows that are painted again just then are not dragged. */
  async function pickUp(names: readonly string[], name: string): Promise<void> {
    const { mouse } = code.page;
    await eventually(async () => {
      await select(...names);
      const from = await file(name).boundingBox();
      assert.ok(from);
      await mouse.move(from.x + 60, from.y + from.height / 2);
      await code.page.evaluate(
        'window.isDragged = false; addEventListener("dragstart", () => { isDragged = true; }, true)',
      );
      await mouse.down();
      await mouse.move(from.x + 80, from.y + 40, { steps: 5 });
      const isDragged = eventually(async () => assert.ok(await code.page.evaluate('window.isDragged')), 2000);
      await isDragged.catch(letGo);
    }, 60_000);
  }

  /** Drags files, by the row of `name`, over the view's icon onto the story. */
  async function dropOnStory(names: readonly string[], name: string): Promise<void> {
    const { mouse } = code.page;
    // What is painted anew just then ends a drag, and the files are taken up once more.
    await eventually(async () => {
      await pickUp(names, name);
      await openViewByDrag(code.page, 'Story Tracker', story()).catch(letGo);
    }, 90_000);
    await screenshot('drag');
    const to = await story().boundingBox();
    assert.ok(to);
    await mouse.move(to.x + 100, to.y + to.height / 2, { steps: 8 });
    await mouse.up();
  }

  /** Ends a drag that came to nothing: a drop where the mouse is could be taken for one. */
  async function letGo(thrown: unknown): Promise<never> {
    await code.page.keyboard.press('Escape');
    await code.page.mouse.up();
    throw thrown;
  }

  it('attaches one, so that all is loaded', async () => {
    await dropOnStory(['warm.txt'], 'warm.txt');
    await toast('Attached warm.txt to #').waitFor();
    await dismiss(code.page);
  });

  it('asks about the empty one, sends the others with flat memory and tells of the one that cannot be read', async () => {
    const watched = await watchMemory();
    await dropOnStory([...FILES], 'd-photo.png');
    const dialogue = code.page.locator('.monaco-dialog-box', { hasText: '“a-empty.txt” is empty.' });
    await dialogue.waitFor();
    await screenshot('empty');
    await dialogue.getByRole('button', { name: 'Attach Anyway' }).click();
    await toast('Attached 4 of 5 files to #').waitFor({ timeout: 120_000 });
    await toast('“b-gone.txt” no longer exists.').waitFor();
    await screenshot('result');
    const growth = watched.stop();
    assert.ok(growth < 40 * MEBIBYTE, `${Math.round(growth / MEBIBYTE)} MiB`);
  }).timeout(180_000);

  it('tries only the failed one again', async () => {
    await writeFile(work('not-there-yet.txt'), 'here at last');
    await toast('“b-gone.txt”').getByRole('button', { name: 'Retry Failed' }).click();
    await toast('Attached b-gone.txt to #').waitFor();
    await dismiss(code.page);
  });

  it('has sent every byte of every file, once', async () => {
    const service = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
    try {
      const found = await attached(service);
      assert.deepEqual(found.map(([name]) => name).toSorted(), [...FILES, 'warm.txt']);
      for (const [name, hash] of found) assert.equal(hash, await hashOf(createReadStream(work(name))), name);
    } finally {
      await service.stop();
    }
  }).timeout(120_000);

  /** How soon is printed, and no claim: that depends on what else the machine does. */
  it('stops sending at Cancel', async () => {
    await dropOnStory([...HUGE], 'x-2.bin');
    const progress = toast('Attaching 4 files to #');
    await progress.getByText(' of 4.0 GB (').waitFor();
    await screenshot('progress');
    const since = performance.now();
    await progress.getByRole('button', { name: 'Cancel' }).click();
    await toast('Canceled.').waitFor();
    process.stdout.write(`      stopped at Cancel after ${Math.round(performance.now() - since)} ms\n`);
    // The server goes on until it has what is under way, unless the bytes stop.
    await eventually(async () => assert.deepEqual(await halfFiles(), []));
    await screenshot('cancelled');
  }).timeout(150_000);

  /** Files of the service that are larger than anything whole but not whole. */
  async function halfFiles(): Promise<readonly string[]> {
    const at = join(folder, 'data', 'attachments');
    const sizes = await Promise.all((await readdir(at)).map(async (name) => (await stat(join(at, name))).size));
    return sizes.filter((size) => size > 3_000_000 && size < GIB && size !== LARGE).map(String);
  }

  /** The most that the extension host's memory grows until `stop`, in bytes. */
  async function watchMemory() {
    const pid = await extensionHost(code.server.process.pid ?? 0);
    const before = await residentBytes(pid);
    let highest = before;
    const timer = setInterval(() => {
      void residentBytes(pid).then((now) => {
        highest = Math.max(highest, now);
      });
    }, 50);
    return {
      stop: () => {
        clearInterval(timer);
        return highest - before;
      },
    };
  }

  async function attached(service: RunningService): Promise<readonly (readonly [name: string, hash: string])[]> {
    const stories = await service.ask('GET', '/projects/1/stories');
    const xml = stories.split('<story>').find((one) => one.includes(`<name>${STORY}</name>`)) ?? '';
    const storyId = /<id type="integer">(\d+)/.exec(xml)?.[1];
    const found: (readonly [string, string])[] = [];
    for (const part of xml.split('<attachment>').slice(1)) {
      const path = `/projects/1/stories/${storyId}/attachments/${/<id[^>]*>(\d+)/.exec(part)?.[1]}`;
      const answer = await service.ask('GET', path);
      const address = /<url>([^<]*)<\/url>/.exec(answer)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const { body } = await fetch(new URL(address, service.url));
      assert.ok(body);
      found.push([/<filename>([^<]*)<\/filename>/.exec(answer)?.[1] ?? '', await hashOf(body)]);
    }
    return found;
  }
});

async function dismiss(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await dismissToasts(page);
}

async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of bytes) hash.update(piece);
  return hash.digest('hex');
}

/** The extension host among the processes that the server started. */
async function extensionHost(server: number): Promise<number> {
  const parents = new Map<number, number>();
  const hosts: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const pid = Number(name);
    const status = await readFile(`/proc/${name}/status`, 'utf8').catch(() => '');
    parents.set(pid, Number(/^PPid:\s+(\d+)/m.exec(status)?.[1] ?? 0));
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('--type=extensionHost')) hosts.push(pid);
  }
  const isBelow = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 0 && (pid === server || isBelow(parents.get(pid)));
  const found = hosts.find(isBelow);
  assert.ok(found, 'there is an extension host');
  return found;
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
}
