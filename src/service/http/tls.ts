import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
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
  const certificate = understood(
    () => new X509Certificate(identity.cert),
    `${cert} is not a certificate in PEM format`,
  );
  // TLS itself takes an RSA certificate with a key of another kind, and then fails with every caller.
  if (!certificate.checkPrivateKey(keyIn(identity.key, key))) {
    throw new Error(`${key} is not the key of the first certificate in ${cert}. Were both renewed together?`);
  }
  understood(() => createSecureContext(identity), `${cert} and ${key} cannot be used`);
  return identity;
}

const DAY = 24 * 60 * 60 * 1000;
/** Days before its end in which a certificate should have been renewed. */
const LAST_DAYS = 7;

/** What callers will not like about the age of a certificate, if there is something. */
export function troubleWithAge({ cert }: TlsIdentity, now: number): string | undefined {
  const { validFrom, validTo } = new X509Certificate(cert);
  const [begin, end] = [Date.parse(validFrom), Date.parse(validTo)];
  if (now < begin) return `The certificate is not valid until ${validFrom}. Clients reject it until then.`;
  if (now > end) return `The certificate expired on ${validTo}. Clients reject it.`;
  return now > end - LAST_DAYS * DAY ? `The certificate expires on ${validTo}. Renew it.` : undefined;
}

function keyIn(pem: Buffer, path: string): KeyObject {
  if (pem.includes('ENCRYPTED')) {
    throw new Error(
      `${path} is encrypted. Pass the decrypted key, for example the output of "openssl pkey -in ${path}".`,
    );
  }
  return understood(() => createPrivateKey(pem), `${path} is not a key in PEM format`);
}

function understood<T>(read: () => T, otherwise: string): T {
  try {
    return read();
  } catch (error) {
    throw new Error(`${otherwise}: ${messageOf(error)}`, { cause: error });
  }
}

async function read(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    throw new Error(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
