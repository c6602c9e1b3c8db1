import assert from 'node:assert/strict';
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
    await page.locator('.quick-input-widget input.input').fill(`>${title}`, { timeout: 15_000 });
    const rows = page.locator('.quick-input-list .monaco-list-row');
    const named = rows.filter({ hasText: title });
    await named.first().waitFor({ timeout: 5000 });
    const exact = rows.filter({ has: page.getByText(title, { exact: true }) });
    const row = (await exact.count()) > 0 ? exact.first() : named.first();
    // Enter runs the row that has the focus: another one until the list is filtered, and a similar one that was used lately.
    const isFocused = async () => (await row.getAttribute('class'))?.split(' ').includes('focused') === true;
    for (let at = 0; at < 10 && !(await isFocused()); at++) await page.keyboard.press('ArrowDown');
    assert.ok(await isFocused(), `${title} has the focus`);
  }, 90_000);
  await page.keyboard.press('Enter');
}

/** Reloads the window as a person does: VS Code writes down then which editors are open and what their pages remember. */
export async function reloadWindow(page: Page): Promise<void> {
  // The command itself may take a while until the window knows it.
  const reloaded = page.waitForEvent('load', { timeout: 150_000 });
  await runCommand(page, 'Developer: Reload Window');
  await reloaded;
}
