import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, FrameLocator, Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The page of a story in an editor tab. */
export class StoryPage {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  private get content(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  title(): Locator {
    return this.content.getByRole('heading', { level: 1 });
  }

  text(text: string | RegExp): Locator {
    return this.content.getByText(text);
  }

  button(name: string): Locator {
    return this.content.getByRole('button', { name });
  }

  box(name: string): Locator {
    return this.content.getByRole('checkbox', { name });
  }

  /** The link to the changes of a linked commit. */
  commit(shortHash: string): Locator {
    return this.content.locator('a[data-hash]').filter({ hasText: shortHash });
  }

  /** One of the story's facts below its name. */
  fact(text: string): Locator {
    return this.content.locator('.facts li').filter({ hasText: text });
  }

  /** The control in which a field of the story is written. */
  field(name: string): Locator {
    const control = this.content.locator('input, select, textarea, [role="region"]');
    return this.content.getByLabel(name, { exact: true }).and(control);
  }

  /** What can be chosen below the field that has the focus. */
  option(text: string): Locator {
    return this.content.getByRole('option').filter({ hasText: text });
  }

  /** Where a new story will be. */
  where(): Locator {
    return this.content.locator('#where');
  }

  /** Those with an address, wherever it leads. */
  images(): Locator {
    return this.content.locator('img[src]');
  }

  /** The marks of fields that are written and not saved. */
  unsaved(): Locator {
    return this.content.locator('.unsaved').filter({ visible: true });
  }

  /** What leads, at the top, to a text that was kept unsaved. */
  kept(name: string): Locator {
    return this.content.locator('#kept').getByRole('button', { name, exact: true });
  }

  /** The fields of which the page says that they were not sent yet. */
  async unsent(): Promise<readonly string[]> {
    const frame = await this.frame();
    return frame.evaluate(`[...document.querySelectorAll('[data-unsent]')]
      .filter((mark) => mark.checkVisibility({ visibilityProperty: true })).map((mark) => mark.dataset.unsent)`);
  }

  /** What someone else wrote into a field that is being written. */
  theirs(): Locator {
    return this.content.locator('.theirs').filter({ visible: true });
  }

  comment(): Locator {
    return this.content.getByRole('textbox', { name: 'Add a comment' });
  }

  task(): Locator {
    return this.content.getByRole('textbox', { name: 'Add a task' });
  }

  times(): Locator {
    return this.content.locator('time');
  }

  alert(text: string | RegExp): Locator {
    return this.content.getByRole('alert').filter({ hasText: text });
  }

  /** The texts of what a selector finds. */
  async texts(selector: string): Promise<readonly string[]> {
    return (await this.content.locator(selector).allTextContents()).map((text) => text.trim());
  }

  /** What images that a selector finds, and that are there, are called. */
  async seen(selector: string): Promise<readonly string[]> {
    const frame = await this.frame();
    return frame.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})]
      .filter((image) => image.checkVisibility() && image.naturalWidth > 0)
      .map((image) => image.alt)`);
  }

  /** What has the focus: its key, its id, or where its link leads. */
  async focused(): Promise<string> {
    const frame = await this.frame();
    return frame.evaluate(`(() => {
      const element = document.activeElement;
      return element.dataset.key ?? (element.id || element.getAttribute('href') || element.textContent.trim());
    })()`);
  }

  /** Everything that Tab should reach, in the same words. */
  async controls(): Promise<readonly string[]> {
    const frame = await this.frame();
    return frame.evaluate(`[...document.querySelectorAll('a[href], button, input, select, textarea')]
      .filter((element) => element.checkVisibility() && element.tabIndex >= 0)
      .map((element) => element.dataset.key ?? (element.id || element.getAttribute('href') || element.textContent.trim()))`);
  }

  /** What axe has to say that is serious or worse, one line each. */
  async seriousFaults(): Promise<readonly string[]> {
    const frame = await this.frame();
    await frame.evaluate(axe);
    return frame.evaluate(`axe.run(document).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`);
  }

  /** Where the page's own script runs. */
  async frame(): Promise<Frame> {
    return eventually(async () => {
      const outer = await this.page.locator('iframe.webview.ready').elementHandle({ timeout: 1000 });
      const inner = await (await outer?.contentFrame())?.$('iframe#active-frame');
      const frame = await inner?.contentFrame();
      assert.ok(frame, 'there is a page');
      return frame;
    });
  }
}
