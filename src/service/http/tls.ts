import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { messageOf } from '../../core/errors.ts';

/** Files in PEM of a certificate, with those between it and its authority, and of its key. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

export interface TlsIdentity {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Reads a certificate and its key; throws in words that say which file is wrong. */
export async function readTls({ cert, key }: TlsFiles): Promise<TlsIdentity> {
  const identity = { cert: await read(cert), key: await read(key) };
  try {
    createSecureContext(identity);
  } catch (error) {
    throw new Error(`${cert} and ${key} are no certificate and the key of it: ${messageOf(error)}`, { cause: error });
  }
  return identity;
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new Error(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
