import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';

/** Clears the notifications that are shown, so that one to come is not taken for one that was. */
export function dismissToasts(page: Page): Promise<void> {
  const toasts = page.locator('.notification-toast');
  return eventually(async () => {
    if ((await toasts.count()) > 0) {
      await toasts.first().hover({ timeout: 1000 });
      await toasts.first().locator('.codicon-notifications-clear').click({ timeout: 1000 });
    }
    assert.equal(await toasts.count(), 0);
  });
}
