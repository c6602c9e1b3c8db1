/**
 * A program of its own: the browser-hosted VS Code on 127.0.0.1, behind a door that serves this machine's browser only.
 * Started by `webServer.ts`, which tells it what to do in its one argument and hears the port over the IPC channel.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WebServerOrder } from './webServer.ts';

interface VsCodeServer {
  handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void>;
  handleUpgrade(request: IncomingMessage, socket: Socket): void;
}

const order: WebServerOrder = JSON.parse(process.argv[2] ?? '{}');
const vscode = await loadVsCode();
const secretHalf = keptKey(join(order.dataFolder, 'secret-half'));

const server = createServer((request, response) => {
  if (!isOurs(request)) response.writeHead(403).end('This VS Code answers only to its own page.');
  else if (request.method === 'POST' && request.url?.endsWith('/mint-key')) response.end(secretHalf);
  else void vscode.handleRequest(request, withDefaultLayout(response));
});
server.on('upgrade', (request, socket: Socket) => {
  if (isOurs(request)) vscode.handleUpgrade(request, socket);
  else socket.destroy();
});
server.once('error', (error) => stop(1, error.message));
server.listen(order.port, '127.0.0.1', () => process.send?.({ port: portOf() }));
process.once('disconnect', () => stop(0));

/** Without a connection token any page could open a terminal here: only our own address may be named, and only by our own page. */
function isOurs(request: IncomingMessage): boolean {
  const authority = `127.0.0.1:${portOf()}`;
  const origin = request.headers.origin;
  return request.headers.host === authority && (origin === undefined || origin === `http://${authority}`);
}

/** Has the page show `openView` whenever it is loaded; VS Code reads that from its own page only. */
function withDefaultLayout(response: ServerResponse): ServerResponse {
  if (order.openView === undefined) return response;
  const layout = JSON.stringify({ views: [{ id: order.openView }], force: true }).replaceAll('"', '&quot;');
  const end = response.end.bind(response);
  const endWithLayout = (body?: unknown) =>
    end(
      typeof body === 'string'
        ? body.replace('data-settings="{&quot;', `data-settings="{&quot;defaultLayout&quot;:${layout},&quot;`)
        : body,
    );
  return Object.assign(response, { end: endWithLayout });
}

function portOf(): number {
  return (server.address() as AddressInfo).port;
}

async function loadVsCode(): Promise<VsCodeServer> {
  // With this variable set the module exports its server instead of starting one with the command line's options.
  process.env.CODE_SERVER_PARENT_PID = String(process.pid);
  const module = await import(pathToFileURL(join(order.vscodeFolder, 'out', 'server-main.js')).href);
  delete process.env.CODE_SERVER_PARENT_PID;
  const { createServer: createVsCodeServer } = await module.loadCodeWithNls();
  return createVsCodeServer(null, {
    _: [],
    'server-data-dir': order.dataFolder,
    'accept-server-license-terms': true,
    'without-connection-token': true,
    'disable-telemetry': true,
    'telemetry-level': 'off',
    'disable-getting-started-override': true,
    'enable-smoke-test-driver': order.development,
    'disable-workspace-trust': !order.workspaceTrust,
    ...(order.builtInExtensions !== undefined && { 'builtin-extensions-dir': order.builtInExtensions }),
    compatibility: '1.64',
  });
}

/** VS Code's secrets are sealed with this half and one in the browser's profile: it must outlive the process. */
function keptKey(file: string): Buffer {
  if (!existsSync(file)) writeFileSync(file, randomBytes(32), { mode: 0o600 });
  return readFileSync(file);
}

/** Ends the whole process group, so that no extension host is left behind. */
function stop(code: number, reason?: string): void {
  if (reason !== undefined) process.stderr.write(`${reason}\n`);
  if (process.platform !== 'win32') process.kill(-process.pid, 'SIGTERM');
  process.exit(code);
}
