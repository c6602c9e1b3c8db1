import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { clickMenuItem } from './menuItem.ts';

/** One of several repositories in the Source Control view. */
export class RepositoryPane {
  private readonly page: Page;
  private readonly name: string;

  constructor(page: Page, name: string) {
    this.page = page;
    this.name = name;
  }

  row(): Locator {
    return this.page.locator('.scm-view').getByRole('treeitem', { name: `${this.name} Git`, exact: true });
  }

  /** The commit box is the row below. */
  async box(): Promise<Locator> {
    await this.row().waitFor();
    const index = Number(await this.row().getAttribute('data-index')) + 1;
    return this.page.locator(`.scm-view .monaco-list-row[data-index="${index}"] .scm-editor .view-lines`);
  }

  /** Presses a button in the repository's own title. */
  async press(name: RegExp): Promise<void> {
    await this.row().hover();
    await this.row().getByRole('button', { name }).click();
  }

  /** Chooses behind the dots of the repository's title. */
  async chooseMore(text: string): Promise<void> {
    await this.press(/^More Actions/);
    await clickMenuItem(this.page.locator('.monaco-menu .action-item', { hasText: text }));
  }

  /** Waits until the commit box shows this text; empty lines are left out, since an editor draws them as nothing. */
  async shows(text: string): Promise<void> {
    const wanted = text.split('\n').filter((line) => line.trim() !== '');
    await eventually(async () => {
      const lines = (await (await this.box()).locator('.view-line').allInnerTexts()).map((line) =>
        line.replaceAll('\u00a0', ' ').trim(),
      );
      assert.deepEqual(
        lines.filter((line) => line !== ''),
        wanted,
      );
    });
  }
}
