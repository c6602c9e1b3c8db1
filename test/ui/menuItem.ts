import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';

/** Clicks an item of a menu, which takes no click in the moment after it opened, and closes when it has taken one. */
export async function clickMenuItem(item: Locator): Promise<void> {
  await item.waitFor();
  await eventually(async () => {
    if (await item.isVisible()) await item.click({ timeout: 1000 });
    assert.equal(await item.isVisible(), false);
  });
}
