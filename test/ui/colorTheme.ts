import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { VsCode } from '../support/windows/vscodeHost.ts';
import { runCommand } from './commandPalette.ts';

/** Those that a test looks at, each with the class that VS Code gives its workbench in it. */
const classes = {
  'Default Light Modern': 'vs',
  'Default Dark Modern': 'vs-dark',
  'Default High Contrast': 'hc-black',
  'Default High Contrast Light': 'hc-light',
} as const;

/** Milliseconds after which VS Code has not seen that a file was saved: on a busy machine it misses it now and then. */
const UNSEEN = 10_000;
const MOST_SAVES = 3;

export type ColorTheme = keyof typeof classes;

/**
 * Gives the folder that is open in a window a theme of its own, which is shown when the promise settles. It takes a small part of what
 * another window would.
 */
export async function showInTheme({ page }: VsCode, folder: string, theme: ColorTheme): Promise<void> {
  await mkdir(join(folder, '.vscode'), { recursive: true });
  const settings = JSON.stringify({ 'workbench.colorTheme': theme, 'window.autoDetectHighContrast': false });
  const shown = page.locator(`.monaco-workbench.${classes[theme]}`);
  for (let saves = 1; ; saves += 1) {
    await writeFile(join(folder, '.vscode', 'settings.json'), `${settings}${'\n'.repeat(saves)}`);
    try {
      return await shown.waitFor({ timeout: UNSEEN });
    } catch (error) {
      if (saves === MOST_SAVES) throw error;
    }
  }
}

/** The same, with all tabs closed before: pages are made anew in the theme. */
export async function beginInTheme(code: VsCode, folder: string, theme: ColorTheme): Promise<void> {
  await runCommand(code.page, 'View: Close All Editors');
  await showInTheme(code, folder, theme);
}
