import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { isAbsolute } from 'node:path';
import tls, { type SecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import { TrackerError } from '../../core/errors.ts';
import type { ClientCertificate, Network } from '../../core/ports/connection.ts';
import { t } from '../../core/translation.ts';
import { identityOf } from './clientCertificate.ts';

/** Whose certificates are believed, and which is shown; `undefined` for none but those that Node.js trusts by itself. Rejects with `TrackerError` `input`. */
type Trust = () => Promise<SecureContext | undefined>;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * Trust in the authorities of Node.js, of the operating system, and in the files of `storyTracker.extraCertificates`. Read by the
 * first that asks, since that takes a while; files that cannot be used are read again the next time. Whoever asks is shown
 * the client certificate.
 */
export function trustOf(network: Network, certificate?: ClientCertificate): Trust {
  let context: Promise<SecureContext | undefined> | undefined;
  return () => {
    context ??= secureContext(network, certificate).catch((thrown: unknown) => {
      context = undefined;
      throw thrown;
    });
    return context;
  };
}

async function secureContext(
  { systemCertificates, extraCertificates }: Network,
  certificate: ClientCertificate | undefined,
): Promise<SecureContext | undefined> {
  const identity = certificate && (await identityOf(certificate));
  const extra = (await Promise.all(extraCertificates.map(certificatesIn))).flat();
  const known = knownAuthorities(systemCertificates);
  if (known === undefined && extra.length === 0 && !identity) return undefined;
  return tls.createSecureContext({ ca: [...new Set([...(known ?? tls.rootCertificates), ...extra])], ...identity });
}

/** `undefined` where this Node.js is too old to tell. */
function knownAuthorities(system: boolean): readonly string[] | undefined {
  if (typeof tls.getCACertificates !== 'function') return undefined;
  return [...tls.getCACertificates('default'), ...(system ? tls.getCACertificates('system') : [])];
}

async function certificatesIn(file: string): Promise<readonly string[]> {
  if (!isAbsolute(file))
    throw unusable(t('The file "{0}" of the setting storyTracker.extraCertificates is not an absolute path.', file));
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw unusable(t('The file "{0}" of the setting storyTracker.extraCertificates cannot be read.', file), cause);
  });
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0)
    throw unusable(
      t('The file "{0}" of the setting storyTracker.extraCertificates contains no certificate in PEM format.', file),
    );
  for (const certificate of certificates) {
    try {
      new X509Certificate(certificate);
    } catch (cause) {
      throw unusable(
        t('The file "{0}" of the setting storyTracker.extraCertificates contains a damaged certificate.', file),
        cause,
      );
    }
  }
  return certificates;
}

function unusable(message: string, cause?: unknown): TrackerError {
  return new TrackerError('input', message, { cause });
}

/** Connects to what it is given, with TLS inside where that says https. */
export type Connect = (target: buildConnector.Options) => Promise<Socket>;

/** Connects to exactly what is named, within `timeout` milliseconds. Who is trusted is found out by the first that has TLS. */
export function connectStraight(trust: Trust, timeout: number): Connect {
  const plain = buildConnector({ allowH2: false, timeout });
  let secure: buildConnector.connector | undefined;
  return async (target) => {
    if (target.protocol !== 'https:') return connected(plain, target);
    if (!secure) {
      const secureContext = await trust();
      secure = buildConnector({ allowH2: false, timeout, ...(secureContext ? { secureContext } : {}) });
    }
    return connected(secure, target);
  };
}

function connected(connector: buildConnector.connector, target: buildConnector.Options): Promise<Socket> {
  return new Promise((resolve, reject) => {
    connector(target, (...[error, socket]) => (error ? reject(error) : resolve(socket)));
  });
}
