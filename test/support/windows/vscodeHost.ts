import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../../scripts/vscode/browser.ts';
import { codeServerFolder } from '../../../scripts/vscode/codeServerInstall.ts';
import { installExtensions } from '../../../scripts/vscode/installExtensions.ts';
import { calmSettings } from '../../../scripts/vscode/settings.ts';
import { temporaryFolder } from '../../../scripts/vscode/temporaryFolder.ts';
import { startWebServer, type WebServer, workbenchAddress } from '../../../scripts/vscode/webServer.ts';
import { installedPackage } from './installedPackage.ts';
import { openWindows } from './openWindows.ts';

/** Milliseconds in which whatever a test waits for in a window must be there. */
const PATIENCE = 60_000;

export interface VsCodeOptions {
  /** The workspace folder: its path or address, or the path of a `.code-workspace` file. */
  readonly folder: string;
  /** The folder with the extension's `package.json`. */
  readonly extensionPath: string;
  /** A module whose `run()` the extension host calls. */
  readonly testsPath?: string;
  /** Merged over the calm ones; application-scoped ones count too. */
  readonly userSettings?: Readonly<Record<string, unknown>>;
  /** Keeps secrets, settings and mementos: opened again with the same folder it is the same person again. */
  readonly profileFolder?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether the folder is trusted (default); `false` opens it in Restricted Mode. */
  readonly trust?: boolean;
  /**
   * Installs the extension, so that notification toasts are shown; else it is loaded as under development. `package`: what VS Code makes
   * of the `.vsix`, as users have it, in place of the folder.
   */
  readonly installed?: boolean | 'package';
  /** Folders of other extensions that are installed. */
  readonly otherExtensions?: readonly string[];
  /** Whether VS Code has all extensions that come with it; else those that our windows show something of. */
  readonly isComplete?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
}

/** A real VS Code window in a real browser. */
export interface VsCode {
  readonly page: Page;
  readonly server: WebServer;
  /** Ends everything that was started; a profile that nobody named is removed. */
  close(): Promise<void>;
  /** Ends the window and the server and opens both again on the same profile. */
  restart(): Promise<VsCode>;
}

/** Nothing moves by itself: each frame is drawn by the processor. */
const stillSettings = { 'workbench.reduceMotion': 'on', 'editor.cursorBlinking': 'solid' };

/**
 * What VS Code brings along itself and our windows have something of: Git, looks, images, the languages of the files that they open. The
 * other ninety take a sixth of the time in which a window starts; tests inside of VS Code have them all.
 */
const SHOWN_BUILT_INS = [
  ...['configuration-editing', 'diff', 'git', 'git-base', 'javascript', 'json', 'markdown-basics', 'media-preview'],
  ...['theme-defaults', 'theme-seti', 'typescript-basics'],
];

/** With this in the environment all windows have the package, but for those that run tests themselves. */
export const ALL_FROM_PACKAGE = 'STORY_TRACKER_ALL_FROM_PACKAGE';

async function withPackage(options: VsCodeOptions): Promise<VsCodeOptions> {
  const isWanted =
    options.installed === 'package' || (process.env[ALL_FROM_PACKAGE] && options.testsPath === undefined);
  return isWanted ? { ...options, installed: true, extensionPath: await installedPackage() } : options;
}

/** Opens a browser-hosted VS Code; the workbench is drawn when the promise settles. */
export async function openVsCode(wanted: VsCodeOptions): Promise<VsCode> {
  const options = await withPackage(wanted);
  const temporary = options.profileFolder === undefined ? temporaryFolder('vscode') : undefined;
  const profile = temporary?.path ?? options.profileFolder ?? '';
  const removeProfile = async () => temporary?.remove();
  try {
    return await openOn(profile, options, removeProfile);
  } catch (error) {
    await removeProfile();
    throw error;
  }
}

async function openOn(profile: string, options: VsCodeOptions, removeProfile: () => Promise<void>): Promise<VsCode> {
  const server = await startServer(profile, options);
  let browser: BrowserContext | undefined;
  const end = async () => {
    // Leaving the page lets VS Code write its mementos and layout; closing the browser alone would not. A page that
    // crashed or asks whether to stay must not keep us.
    await browser
      ?.pages()[0]
      ?.goto('about:blank', { timeout: 5000 })
      .catch(() => undefined);
    await browser?.close();
    await server.stop();
  };
  try {
    browser = await openBrowser({
      profileFolder: join(profile, 'browser'),
      viewport: options.viewport ?? { width: 1280, height: 860 },
    });
    const page = browser.pages()[0] ?? (await browser.newPage());
    // A window that starts beside other work may take more than Playwright's 30 s until its rows are there.
    page.setDefaultTimeout(PATIENCE);
    openWindows.add(page);
    page.once('close', () => openWindows.delete(page));
    await page.goto(addressFor(server, options));
    if (options.testsPath === undefined) await page.locator('.monaco-workbench .part.statusbar').waitFor();
    return {
      page,
      server,
      close: () => end().finally(removeProfile),
      restart: async () => {
        await end();
        return openOn(profile, options, removeProfile);
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function startServer(profile: string, options: VsCodeOptions): Promise<WebServer> {
  const dataFolder = join(profile, 'server');
  // Machine-scoped settings count only where the extension host's machine keeps them, all others only with the person's.
  for (const kind of ['User', 'Machine']) {
    await mkdir(join(dataFolder, 'data', kind), { recursive: true });
    const settings = JSON.stringify({ ...calmSettings, ...stillSettings, ...options.userSettings }, undefined, 2);
    await writeFile(join(dataFolder, 'data', kind, 'settings.json'), settings);
  }
  const installed = [...(options.installed ? [options.extensionPath] : []), ...(options.otherExtensions ?? [])];
  if (installed.length > 0) await installExtensions(installed, join(dataFolder, 'extensions'));
  const vscodeFolder = await codeServerFolder((line) => void process.stdout.write(`${line}\n`));
  const isComplete = options.isComplete ?? options.testsPath !== undefined;
  const server = await startWebServer(
    {
      vscodeFolder,
      dataFolder,
      ...(!isComplete && { builtInExtensions: await shownBuiltIns(vscodeFolder, profile) }),
      // The browser keeps storage by origin, so a profile must find its old port again.
      port: Number(await readFile(join(profile, 'port'), 'utf8').catch(() => '0')),
      development: !options.installed,
      workspaceTrust: options.trust === false,
    },
    { ...process.env, ...options.env },
  );
  await writeFile(join(profile, 'port'), String(server.port));
  return server;
}

/** A folder with no more than those. */
async function shownBuiltIns(vscodeFolder: string, profile: string): Promise<string> {
  const folder = join(profile, 'built-in');
  await mkdir(folder, { recursive: true });
  for (const name of SHOWN_BUILT_INS) {
    await symlink(join(vscodeFolder, 'extensions', name), join(folder, name)).catch(ignoreExisting);
  }
  return folder;
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

function addressFor(server: WebServer, options: VsCodeOptions): string {
  return workbenchAddress(server, {
    folder: options.folder,
    ...(options.installed ? {} : { extension: options.extensionPath }),
    ...(options.testsPath === undefined ? {} : { tests: options.testsPath }),
  });
}
