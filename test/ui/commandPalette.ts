import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';

/** Runs a command as a person does; tries again while the window is still starting and does not know it yet. */
export async function runCommand(page: Page, title: string): Promise<void> {
  let isAgain = false;
  await eventually(async () => {
    // Escape empties a commit box that has the focus, also when a quick pick was there a moment ago.
    if (isAgain) await page.keyboard.press('Escape');
    isAgain = true;
    await page.keyboard.press('F1');
    await page.locator('.quick-input-widget input.input').fill(`>${title}`, { timeout: 5000 });
    // Enter runs the row that is focused, which is another until the list is filtered.
    await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title }).waitFor({ timeout: 5000 });
  }, 60_000);
  await page.keyboard.press('Enter');
}
