import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { clickMenuItem } from './menuItem.ts';
import { showView } from './sideBar.ts';

/** Milliseconds after which a click on the same row is one of its own. */
const NO_DOUBLE_CLICK_MS = 700;

/** The Stories view as a person sees and works it. */
export class StoriesPane {
  private readonly page: Page;
  private clickedAt = Number.NEGATIVE_INFINITY;

  constructor(page: Page) {
    this.page = page;
  }

  show(): Promise<void> {
    return showView(this.page, 'Story Tracker');
  }

  welcomeButton(text: string): Locator {
    return this.page.locator('.welcome-view .monaco-button', { hasText: text });
  }

  /** From the welcome of a window in which nobody is signed in, by a token. */
  async signIn(address: string, token: string): Promise<void> {
    await this.welcomeButton('Sign In to a Server…').click();
    await this.answer(address);
    await this.choose('Token');
    await this.answer(token);
  }

  /** From the question for a server on. */
  async signInByPassword(address: string, user: string, password: string): Promise<void> {
    await this.answer(address);
    await this.choose('Username and Password');
    await this.answer(user);
    await this.answer(password);
  }

  /** Rows by the name that a screen reader says. */
  row(name: RegExp): Locator {
    return this.page.locator('.sidebar').getByRole('treeitem', { name });
  }

  /**
   * Clicks a row from elsewhere: the card of the row that was clicked before lies over the rows below it. Never so soon after the last
   * click that both would be a double one, which opens the story with the focus in its tab.
   */
  async click(row: Locator, options?: Parameters<Locator['click']>[0]): Promise<void> {
    await this.leaveRows();
    await sleep(Math.max(0, this.clickedAt + NO_DOUBLE_CLICK_MS - performance.now()));
    await row.click(options);
    this.clickedAt = performance.now();
  }

  async doubleClick(row: Locator): Promise<void> {
    await this.leaveRows();
    await row.dblclick();
  }

  async scrollToTop(): Promise<void> {
    await this.page.mouse.move(200, 400);
    await this.page.mouse.wheel(0, -100_000);
  }

  private leaveRows(): Promise<void> {
    return this.page.mouse.move(700, 500);
  }

  /** Names of the rows on screen, from the top. */
  names(): Promise<readonly string[]> {
    return this.namesOf('.monaco-list-row');
  }

  /** As `names`, of those that are selected. */
  selectedNames(): Promise<readonly string[]> {
    return this.namesOf('.monaco-list-row.selected');
  }

  private async namesOf(selector: string): Promise<readonly string[]> {
    const rows = await this.page
      .locator(`.sidebar ${selector}`)
      .evaluateAll((found) =>
        found.map((row) => [Number(row.getAttribute('data-index')), row.getAttribute('aria-label') ?? ''] as const),
      );
    return rows.toSorted(([a], [b]) => a - b).map(([, name]) => name);
  }

  async focusedName(): Promise<string> {
    const row = this.page.locator('.sidebar .monaco-list-row.focused');
    return (await row.getAttribute('aria-label', { timeout: 5000 })) ?? '';
  }

  /** The focus is on this row, or comes there. */
  async hasFocused(name: string | RegExp): Promise<void> {
    await eventually(async () => {
      const focused = await this.focusedName();
      if (typeof name === 'string') assert.equal(focused, name);
      else assert.match(focused, name);
    });
  }

  /** Has a row open, by the arrow in front of it: a click elsewhere on a story shows it. */
  async expand(row: Locator): Promise<void> {
    const isOpen = async () => assert.equal(await row.getAttribute('aria-expanded', { timeout: 1000 }), 'true');
    await eventually(async () => {
      // A row above it that comes just now takes the click in its place.
      await isOpen().catch(() => row.locator('.monaco-tl-twistie').click({ timeout: 1000 }));
      await eventually(isOpen, 2000);
    }, 30_000);
  }

  /** Has a row closed, where it is in sight. */
  async fold(row: Locator): Promise<void> {
    await eventually(async () => {
      if ((await row.count()) === 0 || (await row.getAttribute('aria-expanded', { timeout: 1000 })) !== 'true') return;
      await row.locator('.monaco-tl-twistie').click({ timeout: 1000 });
      assert.fail('It was open until now.');
    }, 30_000);
  }

  /** As `expand`, until a row below it is there: VS Code folds one that is opened while its parent is painted again. */
  async expandTo(row: Locator, below: Locator): Promise<void> {
    await eventually(async () => {
      await this.expand(row);
      await below.first().waitFor({ timeout: 3_000 });
    }, 60_000);
  }

  /** Keys go to whatever has the focus; rows that they open are there when this returns. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      await this.page.keyboard.press(key);
      await this.rest();
    }
  }

  /** Presses a button that a row shows while the mouse is over it. */
  async pressInRow(row: Locator, name: string | RegExp): Promise<void> {
    await this.rest();
    await eventually(async () => {
      // A row that is painted anew meanwhile shows no button until the mouse comes again.
      await this.page.mouse.move(0, 0);
      await row.hover({ timeout: 2_000 });
      await row.getByRole('button', { name }).click({ timeout: 2_000 });
    });
  }

  /** Drags a row onto another once rows stand still, and lets go when that one shows that it takes it. */
  async drag(row: Locator, target: Locator): Promise<void> {
    await this.leaveRows();
    await this.rest();
    await row.hover();
    await this.page.mouse.down();
    let step = 0;
    await eventually(async () => {
      const box = await target.boundingBox();
      assert.ok(box);
      await this.page.mouse.move(box.x + box.width / 2 + (step++ % 2), box.y + box.height / 2);
      await this.page.locator('.sidebar .monaco-list-row.drop-target').first().waitFor({ timeout: 500 });
    });
    await this.page.mouse.up();
  }

  /** Until rows no longer come and go: VS Code gives a tree that was just painted anew the focus that a box got in between. */
  async rest(): Promise<void> {
    const looks = [''];
    for (let same = 0; same < 2 && looks.length < 100; ) {
      await sleep(200);
      const loading = await this.page.locator('.sidebar .codicon-tree-item-loading').count();
      const look = [loading, ...(await this.names())].join('\n');
      same = loading === 0 && look === looks.at(-1) ? same + 1 : 0;
      looks.push(look);
    }
  }

  refresh(): Promise<void> {
    return this.pressTitle('Refresh');
  }

  clearFilter(): Promise<void> {
    return this.pressTitle('Clear Filter');
  }

  newStory(): Promise<void> {
    return this.pressTitle('Quick Add Story…');
  }

  message(text: RegExp): Locator {
    return this.page.locator('.sidebar .tree-explorer-viewlet-tree-view .message', { hasText: text });
  }

  input(): Locator {
    return this.page.locator('.quick-input-widget input.input');
  }

  /** Types into the open box and sends it off; waits until the box has gone on unless it is to be refused. */
  async answer(text: string, { refused = false } = {}): Promise<void> {
    // All boxes share one input. One that opens just now takes the place of the last, and what was typed goes with that.
    const asked = await eventually(async () => {
      const question = await this.question();
      assert.notEqual(question, '');
      await this.input().fill(text, { timeout: 1000 });
      await sleep(100);
      assert.deepEqual([await this.input().inputValue({ timeout: 1000 }), await this.question()], [text, question]);
      return question;
    });
    await this.page.keyboard.press('Enter');
    for (let waited = 0; !refused && waited < 400 && (await this.question()) === asked; waited++) await sleep(50);
    if (refused) await this.page.locator('.quick-input-widget .monaco-inputbox.error').waitFor();
  }

  /** Chooses from a row's menu, or from one inside of it, which takes no click in the moment after it opened. */
  async chooseInMenu(row: Locator, ...texts: readonly [string, ...string[]]): Promise<void> {
    // A row above it that comes just now takes the click in its place.
    await row.waitFor();
    await this.rest();
    await this.click(row, { button: 'right' });
    // An item holds the menu that it opens.
    const named = (text: string) =>
      this.page
        .locator('.monaco-menu .action-item')
        .filter({ has: this.page.getByText(text, { exact: true }) })
        .last();
    const text = texts.at(-1) ?? '';
    for (const outer of texts.slice(0, -1)) {
      await named(outer).waitFor();
      await eventually(async () => {
        await named(outer).hover({ timeout: 1000 });
        await named(text).waitFor({ timeout: 2000 });
      });
    }
    const item = texts.length > 1 ? named(text) : this.page.locator('.monaco-menu .action-item', { hasText: text });
    await clickMenuItem(item);
  }

  async question(): Promise<string> {
    const widget = this.page.locator('.quick-input-widget');
    return (await widget.isVisible()) ? ((await widget.textContent()) ?? '') : '';
  }

  async choose(label: string): Promise<void> {
    await this.page.locator('.quick-input-list .monaco-list-row', { hasText: label }).first().click();
  }

  /** Chooses from the menu of the view's title. */
  async chooseInTitleMenu(text: string): Promise<void> {
    await this.rest();
    const item = this.page.locator('.monaco-menu .action-item', { hasText: text });
    await eventually(async () => {
      await this.page.keyboard.press('Escape');
      await this.page.locator('.sidebar .pane-header', { hasText: 'Stories' }).hover();
      await this.page
        .locator('.sidebar .pane-header', { hasText: 'Stories' })
        .getByRole('button', { name: /More Actions/ })
        .click();
      await item.waitFor({ timeout: 2000 });
    });
    await clickMenuItem(item);
  }

  private async pressTitle(name: string): Promise<void> {
    const title = this.page.locator('.sidebar .pane-header', { hasText: 'Stories' });
    await title.hover();
    await title.getByRole('button', { name }).click();
  }

  /** Lets hovers, progress and highlights come to rest. */
  async settle(): Promise<void> {
    await this.leaveRows();
    await sleep(1000);
  }
}
