import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame, Page } from 'playwright-core';
import { temporaryFolder } from '../../../scripts/vscode/temporaryFolder.ts';
import { runningService } from '../../support/servers/runningService.ts';
import { openBuiltInWindow } from '../../ui/builtInWindow.ts';
import { StoriesPane } from '../../ui/storiesPane.ts';
import { StoryPage } from '../../ui/storyPage.ts';
import { root } from './service.ts';

export const KEYS = 100;
const ROUNDS = 4;

/**
 * Types into the description `text` of a story in its tab, in a real window. For each key, the milliseconds from when the page hears of
 * it until it has changed the text, run every listener and laid itself out anew. Of several rounds the least counts: what else the
 * machine does at a key is no fault of the page's, and seldom happens at the same key again.
 */
export async function typedKeys(text: string): Promise<readonly number[]> {
  const folder = temporaryFolder('bench-typing');
  const [data, workspace] = [join(folder.path, 'data'), join(folder.path, 'workspace')];
  await mkdir(workspace);
  const service = await runningService(join(root, 'dist/service.js'), data);
  try {
    const fields = `<story_type>chore</story_type><current_state>unscheduled</current_state><description>${text}</description>`;
    await service.ask('POST', '/projects/1/stories', `<story><name>Flour</name>${fields}</story>`);
    const { page, close } = await openBuiltInWindow(data, { folder: workspace });
    try {
      const story = await described(page);
      await story.button('Edit Description').focus();
      for (const key of ['Enter', 'Control+Home']) await page.keyboard.press(key);
      const rounds: (readonly number[])[] = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push(await timed(await story.frame(), page));
      return Array.from({ length: KEYS }, (_, key) => Math.min(...rounds.map((times) => times[key] ?? Number.NaN)));
    } finally {
      await close();
    }
  } finally {
    await service.stop();
    await folder.remove();
  }
}

/** Opens the story in a tab that stays. */
async function described(page: Page): Promise<StoryPage> {
  const [pane, story] = [new StoriesPane(page), new StoryPage(page)];
  await pane.show();
  await pane.expand(pane.row(/^Icebox, /));
  const row = pane.row(/Flour/).first();
  await row.waitFor();
  await pane.settle();
  await row.click();
  await pane.hasFocused(/Flour/);
  await page.keyboard.press('Control+Enter');
  await story.title().filter({ hasText: 'Flour' }).waitFor();
  return story;
}

async function timed(frame: Frame, page: Page): Promise<readonly number[]> {
  await frame.evaluate(`(() => {
    const times = (window.keyTimes = []);
    const ended = (window.keyTiming = new AbortController());
    const { signal } = ended;
    let pressed = 0;
    window.addEventListener('keydown', () => (pressed = performance.now()), { capture: true, signal });
    window.addEventListener('input', () => {
      document.body.getBoundingClientRect();
      times.push(performance.now() - pressed);
    }, { signal });
  })()`);
  for (let typed = 0; typed < KEYS; typed++) await page.keyboard.type('x');
  return frame.evaluate('window.keyTiming.abort() ?? window.keyTimes');
}
