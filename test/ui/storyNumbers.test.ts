import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import type { GitRepositoryFolder } from '../support/git/gitRepository.ts';
import { workspaceRepository } from '../support/git/workspaceRepository.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { runCommand } from './commandPalette.ts';
import { showView } from './sideBar.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('Numbers of stories in a real window', function () {
  this.timeout(180_000);
  let data: string;
  let repository: GitRepositoryFolder;
  let service: RunningService;
  let code: VsCode;
  let id: number;
  let name: string;

  const screenshot = (title: string) => code.page.screenshot({ path: join(screenshots, `storyNumbers-${title}.png`) });
  const storyTab = () => code.page.locator('.tab.active', { hasText: `#${id}` });

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    data = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    service = await runningService(join(root, 'dist/service.js'), data);
    const [, story = ''] = (await service.ask('GET', '/projects/1/iterations/current')).split(/<story>/);
    id = Number(elementText(story, 'id'));
    name = elementText(story, 'name') ?? '';
    repository = await workspaceRepository();
    await writeFile(join(repository.root, 'notes.md'), `# Tide\n\nHigh water, see #${id}, not a#${id}.\n`);
    await writeFile(
      join(repository.root, 'tide.py'),
      `noon = '#${id}'\n\n\n\n\n\n# As #${id} says, the moon is late.\nmoon = 1\n`,
    );
    await repository.git('add', '.');
    await repository.commit(`Tell the tide [fixes #${id}]`, 'tide.txt');
    code = await openBuiltInWindow(data, {
      folder: repository.root,
      userSettings: {
        'terminal.integrated.gpuAcceleration': 'off',
        'workbench.hover.delay': 100,
        'git.blame.editorDecoration.enabled': true,
      },
    });
    const pane = new StoriesPane(code.page);
    await pane.show();
    await pane
      .row(new RegExp(name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .first()
      .waitFor();
  });
  after(async () => {
    await code.close();
    await service.stop();
    await repository.remove();
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  });

  async function open(file: string): Promise<Locator> {
    await code.page.keyboard.press('Control+p');
    await code.page.locator('.quick-input-widget input.input').fill(file);
    await code.page.locator('.quick-input-list .monaco-list-row', { hasText: file }).first().waitFor();
    await code.page.keyboard.press('Enter');
    await code.page.locator('.tab.active', { hasText: file }).waitFor();
    return code.page.locator('.editor-group-container .monaco-editor .view-lines').first();
  }

  /** Others that were shown before are there still, hidden. */
  const shownHover = (text: string) =>
    code.page.locator('.monaco-hover', { hasText: text }).filter({ visible: true }).first();

  /** The story is in the active tab, and this closes it. */
  async function isOpened(): Promise<void> {
    await storyTab().waitFor();
    await storyTab().click({ button: 'middle' });
    await storyTab().waitFor({ state: 'detached' });
  }

  async function followsLink(editor: Locator, title: string): Promise<void> {
    const link = editor.locator('.detected-link');
    await link.first().waitFor();
    assert.equal(await link.count(), 1);
    assert.equal(await link.innerText(), `#${id}`);
    await link.hover();
    await shownHover(name).waitFor();
    await screenshot(title);
    await code.page.mouse.move(700, 700);
    await eventually(async () => {
      if (await storyTab().isVisible()) return;
      // The editor makes the line anew while the key is held.
      const box = await link.boundingBox({ timeout: 10_000 });
      assert.ok(box);
      await code.page.keyboard.down('Control');
      await code.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      await code.page.keyboard.up('Control');
      await storyTab().waitFor({ timeout: 10_000 });
    }, 90_000);
    await isOpened();
  }

  it('are links in Markdown, with the card of the story', async () => {
    await followsLink(await open('notes.md'), 'markdown');
  });

  it('are links in a comment, and not in the code beside it', async () => {
    await followsLink(await open('tide.py'), 'comment');
  });

  it('are links in what Git tells in a terminal', async () => {
    await runCommand(code.page, 'Terminal: Create New Terminal');
    const terminal = code.page.locator('.integrated-terminal .terminal-wrapper.active .xterm');
    await terminal.waitFor();
    await terminal.click();
    await code.page.keyboard.type('git --no-pager log --oneline\n');
    const shown = terminal.locator('.xterm-rows', { hasText: `Tell the tide [fixes #${id}]` });
    await shown.waitFor();
    // The rows move while the panel is still being laid out.
    await eventually(async () => {
      if (await storyTab().isVisible()) return;
      const place = await placeOf(shown, `[fixes #${id}]`, `#${id}`);
      assert.ok(place);
      await code.page.mouse.move(place.x - 200, place.y);
      await code.page.mouse.move(place.x, place.y, { steps: 5 });
      await shownHover(name).waitFor({ timeout: 5_000 });
      await screenshot('terminal');
      await code.page.keyboard.down('Control');
      await code.page.mouse.move(place.x + 1, place.y);
      await code.page.mouse.click(place.x, place.y);
      await code.page.keyboard.up('Control');
      await storyTab().waitFor({ timeout: 10_000 });
    }, 90_000);
    await isOpened();
    await runCommand(code.page, 'Terminal: Kill the Active Terminal Instance');
  });

  /**
   * Rests on something that tells of the commit, and opens the story by a link of the hover. Git tells of a commit anew when its
   * repository is read again, and the hover of what was there before goes then.
   */
  async function opensFromHover(target: Locator, link: string, title: string): Promise<void> {
    await target.waitFor();
    const hover = shownHover('Tell the tide');
    await eventually(async () => {
      if (await storyTab().isVisible()) return;
      await code.page.mouse.move(700, 500);
      await target.hover({ timeout: 5_000 });
      await hover.locator('a', { hasText: link }).waitFor({ timeout: 5_000 });
      await screenshot(title);
      await hover.locator('a', { hasText: link }).click({ timeout: 5_000 });
      await storyTab().waitFor({ timeout: 5_000 });
    }, 90_000);
    await isOpened();
  }

  it('are links in the timeline of a file', async () => {
    await open('tide.txt');
    await showView(code.page, 'Explorer');
    await runCommand(code.page, 'Explorer: Focus on Timeline View');
    const item = code.page.locator('.timeline-tree-view .monaco-list-row', { hasText: 'Tell the tide' });
    await opensFromHover(item, `#${id}`, 'timeline');
  });

  it('are links where Git tells who wrote a line', async () => {
    const editor = await open('tide.txt');
    await editor.click();
    const line = code.page.locator('.editor-group-container .monaco-editor .view-line');
    await opensFromHover(line.locator('span[class*="ced-"]').last(), `#${id}`, 'blame');
  });

  it('have a button below a commit in the graph', async () => {
    await runCommand(code.page, 'Source Control: Focus on Graph View');
    const item = code.page.locator('.scm-history-view .monaco-list-row', { hasText: 'Tell the tide' });
    await opensFromHover(item, 'Open Story', 'graph');
  });
});

/** The middle of a part of a text that is drawn row by row; `undefined` where it is not. */
function placeOf(
  shown: Locator,
  text: string,
  part: string,
): Promise<{ readonly x: number; readonly y: number } | undefined> {
  return shown.evaluate(
    (element, [whole, inside]) => {
      for (const row of element.children) {
        const start = (row.textContent ?? '').indexOf(whole ?? '');
        if (start < 0) continue;
        const { top, height } = row.getBoundingClientRect();
        const range = element.ownerDocument.createRange();
        range.selectNodeContents(row);
        const { left, width } = range.getBoundingClientRect();
        const each = width / (row.textContent ?? '').length;
        const at = start + (whole ?? '').indexOf(inside ?? '') + (inside ?? '').length / 2;
        return { x: left + at * each, y: top + height / 2 };
      }
      return undefined;
    },
    [text, part],
  );
}
