import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';

/** Chooses a folder in the dialog of VS Code that has this button, as it is where VS Code runs in a browser. */
export async function chooseFolder(page: Page, button: string, folder: string): Promise<void> {
  const widget = page.locator('.quick-input-widget');
  const accept = widget.getByRole('button', { name: button, exact: true });
  await accept.waitFor();
  await eventually(async () => {
    if (!(await accept.isVisible())) return;
    await widget.locator('input.input').fill(`${folder}/`, { timeout: 1000 });
    // The dialog reads what is in the folder, and takes what was typed only then.
    await sleep(500);
    assert.equal(await widget.locator('input.input').inputValue({ timeout: 1000 }), `${folder}/`);
    await accept.click({ timeout: 1000 });
    await accept.waitFor({ state: 'hidden', timeout: 3000 });
  }, 30_000);
}
