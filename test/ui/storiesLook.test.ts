import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { storyIcon } from '../../src/host/story/storyIcons.ts';
import { type RunningService, runningService } from '../support/servers/runningService.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { beginInTheme } from './colorTheme.ts';
import { StoriesPane } from './storiesPane.ts';
import { StoryPage } from './storyPage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');
const NAMES = [
  'Let the baker see which orders have to be ready before the shop opens at six',
  'Sort rolls',
  'Warn when the flour for tomorrow will not be enough for what has been ordered by now',
  'Überprüfung der Ofentemperatur während der Nachtschicht automatisch protokollieren',
  'パンの注文を店の開店前に一覧で確認できるようにする',
];
const themes = [
  ['light', 'Default Light Modern'],
  ['dark', 'Default Dark Modern'],
  ['high-contrast', 'Default High Contrast'],
  ['high-contrast-light', 'Default High Contrast Light'],
] as const;

describe('Two hundred stories in a narrow window', () => {
  let folder: string;
  let elsewhere: RunningService;
  let code: VsCode;
  let pane: StoriesPane;

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    elsewhere = await runningService(join(root, 'dist/service.js'), join(folder, 'data'));
    const states = ['unstarted', 'started', 'finished', 'delivered', 'rejected'];
    for (let index = 0; index < 200; index++) {
      const type = ['feature', 'bug', 'chore'][index % 3] ?? 'feature';
      const state =
        type === 'chore' ? 'unstarted' : (states[Math.floor(index / NAMES.length) % states.length] ?? 'unstarted');
      const estimate = type === 'feature' ? `<estimate>${index % 4}</estimate>` : '';
      const fields = `<name>${NAMES[index % NAMES.length]} ${index}</name><story_type>${type}</story_type>${estimate}`;
      await elsewhere.ask(
        'POST',
        '/projects/1/stories',
        `<story>${fields}<current_state>${state}</current_state></story>`,
      );
    }
    code = await openBuiltInWindow(join(folder, 'data'), { folder, viewport: { width: 720, height: 900 } });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.row(/^Current \d+, /).waitFor();
  });
  after(async () => {
    await code.close();
    await elsewhere.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  for (const [name, theme] of themes) {
    describe(`in ${name} colours`, () => {
      before(() => beginInTheme(code, folder, theme));

      it('tells the state behind the name, and all of it to who listens', async () => {
        const long = 'Let the baker see which orders have to be ready before the shop opens at six';
        const row = pane.row(new RegExp(long)).first();
        await row.waitFor();
        await row.filter({ hasText: new RegExp(`${long}.*(started|finished)`) }).waitFor();
        await pane.settle();
        await code.page.screenshot({ path: join(screenshots, `look-tree-${name}.png`) });
      });

      it('tells number, points and state where the name is cut off', async () => {
        const rows = await code.page.locator('.sidebar .monaco-list-row').evaluateAll((found) =>
          found.flatMap((row) => {
            const name = row.querySelector('.label-name');
            const icon = row.querySelector('.custom-view-tree-node-item-icon');
            const text = name && row.ownerDocument.createTreeWalker(name, 4).nextNode();
            if (!text || !icon) return [];
            const range = row.ownerDocument.createRange();
            const lead = /^#\d+ (?:[①-⑩] |\(\d+\) )?/.exec(text.textContent ?? '')?.[0] ?? '';
            range.setStart(text, 0);
            range.setEnd(text, lead.length);
            const picture = row.ownerDocument.defaultView?.getComputedStyle(icon).backgroundImage ?? '';
            const spoken = row.getAttribute('aria-label') ?? '';
            const right = row.getBoundingClientRect().right;
            return [{ spoken, lead, picture, isSeen: range.getBoundingClientRect().right < right - 20 }];
          }),
        );
        const stories = rows.filter(({ spoken }) => /^(?:Feature|Bug|Chore|Release), /.test(spoken));
        assert.ok(stories.length > 20, rows.map(({ spoken }) => spoken).join('\n'));
        for (const { spoken, lead, picture, isSeen } of stories) {
          const [type = '', state = ''] = spoken.split(', ');
          assert.ok(isSeen, spoken);
          const points = /, (\d+) points?, /.exec(spoken)?.[1];
          assert.equal(
            lead.split(' ')[1],
            points === undefined ? '' : ['(0)', '①', '②', '③', '④', '⑤'][Number(points)],
            spoken,
          );
          const icon = storyIcon(type.toLowerCase(), state, false)[theme.includes('Light') ? 'light' : 'dark'];
          assert.ok(picture.includes(icon), `${spoken}: ${picture.slice(0, 200)}`);
        }
      });

      it('has a page that can be read', async () => {
        const row = pane.row(/Let the baker see/).first();
        await pane.click(row);
        await pane.pressInRow(row, 'Open Story');
        const story = new StoryPage(code.page);
        await story.title().waitFor();
        await pane.settle();
        await code.page.screenshot({ path: join(screenshots, `look-page-${name}.png`) });
        assert.deepEqual(await story.seriousFaults(), []);
      });
    });
  }
});
