import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context, RootHookObject } from 'mocha';
import type { Page } from 'playwright-core';
import { messageOf } from '../../../src/core/errors.ts';
import { openWindows } from './openWindows.ts';

const screenshots = fileURLToPath(new URL('../../../out/screenshots', import.meta.url));

/** What of a window tells why a test failed, by the name that is printed for it. */
const parts = {
  toast: '.notification-toast',
  question: '.quick-input-widget:visible',
  dialog: '.monaco-dialog-box',
  message: '.tree-explorer-viewlet-tree-view .message',
  status: '.statusbar-item',
  row: '.sidebar .monaco-list-row',
} as const;

/** Characters of what a page of a tab shows that are told. */
const LONGEST_PAGE = 1500;

/** After a test that failed: tells with its error what its windows show, and keeps pictures of them. */
export const mochaHooks: RootHookObject = {
  async afterEach(this: Context) {
    if (this.currentTest?.state !== 'failed') return;
    const title = this.currentTest.fullTitle().replace(/\W+/g, '-').slice(0, 150);
    let number = 0;
    for (const page of openWindows) {
      const told = await tell(page, join(screenshots, `failed-${title}-${++number}.png`)).catch(messageOf);
      process.stdout.write(`${told}\n`);
      const { err } = this.currentTest;
      if (err) err.stack = `${err.stack ?? err.message}\n${told}`;
    }
  },
};

async function tell(page: Page, picture: string): Promise<string> {
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: picture, timeout: 5000 });
  const lines: string[] = [];
  for (const [name, selector] of Object.entries(parts)) {
    const elements = await page.locator(selector).all();
    for (const element of elements) {
      const text = await element.evaluate((shown) => [
        shown.getAttribute('aria-label') ?? '',
        shown.textContent ?? '',
        shown.className,
      ]);
      const state = (text[2] ?? '').match(/\b(selected|focused)\b/g)?.join(' ') ?? '';
      lines.push(`      ${name}: ${(text[0] || text[1] || '').replace(/\s+/g, ' ').slice(0, 300)} ${state}`.trimEnd());
    }
  }
  const focused = page.locator(':focus').first();
  const holder = await focused
    .evaluate((one) => `${one.tagName} ${one.className} ${one.ariaLabel ?? ''}`, undefined, { timeout: 1000 })
    .catch(messageOf);
  lines.push(`      focus: ${holder.slice(0, 300)}`);
  for (const frame of page.frames()) {
    const shown = await frame.evaluate(`document.querySelector('main')?.innerText`).catch(messageOf);
    if (typeof shown === 'string') lines.push(`      page: ${shown.replace(/\s+/g, ' ').slice(0, LONGEST_PAGE)}`);
  }
  return lines.join('\n');
}
