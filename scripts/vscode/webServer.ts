import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endProcess, endWithUs } from './endProcess.ts';

/** What the program behind `startWebServer` is told. */
export interface WebServerOrder {
  /** The installed browser-hosted VS Code. */
  readonly vscodeFolder: string;
  /** Where it keeps settings, extensions and logs. */
  readonly dataFolder: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Lets the page name extensions under development; hides notification toasts. */
  readonly development: boolean;
  readonly workspaceTrust: boolean;
  /** Folder of the extensions that VS Code brings along itself; all that come with it when nothing is said. */
  readonly builtInExtensions?: string;
  /** Id of the view that a window shows when it is loaded. */
  readonly openView?: string;
}

export interface WebServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts the browser-hosted VS Code; it is usable when the promise settles and ends with this process. */
export async function startWebServer(order: WebServerOrder, env: NodeJS.ProcessEnv): Promise<WebServer> {
  mkdirSync(order.dataFolder, { recursive: true });
  const log = join(order.dataFolder, 'server.log');
  const out = openSync(log, 'a');
  const program = fileURLToPath(new URL('webServerProgram.ts', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(order)], {
    env,
    detached: true,
    stdio: ['ignore', out, out, 'ipc'],
  });
  endWithUs(child);
  const port = await portOf(child, log);
  return { port, origin: `http://127.0.0.1:${port}`, process: child, stop: () => endProcess(child) };
}

async function portOf(child: ChildProcess, log: string): Promise<number> {
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The browser-hosted VS Code did not start:\n${readFileSync(log, 'utf8').slice(-4000)}`);
  });
  const [message] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => undefined);
  return Number(message.port);
}

export interface WorkbenchPlace {
  /** A path or an address; or a `.code-workspace` file, which may name several. */
  readonly folder: string;
  /** An extension folder to load from source. */
  readonly extension?: string;
  /** A module whose `run()` the extension host calls. */
  readonly tests?: string;
}

/** The address that shows `place`; the development pairs need a server started with `development`. */
export function workbenchAddress(server: { readonly origin: string }, place: WorkbenchPlace): string {
  const { host } = new URL(server.origin);
  const remote = (path: string) => `vscode-remote://${host}${path}`;
  const payload = [
    ...(place.extension === undefined ? [] : [['extensionDevelopmentPath', remote(place.extension)]]),
    ...(place.tests === undefined ? [] : [['extensionTestsPath', remote(place.tests)]]),
  ];
  const kind = place.folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
  const query = new URLSearchParams({ [kind]: place.folder });
  if (payload.length > 0) query.set('payload', JSON.stringify(payload));
  return `${server.origin}/?${query}`;
}
