import { TrackerError } from '../../core/errors.ts';
import type { HttpProxy } from './httpProxy.ts';
import { networkError } from './networkError.ts';

/** The error for a proxy that cannot be reached; what is an error of ours already stays. */
export function unreachableProxy({ url, source }: HttpProxy, error: unknown): TrackerError {
  if (error instanceof TrackerError) return error;
  const { kind, message, cause } = networkError(error, '', url.host);
  return new TrackerError(kind, `${message} This is the proxy of ${source}.`, { cause });
}

/** The error for a proxy that answered `status` instead of letting a connection through. */
export function proxyRefusal({ url, source, authorization }: HttpProxy, status: number): TrackerError {
  const who = `The proxy ${url.host} (${source})`;
  if (status === 407) {
    const wanted =
      authorization === undefined ? 'asks for a user name and password' : 'does not accept user and password';
    const message = `${who} ${wanted}. Put them into http.proxy, as in http://user:password@${url.host}, or set http.proxyAuthorization.`;
    return new TrackerError('unreachable', message, { status });
  }
  const message = `${who} lets nothing through to this server (status ${status}). If the server is reached without it, add its name to http.noProxy.`;
  return new TrackerError('unreachable', message, { status });
}
