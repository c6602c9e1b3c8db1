import type { Locator, Page } from 'playwright-core';

/** The Activity view as a person sees and works it. */
export class ActivityPane {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** The view with its title. */
  pane(): Locator {
    return this.page.locator('.sidebar .pane', { has: this.title() });
  }

  title(): Locator {
    return this.page.locator('.pane-header', { hasText: 'Activity' });
  }

  /** Opens the view below the stories. */
  async expand(): Promise<void> {
    if ((await this.title().getAttribute('aria-expanded')) !== 'true') await this.title().click();
  }

  async collapse(): Promise<void> {
    if ((await this.title().getAttribute('aria-expanded')) === 'true') await this.title().click();
  }

  /** Rows by the name that a screen reader says. */
  row(name: RegExp): Locator {
    return this.pane().getByRole('treeitem', { name });
  }

  /** Names of the rows on screen, from the top. */
  async names(): Promise<readonly string[]> {
    const rows = await this.pane()
      .locator('.monaco-list-row')
      .evaluateAll((found) =>
        found.map((row) => [Number(row.getAttribute('data-index')), row.getAttribute('aria-label') ?? ''] as const),
      );
    return rows.toSorted(([a], [b]) => a - b).map(([, name]) => name);
  }

  /** The number on the icon in the activity bar; empty when there is none. */
  async badge(): Promise<string> {
    const badge = this.page.locator('.activitybar .action-item', {
      has: this.page.locator('[aria-label^="Story Tracker"]'),
    });
    return (await badge.locator('.badge-content').first().textContent()) ?? '';
  }

  async press(name: string): Promise<void> {
    await this.title().hover();
    await this.title().getByRole('button', { name }).click();
  }
}
