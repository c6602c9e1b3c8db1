import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import tls, { type SecureContextOptions } from 'node:tls';
import { TrackerError } from '../../core/errors.ts';
import { type ClientCertificate, type NetworkSettings, PASSPHRASE } from '../../core/ports/connection.ts';
import { t } from '../../core/translation.ts';

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
  if ((pfx === undefined) === (cert === undefined))
    throw unusable(
      t(
        'The entry "{0}" of the setting storyTracker.clientCertificates must name either "pfx" or "cert".',
        certificate.origin,
      ),
    );
  const secret = passphrase === undefined ? {} : { passphrase };
  const read = (file: string) => contentOf(certificate, file);
  const identity: Identity =
    cert === undefined
      ? { pfx: await read(pfx ?? ''), ...secret }
      : { cert: await read(cert), key: await read(key ?? cert), ...secret };
  assertOpens(certificate, identity);
  return identity;
}

async function contentOf({ origin }: ClientCertificate, file: string): Promise<Buffer> {
  if (!isAbsolute(file))
    throw unusable(
      t(
        'The entry "{0}" of the setting storyTracker.clientCertificates names "{1}", which is not an absolute path.',
        origin,
        file,
      ),
    );
  return readFile(file).catch((cause: unknown) => {
    throw unusable(
      t(
        'The entry "{0}" of the setting storyTracker.clientCertificates names "{1}", which cannot be read.',
        origin,
        file,
      ),
      cause,
    );
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
      throw unusable(
        t(
          'The entry "{0}" of the setting storyTracker.clientCertificates names files that hold no certificate with its key in PEM format.',
          certificate.origin,
        ),
        cause,
      );
    }
    const sentence =
      certificate.passphrase === undefined
        ? t(
            'The client certificate for {0} is protected by a passphrase. Run "Story Tracker: Check Connection…" to enter it.',
            host,
          )
        : t(
            'The passphrase does not open the client certificate for {0}. Run "Story Tracker: Check Connection…" to enter it.',
            host,
          );
    throw new TrackerError('input', sentence, { cause, fields: [{ field: PASSPHRASE, sentence }] });
  }
}

function unusable(message: string, cause?: unknown): TrackerError {
  return new TrackerError('input', message, { cause });
}
