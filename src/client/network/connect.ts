import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { Trust } from './trust.ts';

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
