import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('The VS Code that the demo and these tests use', () => {
  let folder: string;
  let code: VsCode;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-ui-'));
    await writeFile(join(folder, 'oven.js'), '// @ts-check\nconst degrees = 220;\ndegrees = 250;\n');
    code = await openVsCode({ folder, extensionPath: root, isComplete: true });
  });
  after(async () => {
    await code.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  it('knows JavaScript, by the language service of its own', async () => {
    await code.page.keyboard.press('Control+p');
    await code.page.locator('.quick-input-widget input.input').fill('oven.js');
    await code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'oven.js' }).first().waitFor();
    await code.page.keyboard.press('Enter');
    await code.page.locator('.view-lines', { hasText: 'degrees = 250' }).waitFor();
    await code.page.locator('.squiggly-error').first().waitFor({ timeout: 60_000 });
  });
});
