import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { PrivateAuthority } from './privateAuthority.ts';

/**
 * Starts a server on this machine that wants a client certificate of the authority and, unlike that of Node.js, says so in TLS
 * itself, as web servers do. It is `localhost`.
 */
export async function startOpensslServer(
  authority: PrivateAuthority,
  version: 'tls1_2' | 'tls1_3',
): Promise<{ readonly port: number; close(): Promise<void> }> {
  authority.identity(['localhost']);
  const file = (end: string) => join(authority.folder, `localhost.${end}`);
  const identity = ['-key', file('key'), '-cert', file('pem'), '-CAfile', authority.file];
  const wanted = ['-Verify', '1', '-verify_return_error', '-www'];
  const server = spawn('openssl', ['s_server', '-accept', '127.0.0.1:0', `-${version}`, ...identity, ...wanted]);
  const port = await new Promise<number>((resolve, reject) => {
    let said = '';
    server.stdout.on('data', (piece: Buffer) => {
      said += String(piece);
      const [, found] = /ACCEPT 127\.0\.0\.1:(\d+)/.exec(said) ?? [];
      if (found) resolve(Number(found));
    });
    server.once('exit', () => reject(new Error(`openssl ended: ${said}`)));
  });
  const close = async () => {
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  };
  return { port, close };
}
