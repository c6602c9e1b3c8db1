import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeServerFolder } from '../vscode/codeServerInstall.ts';
import { installExtensions } from '../vscode/installExtensions.ts';
import { startWebServer, type WebServer, workbenchAddress } from '../vscode/webServer.ts';
import type { Place } from './place.ts';
import { calmDown, demoSettings, writeSettings } from './settings.ts';
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
  process.stdout.write(`Story Tracker: ${address}\n`);
  if (open) openInBrowser(address);
  const died = once(server.process, 'exit').then(() => false);
  if (await Promise.race([asked, died])) {
    await server.stop();
    return 0;
  }
  process.stderr.write(`The browser-hosted VS Code ended; its log is ${join(place.home, 'web', 'server.log')}.\n`);
  return 1;
}

async function startServer(place: Place): Promise<WebServer> {
  const dataFolder = join(place.home, 'web');
  const vscodeFolder = await codeServerFolder((line) => void process.stderr.write(`${line}\n`));
  await writeSettings(join(dataFolder, 'data', 'Machine', 'settings.json'), demoSettings(place));
  await calmDown(join(dataFolder, 'data', 'User', 'settings.json'));
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
  child.once('error', () => process.stdout.write('Open this address in a browser.\n'));
  child.unref();
}
