/**
 * `npm run node -- scripts/pictures.ts`: takes the pictures of the walkthrough and of the README from a real window with the demo project. Build
 * first. Needs pngquant, optipng, gifsicle and ImageMagick (Debian packages of these names).
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { runningService } from '../test/support/servers/runningService.ts';
import { openVsCode, type VsCode } from '../test/support/windows/vscodeHost.ts';
import { SourceControlPane } from '../test/ui/sourceControlPane.ts';
import { StoriesPane } from '../test/ui/storiesPane.ts';
import { StoryPage } from '../test/ui/storyPage.ts';
import { demoRepository } from './start/demoRepository.ts';
import { temporaryFolder } from './vscode/temporaryFolder.ts';

const root = join(import.meta.dirname, '..');
const VIEWPORT = { width: 1180, height: 720 };
/** Pixels from the left, where the side bar ends: names of stories are to be read. */
const SIDE_BAR_END = 470;
const LEFT = 44;
/** On the status bar, where the mouse shows no hover and is in no picture but those of the window. */
const NOWHERE = [700, 712] as const;

type Clip = NonNullable<NonNullable<Parameters<Page['screenshot']>[0]>['clip']>;

const sideBar = (height: number): Clip => ({ x: LEFT, y: 36, width: SIDE_BAR_END - LEFT, height });

class Camera {
  private readonly page: Page;
  private readonly folder: string;

  constructor(page: Page, folder: string) {
    this.page = page;
    this.folder = folder;
  }

  /** Keeps a picture with few colors, below the root of the checkout. */
  async take(path: string, clip?: Clip, colors = 48): Promise<void> {
    const raw = await this.shot(path.replaceAll('/', '-'), clip);
    const target = join(root, path);
    mkdirSync(join(target, '..'), { recursive: true });
    execFileSync('pngquant', ['--force', '--nofs', '--speed', '1', String(colors), '--output', target, raw]);
    execFileSync('optipng', ['-quiet', '-o5', '-strip', 'all', target]);
    process.stdout.write(`${path}: ${statSync(target).size} bytes\n`);
  }

  async shot(name: string, clip?: Clip): Promise<string> {
    const path = join(this.folder, name);
    await this.page.screenshot({ path, ...(clip && { clip }) });
    return path;
  }
}

/** A mouse to be seen: pictures have none. */
async function showMouse(page: Page): Promise<void> {
  await page.evaluate(`{
    const mouse = document.createElement('div');
    mouse.innerHTML = '<svg width="20" height="24" viewBox="0 0 20 24"><path d="M1 1v18l5-4 3 8 4-2-3-7h7z" fill="#222" stroke="#fff" stroke-width="1.5"/></svg>';
    mouse.style.cssText = 'position:fixed;z-index:100000;pointer-events:none;left:-99px;top:0';
    document.body.append(mouse);
    for (const type of ['mousemove', 'dragover', 'drag'])
      document.addEventListener(type, (event) => {
        if (event.clientX + event.clientY === 0) return;
        mouse.style.left = event.clientX + 'px';
        mouse.style.top = event.clientY + 'px';
      }, true);
  }`);
}

async function centerOf(row: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await row.boundingBox();
  if (!box) throw new Error('A row is not on screen.');
  return { x: box.x + 150, y: box.y + box.height / 2 };
}

/** Drags a story above another, with a picture at each step, and makes one moving picture of them. */
async function animateMove(page: Page, camera: Camera, row: Locator, target: Locator): Promise<void> {
  const clip = sideBar(420);
  const frames: { readonly path: string; readonly hundredths: number }[] = [];
  const frame = async (hundredths: number) => {
    frames.push({ path: await camera.shot(`frame-${String(frames.length).padStart(2, '0')}.png`, clip), hundredths });
  };
  const [from, to] = [await centerOf(row), await centerOf(target)];
  await page.mouse.move(from.x + 40, from.y + 60);
  await sleep(500);
  await frame(80);
  await page.mouse.move(from.x, from.y, { steps: 4 });
  await sleep(1500);
  await frame(60);
  await page.mouse.down();
  const STEPS = 8;
  for (let step = 1; step <= STEPS; step++) {
    const y = from.y + ((to.y - from.y) * step) / STEPS;
    await page.mouse.move(from.x + step * 3, y, { steps: 3 });
    await sleep(150);
    await frame(step === STEPS ? 70 : 9);
    if (step === STEPS) await camera.take('media/walkthrough/reorder.png', { ...sideBar(134), y: 250 }, 12);
  }
  await page.mouse.up();
  await sleep(1200);
  await frame(120);
  await page.mouse.move(from.x + 140, to.y + 120, { steps: 3 });
  await sleep(1500);
  await frame(200);
  const moving = join(root, 'docs/pictures/reorder.gif');
  const delays = frames.flatMap(({ path, hundredths }) => ['-delay', String(hundredths), path]);
  execFileSync('convert', [...delays, '-loop', '0', '+dither', '-colors', '48', '-layers', 'OptimizePlus', moving]);
  execFileSync('gifsicle', ['--batch', '-O3', '--lossy=20', moving]);
  process.stdout.write(`docs/pictures/reorder.gif: ${statSync(moving).size} bytes\n`);
}

async function attachTideTable(data: string): Promise<void> {
  const service = await runningService(join(root, 'dist/service.js'), data);
  try {
    const body = new FormData();
    body.set('Filedata', new Blob(['day,high water\n1,06:12\n'.repeat(2000)]), 'tide-table.csv');
    const address = `${service.url}/services/v3/projects/1/stories/32/attachments`;
    const { status } = await fetch(address, { method: 'POST', body, headers: { 'X-ServiceToken': service.token } });
    if (status >= 300) throw new Error(`The file was not attached: ${status}.`);
  } finally {
    await service.stop();
  }
}

async function widenSideBar(page: Page): Promise<void> {
  const sash = page.locator('.sidebar').first();
  const box = await sash.boundingBox();
  if (!box) throw new Error('There is no side bar.');
  await page.mouse.move(box.x + box.width, 300);
  await page.mouse.down();
  await page.mouse.move(SIDE_BAR_END, 300, { steps: 5 });
  await page.mouse.up();
}

async function takeAll(code: VsCode, repository: string, camera: Camera): Promise<void> {
  const { page } = code;
  const pane = new StoriesPane(page);
  await pane.show();
  await widenSideBar(page);
  await pane.welcomeButton('Sign In to a Server…').waitFor();
  await pane.settle();
  await camera.take('media/walkthrough/connect.png', sideBar(230), 10);
  await pane.welcomeButton('Use the Built-in Service').click();
  await pane.row(/^Current \d+, /).waitFor();
  await pane.rest();

  const replica = page.locator('.sidebar .monaco-list-row', { hasText: 'Paint the tree from the local replica' });
  const move = page.locator('.sidebar .monaco-list-row', { hasText: 'Copy the number, link' });
  const above = page.locator('.sidebar .monaco-list-row', { hasText: 'Write down how a key' });
  await pane.doubleClick(replica);
  await new StoryPage(page).title().waitFor();
  await sleep(2000);
  await page.mouse.move(...NOWHERE);
  await sleep(1000);
  await camera.take('docs/pictures/window.png', undefined, 96);
  await camera.take('media/walkthrough/see.png', { x: LEFT, y: 112, width: 600, height: 178 }, 20);

  await pane.expand(replica);
  await pane.settle();
  await pane.rest();
  await camera.take('media/walkthrough/attach.png', { ...sideBar(156), y: 293 }, 8);
  await camera.take('docs/pictures/attach.png', sideBar(480), 48);
  await replica.locator('.monaco-tl-twistie').click();
  await pane.rest();

  await showMouse(page);
  await animateMove(page, camera, move.first(), above.first());
  await page.mouse.move(...NOWHERE);

  appendFileSync(
    join(repository, 'src/clock.js'),
    '\nexport const short = (minutes) => Math.round(minutes / 60) + " h";\n',
  );
  const scm = new SourceControlPane(page);
  await scm.show();
  await scm.change('clock.js');
  await scm.box().click();
  await page.keyboard.type('Tell the hours only #', { delay: 40 });
  await page.locator('.suggest-widget.visible .monaco-list-row').first().waitFor();
  await page.mouse.move(...NOWHERE);
  await sleep(2000);
  await camera.take('media/walkthrough/commit.png', { x: LEFT, y: 70, width: 600, height: 158 }, 10);
  await camera.take('docs/pictures/commit.png', { x: LEFT, y: 36, width: 640, height: 330 }, 64);
}

const work = temporaryFolder('pictures');
const data = join(work.path, 'data');
await attachTideTable(data);
const repository = await demoRepository(join(work.path, 'tide-clock'));
const code = await openVsCode({
  folder: repository,
  extensionPath: root,
  installed: true,
  viewport: VIEWPORT,
  userSettings: {
    'storyTracker.builtIn.demoProject': true,
    'storyTracker.builtIn.dataFolder': data,
    'workbench.hover.delay': 60_000,
  },
});
try {
  await takeAll(code, repository, new Camera(code.page, work.path));
} finally {
  await code.page.screenshot({ path: join(root, 'out', 'pictures-last.png') }).catch(() => undefined);
  await code.close();
  await work.remove();
}
