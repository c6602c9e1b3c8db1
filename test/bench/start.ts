import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from 'playwright-core';
import { openBrowser } from '../../scripts/vscode/browser.ts';
import { endProcess, endWithUs } from '../../scripts/vscode/endProcess.ts';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import type { Bench } from './support/bench.ts';
import { median } from './support/statistics.ts';
import { rounded } from './support/table.ts';

interface Start {
  /** Milliseconds until the address is printed. */
  readonly address: number;
  /** Milliseconds until a story is on screen. */
  readonly painted: number;
}

const STARTS = 5;

/** What a person waits for who starts it the second time: from the program behind `npm start` to stories on screen. */
export const start: Bench = {
  name: 'start',
  async run() {
    const home = temporaryFolder('bench-start');
    try {
      const first = await started(home.path);
      const warm: Start[] = [];
      for (let run = 0; run < STARTS; run += 1) warm.push(await started(home.path));
      const figure = (part: keyof Start) => rounded(median(warm.map((one) => one[part])));
      return [
        {
          what: 'warm start: the program behind npm start to stories on screen',
          value: median(warm.map(({ painted }) => painted)),
          unit: 'ms',
          detail: `address printed after ${figure('address')} ms; median of ${STARTS}; the first start on this folder took ${rounded(first.painted)} ms; browser already open`,
        },
      ];
    } finally {
      await home.remove();
    }
  },
};

async function started(home: string): Promise<Start> {
  const browser = await openBrowser({ profileFolder: join(home, 'browser'), viewport: { width: 1280, height: 860 } });
  const program = fileURLToPath(new URL('programs/startWeb.ts', import.meta.url));
  const begun = performance.now();
  const child = spawn(process.execPath, [program, home], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  endWithUs(child);
  try {
    const printed = await printedAddress(createInterface(child.stdout));
    const address = performance.now() - begun;
    await openStories(browser, printed);
    return { address, painted: performance.now() - begun };
  } finally {
    // Leaving the page lets VS Code write what it remembers of the window.
    await browser.pages()[0]?.goto('about:blank');
    await browser.close();
    await endProcess(child);
  }
}

async function printedAddress(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const [address] = /http:\S+/.exec(line) ?? [];
    if (address !== undefined) return address;
  }
  throw new Error('The start printed no address.');
}

async function openStories(browser: BrowserContext, address: string): Promise<void> {
  const page = browser.pages()[0] ?? (await browser.newPage());
  await page.goto(address);
  await page
    .locator('.sidebar')
    .getByRole('treeitem', { name: /^(feature|bug|chore|release), /i })
    .first()
    .waitFor();
}
