import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { GitRepositoryFolder } from '../support/git/gitRepository.ts';
import { workspaceRepository } from '../support/git/workspaceRepository.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { runCommand } from './commandPalette.ts';
import { GENERATE, messageGenerator } from './messageGenerator.ts';
import { SourceControlPane } from './sourceControlPane.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');
const GENERATED = 'Tell the tide by the moon';
/** Longer than a message has to be left alone to be taken for complete. */
const QUIET_MS = 1500;

describe('Markers and generated messages in a real window', () => {
  let data: string;
  let repository: GitRepositoryFolder;
  let code: VsCode;
  let scm: SourceControlPane;

  const generate = async () => {
    await runCommand(code.page, GENERATE);
    await scm.box().locator('.view-line', { hasText: 'moon' }).waitFor();
  };
  const type = (text: string) => code.page.keyboard.type(text, { delay: 30 });
  async function empty(): Promise<void> {
    await scm.box().click();
    await code.page.keyboard.press('Control+a');
    await code.page.keyboard.press('Delete');
    await scm.shows('');
  }
  async function stays(text: string): Promise<void> {
    await sleep(QUIET_MS);
    await scm.shows(text);
  }

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    data = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    repository = await workspaceRepository();
    await writeFile(join(repository.root, 'tide.txt'), 'High water at noon.\n');
    const generator = await messageGenerator(join(data, 'generator'), GENERATED);
    code = await openBuiltInWindow(data, { folder: repository.root, otherExtensions: [generator] });
    const pane = new StoriesPane(code.page);
    await pane.show();
    await pane
      .row(/started, /)
      .first()
      .waitFor();
    scm = new SourceControlPane(code.page);
    await scm.show();
  });
  after(async () => {
    await code.close();
    await repository.remove();
    await rm(data, { recursive: true, force: true, maxRetries: 5 });
  });
  beforeEach(empty);

  it('keep the one that a person typed, and what is typed next', async () => {
    await type('Tide [#1]');
    await generate();
    await scm.shows(`${GENERATED} [#1]`);
    await code.page.screenshot({ path: join(screenshots, 'keptMarkers-generated.png') });
    await scm.box().click();
    await code.page.keyboard.press('Control+End');
    await type(' once');
    await stays(`${GENERATED} [#1] once`);
  });

  it('leave out the one that a person took out, typed over, or undid', async () => {
    await type('Tide [#1]');
    for (let count = 0; count < ' [#1]'.length; count++) await code.page.keyboard.press('Backspace');
    await generate();
    await stays(GENERATED);
    await empty();
    await type('Tide [#1]');
    await code.page.keyboard.press('Control+a');
    await type('Low water');
    await stays('Low water');
    await generate();
    await stays(GENERATED);
    await empty();
    await type('Tide [#1]');
    await generate();
    await scm.shows(`${GENERATED} [#1]`);
    await scm.box().click();
    await code.page.keyboard.press('Control+z');
    await stays(GENERATED);
  });

  it('leave a message of the history as it was, and the draft behind it', async () => {
    await type('Tell the tide [#2]');
    await scm.commit();
    await repository.git('commit', '--quiet', '--amend', '-m', 'Tell the tide');
    await empty();
    await type('Draft [#1]');
    await code.page.keyboard.press('Control+Home');
    await code.page.keyboard.press('ArrowUp');
    await sleep(QUIET_MS);
    const [first = ''] = await scm.box().locator('.view-line').allInnerTexts();
    assert.doesNotMatch(first, /#1\b/);
    await code.page.keyboard.press('Control+End');
    await code.page.keyboard.press('ArrowDown');
    await stays('Draft [#1]');
  });

  it('begin without one after a commit', async () => {
    await writeFile(join(repository.root, 'moon.txt'), 'Full.\n');
    await type('Look at the moon [#1]');
    await scm.change('moon.txt');
    await scm.commit();
    await generate();
    await stays(GENERATED);
  });
});
