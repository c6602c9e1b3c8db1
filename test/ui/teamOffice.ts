import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MailServer, startMailServer } from '../service/support/mailServer.ts';
import { type ServiceProcess, serveProcess } from '../service/support/serviceProcess.ts';
import { type PostgresServer, startPostgres } from '../support/postgres/postgresServer.ts';
import { PrivateAuthority } from '../support/servers/privateAuthority.ts';

const script = fileURLToPath(new URL('../../dist/service.js', import.meta.url));
const REPLIES = 'reply.example.org';

/** What a team has on its machines: PostgreSQL, mail, a certificate of its own authority, and the service as it is built. */
export class TeamOffice {
  readonly folder: string;
  readonly mail: MailServer;
  readonly authority: PrivateAuthority;
  private readonly postgres: PostgresServer;
  private readonly processes: ServiceProcess[] = [];

  private constructor(folder: string, mail: MailServer, postgres: PostgresServer) {
    this.folder = folder;
    this.mail = mail;
    this.postgres = postgres;
    this.authority = new PrivateAuthority();
    this.authority.identity(['127.0.0.1']);
  }

  static async open(): Promise<TeamOffice> {
    const folder = await mkdtemp(join(tmpdir(), 'story-tracker-team-'));
    return new TeamOffice(folder, await startMailServer(), await startPostgres());
  }

  /** A process of the service, on a free port unless one is given; the first also takes replies to mails. */
  async serve(port = 0): Promise<ServiceProcess> {
    const of = (end: string) => join(this.authority.folder, `127.0.0.1.${end}`);
    const tls = ['--cert', of('pem'), '--key', of('key')];
    const replies = this.processes.length === 0 ? ['--reply-port', '0'] : [];
    const mail = ['--smtp', `smtp://127.0.0.1:${this.mail.port}?tls=never`, '--mail-from', 'tracker@example.org'];
    const args = [...this.store, ...tls, ...mail, '--reply-domain', REPLIES, ...replies, '--port', String(port)];
    const process = await serveProcess(args, script);
    this.processes.push(process);
    return process;
  }

  /** Runs a command of the service to its end; throws with what it said when it fails. */
  command(args: readonly string[], input = ''): Promise<string> {
    return new Promise((resolve, reject) => {
      const child = execFile(process.execPath, [script, ...args, ...this.store], (error, stdout, stderr) =>
        error ? reject(new Error(stderr, { cause: error })) : resolve(stdout),
      );
      child.stdin?.end(input);
    });
  }

  /** Writes a file that a command can take. */
  async file(name: string, text: string): Promise<string> {
    const path = join(this.folder, name);
    await writeFile(path, text);
    return path;
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map(({ end }) => end('SIGTERM')));
    await this.mail.stop();
    await this.postgres.stop();
    this.authority.remove();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private get store(): readonly string[] {
    return ['--data', join(this.folder, 'files'), '--database', this.postgres.address];
  }
}
