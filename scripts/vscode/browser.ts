import { type BrowserContext, chromium } from 'playwright-core';
import { commandPath } from './commandPath.ts';

/** The first of them has no windows of its own to draw, which takes time. */
const candidates = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge',
];

/** A Chromium, Chrome or Edge of this machine; `STORY_TRACKER_BROWSER` names another. */
export function browserPath(): string | undefined {
  return commandPath([process.env.STORY_TRACKER_BROWSER ?? '', ...candidates].filter((name) => name !== ''));
}

export interface BrowserOptions {
  /** Where cookies and storage are kept: the same folder again is the same person again. */
  readonly profileFolder: string;
  readonly viewport: { readonly width: number; readonly height: number };
  /** Goes on where it does not know who signed a server's certificate. */
  readonly ignoresCertificates?: boolean;
}

/** A headless window of its own; throws when the machine has no browser for it. */
export async function openBrowser(options: BrowserOptions): Promise<BrowserContext> {
  const executablePath = browserPath();
  if (executablePath === undefined) throw new Error(noBrowser);
  const unsandboxed = process.getuid?.() === 0 || process.env.CI !== undefined;
  return chromium.launchPersistentContext(options.profileFolder, {
    executablePath,
    viewport: options.viewport,
    ignoreHTTPSErrors: options.ignoresCertificates === true,
    permissions: ['clipboard-read', 'clipboard-write'],
    args: [
      ...(unsandboxed ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export const noBrowser =
  'No Chromium, Chrome or Edge was found. Install one (Debian: apt-get install chromium) or name it in STORY_TRACKER_BROWSER.';
