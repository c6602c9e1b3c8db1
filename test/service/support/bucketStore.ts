import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { type BucketAddress, readBucketAddress } from '../../../src/service/attachments/bucketAddress.ts';

const BUCKET = 'tracker-files';
/** The credentials, in the names of the environment. */
export const BUCKET_KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
const DAY_SECONDS = 24 * 60 * 60;
const OBJECT = '._S3rver_object';
const program = fileURLToPath(new URL('../../../node_modules/s3rver/bin/s3rver.js', import.meta.url));

/** A store for buckets by someone else, with one bucket. What it keeps lies in a folder. It checks who asks, but no signatures. */
export class BucketStore {
  private server: ChildProcessByStdio<null, Readable, null> | undefined;
  private port = '0';
  private readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async start(): Promise<BucketStore> {
    const store = new BucketStore(await mkdtemp(join(tmpdir(), 'bucket-')));
    await store.start();
    return store;
  }

  /** Starts it again, where it was. */
  async start(): Promise<void> {
    // It encrypts where a list goes on by a cipher that OpenSSL has for old programs only.
    const place = ['--directory', this.folder, '--address', '127.0.0.1', '--port', this.port];
    const args = ['--openssl-legacy-provider', program, '--silent', ...place, '--configure-bucket', BUCKET];
    this.server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const { stdout } = this.server;
    this.port = await new Promise<string>((resolve, reject) => {
      stdout.setEncoding('utf8').on('data', (text: string) => {
        const [, port] = /listening on 127\.0\.0\.1:(\d+)/.exec(text) ?? [];
        if (port !== undefined) resolve(port);
      });
      stdout.once('end', () => reject(new Error('The store for buckets did not start.')));
    });
  }

  async stop(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    server.kill('SIGKILL');
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  url(bucket = BUCKET): string {
    return `s3://${bucket}/team?endpoint=http://127.0.0.1:${this.port}`;
  }

  get address(): BucketAddress {
    return readBucketAddress(this.url(), BUCKET_KEYS);
  }

  /** Keys of all objects below the prefix, sorted. */
  async keys(): Promise<readonly string[]> {
    const names = await readdir(join(this.folder, BUCKET, 'team'), { recursive: true }).catch(() => []);
    return names
      .filter((name) => name.endsWith(OBJECT))
      .map((name) => name.slice(0, -OBJECT.length))
      .sort();
  }

  /** Those of attached files. */
  async files(): Promise<readonly string[]> {
    return (await this.keys()).filter((key) => /^[0-9a-f]{32}$/.test(key));
  }

  /** Puts an object there behind the back of all services. */
  async put(key: string, text: string): Promise<void> {
    await mkdir(dirname(this.path(key)), { recursive: true });
    await writeFile(this.path(key), text);
    await writeFile(join(this.folder, BUCKET, 'team', `${key}._S3rver_metadata.json`), '{}');
  }

  async removeObject(key: string): Promise<void> {
    await rm(this.path(key));
  }

  /** Makes an object look so many days old. */
  async age(key: string, days: number): Promise<void> {
    const moment = Date.now() / 1000 - days * DAY_SECONDS;
    await utimes(this.path(key), moment, moment);
  }

  private path(key: string): string {
    return join(this.folder, BUCKET, 'team', key + OBJECT);
  }
}
