import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';

type ViewName = 'Explorer' | 'Source Control' | 'Story Tracker';

/**
 * Opens a view of the side bar by its icon, unless it is open: a click on its icon would close it. VS Code may be opening it again
 * itself at the same time, and a click then closes it, so it is made sure of. After a restart on a busy machine VS Code shows the
 * Explorer in place of the view that was open.
 */
export async function showView(page: Page, name: ViewName): Promise<void> {
  const title = page.locator('.sidebar .composite.title').filter({ hasText: name });
  for (let tries = 1; !(await title.isVisible()); tries += 1) {
    // In a corner: with something new a badge lies above the icon.
    await iconOf(page, name).click({ position: { x: 4, y: 4 }, force: true });
    const shown = title.waitFor({ timeout: 5_000 });
    await (tries < 5 ? shown.catch(() => undefined) : shown);
  }
}

/**
 * Rests on the icon of a view with what is dragged, until what the view has is shown. VS Code opens it after 0.8 seconds on the icon, or
 * on the badge over it, and begins anew where the mouse goes from one to the other: so it stays in the corner that has no badge.
 */
export async function openViewByDrag(page: Page, name: 'Story Tracker', shown: Locator): Promise<void> {
  const icon = await iconOf(page, name).boundingBox();
  if (!icon) throw new Error(`The icon of ${name} is not there.`);
  await eventually(async () => {
    await page.mouse.move(icon.x + icon.width / 5, icon.y + icon.height / 5, { steps: 3 });
    await shown.waitFor({ timeout: 3_000 });
  }, 10_000);
}

/** With something unread the name goes on with how much. */
function iconOf(page: Page, name: ViewName): Locator {
  return page.locator(`.activitybar [aria-label^="${name}"]`).first();
}
