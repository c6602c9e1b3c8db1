import { lookup } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** All addresses of a host name, as the operating system knows them. */
export async function addressesOf(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

/** A connection without TLS, made within `timeout` milliseconds; to be destroyed. */
export function connected(host: string, port: number, timeout: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout });
    socket.once('connect', () => resolve(socket));
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
  });
}

/** What was agreed on, and whose certificate it was. */
export function describedTls(socket: TLSSocket): string {
  const { subject, issuer, valid_to } = socket.getPeerCertificate();
  const [whose, whoSays] = [subject, issuer].map((name) => [name?.CN ?? name?.O ?? '?'].flat().join(', '));
  return `${socket.getProtocol()}, certificate of ${whose} by ${whoSays}, valid until ${valid_to}.`;
}
