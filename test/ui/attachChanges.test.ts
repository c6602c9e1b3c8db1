import { appendFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GitRepositoryFolder } from '../support/git/gitRepository.ts';
import { workspaceRepository } from '../support/git/workspaceRepository.ts';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { openBuiltInWindow } from './builtInWindow.ts';
import { SourceControlPane } from './sourceControlPane.ts';
import { StoriesPane } from './storiesPane.ts';

const screenshots = fileURLToPath(new URL('../../out/screenshots', import.meta.url));
const STORY = 'Show what waits in the outbox, and why';

describe('Attaching from Source Control in a real window', () => {
  let folder: string;
  let repository: GitRepositoryFolder;
  let code: VsCode;
  let pane: StoriesPane;
  const screenshot = (name: string) => code.page.screenshot({ path: join(screenshots, `attachChanges-${name}.png`) });
  const toast = (text: string | RegExp) => code.page.locator('.notification-toast', { hasText: text });
  const row = (text: string) => code.page.locator('.scm-view .monaco-list-row', { hasText: text }).first();

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    repository = await workspaceRepository();
    await appendFile(join(repository.root, 'README.md'), '\nchanged\n');
    code = await openBuiltInWindow(join(folder, 'data'), { folder: repository.root, installed: true });
    pane = new StoriesPane(code.page);
    await pane.show();
    await pane.row(/^Backlog 6, /).waitFor();
    const changes = new SourceControlPane(code.page);
    await changes.show();
    await changes.change('README.md');
  });
  after(async () => {
    await code.close();
    await repository.remove();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  async function pickStory(): Promise<void> {
    await pane.input().waitFor();
    await pane.input().fill('waits in the outbox');
    await pane.choose(STORY);
  }

  it('attaches a changed file by its menu', async () => {
    await pane.chooseInMenu(row('README.md'), 'Attach to Story');
    await pickStory();
    await toast('Attached README.md to #').waitFor();
    await screenshot('file');
  });

  it('attaches a group of changes as a patch', async () => {
    await pane.chooseInMenu(row('Changes'), 'Attach Changes as Patch');
    await pickStory();
    await toast(/Attached .*-main-unstaged\.patch to #/).waitFor();
    await screenshot('patch');
  });
});
