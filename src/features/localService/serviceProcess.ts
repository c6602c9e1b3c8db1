import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../core/log.ts';
import { withoutEnd } from '../../core/text.ts';

const START_MS = 30_000;
const STOP_MS = 5_000;

/** One run of the service as a child process. It also ends by itself when our end of its standard input closes. */
export class ServiceProcess {
  /** Rejects with the child's last words when it ends, or says nothing for too long, before it listens. */
  readonly access: Promise<Listening>;
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private readonly ended: Promise<string>;
  private _alive = true;
  private stopping = false;
  private lastWords = '';

  constructor(script: string, args: readonly string[], log: Log) {
    this.child = spawn(process.execPath, [script, ...args], {
      env: serviceEnvironment(process.env),
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    log.info(`built-in service: started as process ${this.child.pid ?? 'unknown'}`);
    this.child.stdin.on('error', () => undefined);
    createInterface(this.child.stderr).on('line', (line) => {
      this.lastWords = line || this.lastWords;
      log.warn(`built-in service: ${line}`);
    });
    this.ended = this.end(log);
    this.access = this.listening();
    this.access.catch(() => this.stop());
  }

  get alive(): boolean {
    return this._alive;
  }

  /** Asks it to finish what is under way, and ends it when it does not. */
  async stop(): Promise<void> {
    this.stopping = true;
    if (!this._alive) return;
    this.child.stdin.end();
    this.child.kill('SIGTERM');
    const patience = new AbortController();
    await Promise.race([this.ended, pause(STOP_MS, undefined, { signal: patience.signal }).catch(() => undefined)]);
    patience.abort();
    if (this._alive) this.child.kill('SIGKILL');
    await this.ended;
  }

  /** Resolves with how it ended; never rejects. */
  private end(log: Log): Promise<string> {
    return new Promise((resolve) => {
      const done = (how: string) => {
        if (this._alive) log[this.stopping ? 'info' : 'warn'](`built-in service: ${how}`);
        this._alive = false;
        resolve(how);
      };
      this.child.once('error', ({ message }) => done(`could not be started: ${message}`));
      this.child.once('exit', (code, signal) => done(`ended with ${signal ?? `code ${code}`}`));
    });
  }

  private async listening(): Promise<Listening> {
    const lines = createInterface(this.child.stdout);
    const patience = new AbortController();
    const { signal } = patience;
    try {
      return await Promise.race([
        once(lines, 'line', { signal }).then(([line]) => listeningOf(String(line))),
        this.ended.then((how) => Promise.reject(new Error(`The built-in service ${how}. ${this.lastWords}`))),
        pause(START_MS, undefined, { signal }).then(() =>
          Promise.reject(new Error('The built-in service does not respond.')),
        ),
      ]);
    } finally {
      patience.abort();
      // Later lines are not for us, but must be read so that the service never waits for a full pipe.
      this.child.stdout.resume();
    }
  }
}

/** What the service needs of our environment; tokens and passwords that other tools keep there are not passed on. */
export function serviceEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names =
    /^(PATH|PATHEXT|HOME|USER|USERPROFILE|(LOCAL)?APPDATA|XDG_\w+|TEMP|TMP|TMPDIR|TZ|LANG|LC_\w+|SYSTEMROOT)$/i;
  const passed = Object.entries(env).filter(([name]) => names.test(name));
  return { ...Object.fromEntries(passed), ELECTRON_RUN_AS_NODE: '1' };
}

/** Where the service listens and the token of its only user. */
interface Listening {
  readonly baseUrl: string;
  readonly token: string;
}

/**
 * Reads the first line that the service writes with `--json` (contract.md, Service).
 * @throws Error when it is another line; the line is not repeated, since it may hold the token.
 */
function listeningOf(line: string): Listening {
  const { event, url, token } = fieldsOf(line);
  if (event !== 'listening' || typeof url !== 'string' || typeof token !== 'string') {
    throw new Error('The built-in service did not report its address.');
  }
  return { baseUrl: withoutEnd(url, '/'), token };
}

/** What a line of JSON holds; nothing where it is none. */
export function fieldsOf(line: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
