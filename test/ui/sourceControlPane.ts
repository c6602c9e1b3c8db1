import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { showView } from './sideBar.ts';

/** The Source Control view and its commit box as a person sees and works them. */
export class SourceControlPane {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async show(): Promise<void> {
    await showView(this.page, 'Source Control');
    await this.box().waitFor();
  }

  box(): Locator {
    return this.page.locator('.scm-view .scm-editor .view-lines').first();
  }

  /** Waits until the box shows this text; empty lines are left out, since an editor draws them as nothing. */
  async shows(text: string): Promise<void> {
    const wanted = text.split('\n').filter((line) => line.trim() !== '');
    let shown: readonly string[] = [];
    for (let waited = 0; waited < 200; waited++) {
      shown = (await this.box().locator('.view-line').allInnerTexts()).map((line) =>
        line.replaceAll('\u00a0', ' ').trim(),
      );
      if (shown.filter((line) => line !== '').join('\n') === wanted.join('\n').trim()) return;
      await sleep(100);
    }
    throw new Error(`The commit box shows ${JSON.stringify(shown)}, not ${JSON.stringify(wanted)}.`);
  }

  async change(path: string): Promise<void> {
    await this.page.locator('.scm-view .monaco-list-row', { hasText: path }).first().waitFor();
  }

  /** Commits by key and waits until Git has come to rest: it empties the box once more at the end. */
  async commit(): Promise<void> {
    await this.box().click();
    await this.page.keyboard.press('Control+Enter');
    await this.shows('');
    await this.page.locator('.scm-view .monaco-button', { hasText: 'Publish Branch' }).waitFor();
  }
}
