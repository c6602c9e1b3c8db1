import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';

/** A module that VS Code brings along for itself, from each place where it may be. Nothing promises that it stays. */
export function ownModules(name: string): readonly unknown[] {
  const load = createRequire(join(vscode.env.appRoot, 'package.json'));
  return ['node_modules.asar', 'node_modules'].flatMap((folder) => {
    try {
      const found: unknown = load(join(vscode.env.appRoot, folder, name));
      return [found];
    } catch {
      return [];
    }
  });
}

/** What is used of the module with which VS Code itself answers proxies that ask for Kerberos. */
interface Kerberos {
  readonly initializeClient: (service: string) => Promise<{ readonly step: (challenge: string) => Promise<string> }>;
}

/**
 * Value of `Proxy-Authorization` for a proxy that asks for Kerberos, from the ticket of whoever is signed in to this machine.
 * VS Code has no API for it, so its own module is used as VS Code does. `undefined` without that or a ticket; the log tells why.
 */
export async function negotiate(proxyHost: string, log: Log): Promise<string | undefined> {
  const kerberos = ownModules('kerberos').find(isKerberos);
  if (!kerberos) {
    log.warn('This VS Code has no Kerberos.');
    return undefined;
  }
  try {
    const client = await kerberos.initializeClient(principal(proxyHost));
    return `Negotiate ${await client.step('')}`;
  } catch (thrown) {
    log.warn(`Kerberos for the proxy ${proxyHost}: ${messageOf(thrown)}`);
    return undefined;
  }
}

/** As VS Code names the service; never as a workspace does. */
function principal(proxyHost: string): string {
  const found = vscode.workspace.getConfiguration('http').inspect<string>('proxyKerberosServicePrincipal');
  return found?.globalValue || (process.platform === 'win32' ? `HTTP/${proxyHost}` : `HTTP@${proxyHost}`);
}

function isKerberos(value: unknown): value is Kerberos {
  return (
    typeof value === 'object' &&
    value !== null &&
    'initializeClient' in value &&
    typeof value.initializeClient === 'function'
  );
}
