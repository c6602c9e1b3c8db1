import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import tls, { type SecureContextOptions } from 'node:tls';
import { TrackerError } from '../../core/errors.ts';
import type { ClientCertificate, NetworkSettings } from '../../core/ports/connection.ts';

type Identity = Pick<SecureContextOptions, 'cert' | 'key' | 'pfx' | 'passphrase'>;

/** What proves to this server who this machine is; no other server gets it. */
export function certificateFor(server: URL, { clientCertificates }: NetworkSettings): ClientCertificate | undefined {
  return clientCertificates.find(({ origin }) => origin === server.origin);
}

/**
 * Reads a certificate and its key. Rejects with `TrackerError` `input`, which names the setting or, where the key is protected,
 * the passphrase.
 */
export async function identityOf(certificate: ClientCertificate): Promise<Identity> {
  const { cert, key, pfx, passphrase } = certificate;
  if ((pfx === undefined) === (cert === undefined)) throw unusable(certificate, 'must name either "pfx" or "cert"');
  const secret = passphrase === undefined ? {} : { passphrase };
  const read = (file: string) => contentOf(certificate, file);
  const identity: Identity =
    cert === undefined
      ? { pfx: await read(pfx ?? ''), ...secret }
      : { cert: await read(cert), key: await read(key ?? cert), ...secret };
  assertOpens(certificate, identity);
  return identity;
}

async function contentOf(certificate: ClientCertificate, file: string): Promise<Buffer> {
  if (!isAbsolute(file)) throw unusable(certificate, `names "${file}", which is not an absolute path`);
  return readFile(file).catch((cause: unknown) => {
    throw unusable(certificate, `names "${file}", which cannot be read`, cause);
  });
}

/** Each TLS library has its own codes for a wrong passphrase. Whether one is needed shows in the file. */
function assertOpens(certificate: ClientCertificate, identity: Identity): void {
  try {
    tls.createSecureContext(identity);
  } catch (cause) {
    const { host } = new URL(certificate.origin);
    const isProtected = identity.pfx !== undefined || String(identity.key).includes('ENCRYPTED');
    if (!isProtected) {
      throw unusable(certificate, 'names files that hold no certificate with its key in PEM format', cause);
    }
    const text =
      certificate.passphrase === undefined
        ? `The client certificate for ${host} is protected by a passphrase.`
        : `The passphrase does not open the client certificate for ${host}.`;
    throw new TrackerError('input', `${text} Run "Story Tracker: Check Connection…" to enter it.`, { cause });
  }
}

function unusable({ origin }: ClientCertificate, why: string, cause?: unknown): TrackerError {
  return new TrackerError('input', `The entry "${origin}" of the setting storyTracker.clientCertificates ${why}.`, {
    cause,
  });
}
