import type { Page } from 'playwright-core';

/**
 * Opens a view of the side bar by its icon, unless it is open: a click on its icon would close it. VS Code may be opening it again
 * itself at the same time, and a click then closes it, so it is made sure of.
 */
export async function showView(page: Page, name: 'Explorer' | 'Story Tracker'): Promise<void> {
  const title = page.locator('.sidebar .composite.title').filter({ hasText: name });
  for (let tries = 1; !(await title.isVisible()); tries += 1) {
    // With something unread the name goes on with how much, and a badge lies above the icon.
    await page.locator(`.activitybar [aria-label^="${name}"]`).first().click({ force: true });
    const shown = title.waitFor({ timeout: 5_000 });
    await (tries < 5 ? shown.catch(() => undefined) : shown);
  }
}
