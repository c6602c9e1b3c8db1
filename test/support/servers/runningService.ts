import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The service as its own process with the demo project, on a data folder of its own unless one is given. */
export interface RunningService {
  readonly url: string;
  readonly token: string;
  /** Asks it over HTTP as the demo user; `path` is below `/services/v3`. Throws when the answer is not 200. */
  ask(method: string, path: string, body?: string): Promise<string>;
  stop(): Promise<void>;
}

/** `script` is the bundled service; a `port` is for one that comes back where it was. */
export async function runningService(script: string, dataFolder?: string, port = 0): Promise<RunningService> {
  const folder = dataFolder ?? (await mkdtemp(join(tmpdir(), 'story-tracker-service-')));
  const child = spawn(
    process.execPath,
    [script, 'serve', '--json', '--demo', '--data', folder, '--port', String(port)],
    {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [line] = await once(createInterface(child.stdout), 'line');
  child.stdout.resume();
  const { url, token } = listening(String(line));
  return {
    url,
    token,
    async ask(method, path, body) {
      const response = await fetch(`${url}/services/v3${path}`, {
        method,
        headers: { 'X-ServiceToken': token, ...(body === undefined ? {} : { 'Content-Type': 'application/xml' }) },
        ...(body === undefined ? {} : { body }),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      if (dataFolder === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

function listening(line: string): { readonly url: string; readonly token: string } {
  const { url, token }: { url?: unknown; token?: unknown } = JSON.parse(line);
  if (typeof url !== 'string' || typeof token !== 'string') throw new Error(`The service said ${line}`);
  return { url, token };
}

/** What is inside the first element of that name, as it stands in the XML. */
export function elementText(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}(?: [^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1];
}
