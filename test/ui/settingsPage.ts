import type { FrameLocator, Locator, Page } from 'playwright-core';
import { StoryPage } from './storyPage.ts';

/** The page of a project's settings in an editor tab. */
export class SettingsPage {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  private get content(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
  }

  section(name: string): Locator {
    return this.content.getByRole('region', { name, exact: true });
  }

  field(section: string, name: string): Locator {
    return this.section(section).getByLabel(name, { exact: true });
  }

  save(section: string): Locator {
    return this.section(section).getByRole('button', { name: `Save ${section}` });
  }

  button(section: string, name: string): Locator {
    return this.section(section).getByRole('button', { name, exact: true });
  }

  refusals(): Locator {
    return this.content.locator('.refusal').filter({ visible: true });
  }

  /** The address that an invited person sets a password at. */
  invitation(): Locator {
    return this.content.locator('#invited code');
  }

  theirs(): Locator {
    return this.content.locator('.theirs').filter({ visible: true });
  }

  unsaved(section: string): Locator {
    return this.section(section).getByText('Unsaved', { exact: true });
  }

  notice(): Locator {
    return this.content.locator('#notice');
  }

  seriousFaults(): Promise<readonly string[]> {
    return new StoryPage(this.page).seriousFaults();
  }
}
