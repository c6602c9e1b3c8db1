import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeServerFolder } from '../vscode/codeServerInstall.ts';
import { installExtensions } from '../vscode/installExtensions.ts';
import { startWebServer, type WebServer, workbenchAddress } from '../vscode/webServer.ts';
import type { Place } from './place.ts';
import { demoSettings, writeFirstSettings, writeSettings } from './settings.ts';
import { claimTurn } from './turn.ts';

/** Serves the browser-hosted VS Code until this process is asked to stop; prints its address when it is ready. */
export async function runWeb(place: Place, open: boolean): Promise<number> {
  const turn = await claimTurn(join(place.home, 'running'));
  if (turn.address !== undefined) {
    process.stdout.write(`Already running: ${turn.address}\n`);
    if (open) openInBrowser(turn.address);
    return 0;
  }
  try {
    return await serve(place, open, turn.announce);
  } finally {
    await turn.end();
  }
}

async function serve(place: Place, open: boolean, announce: (address: string) => Promise<void>): Promise<number> {
  const asked = askedToStop();
  const server = await startServer(place);
  const address = workbenchAddress(server, { folder: place.folder });
  await announce(address);
  process.stdout.write(readyText(address, open, place.home));
  if (open) openInBrowser(address);
  const died = once(server.process, 'exit').then(() => false);
  if (await Promise.race([asked, died])) {
    await server.stop();
    return 0;
  }
  process.stderr.write(`The browser-hosted VS Code ended; its log is ${join(place.home, 'web', 'server.log')}.\n`);
  return 1;
}

/** What there is to do now, for who sees nothing but a terminal. */
export function readyText(address: string, opensBrowser: boolean, home: string): string {
  const lead = opensBrowser ? 'Story Tracker opens in your browser, at' : 'Open this address in a browser:';
  return `\n${lead}\n\n  ${address}\n\nThe README that it shows says what to try. Ctrl+C stops it; your changes are kept in ${home}.\n`;
}

async function startServer(place: Place): Promise<WebServer> {
  const dataFolder = join(place.home, 'web');
  const vscodeFolder = await codeServerFolder((line) => void process.stderr.write(`${line}\n`));
  const machine = {
    ...demoSettings(place),
    // VS Code would offer to open the built-in service's port in a browser, over the first thing one sees.
    'remote.otherPortsAttributes': { onAutoForward: 'ignore' },
  };
  await writeSettings(join(dataFolder, 'data', 'Machine', 'settings.json'), machine);
  await writeFirstSettings(join(dataFolder, 'data', 'User', 'settings.json'));
  await installExtensions([place.root], join(dataFolder, 'extensions'));
  const order = {
    vscodeFolder,
    dataFolder,
    development: false,
    workspaceTrust: false,
    openView: 'storyTracker.stories',
  };
  // The browser keeps its storage by origin: with the port of last time the window comes back as it was left.
  const portFile = join(place.home, 'port');
  const lastPort = Number(await readFile(portFile, 'utf8').catch(() => '0'));
  const server = await startWebServer({ ...order, port: lastPort }, process.env).catch(() =>
    startWebServer({ ...order, port: 0 }, process.env),
  );
  await writeFile(portFile, String(server.port));
  return server;
}

function askedToStop(): Promise<true> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(true));
  });
}

/** The system's way to show an address; without one the printed address has to do. */
function openInBrowser(address: string): void {
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', address]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', address]
        : ['xdg-open', address];
  const child = spawn(command ?? '', args, { stdio: 'ignore', detached: true });
  child.once('error', () => process.stdout.write('No browser could be opened. Open the address above yourself.\n'));
  child.unref();
}
