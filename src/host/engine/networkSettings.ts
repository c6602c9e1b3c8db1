import * as vscode from 'vscode';
import type { Network } from '../../core/ports/connection.ts';
import { extraCertificates } from '../shell/settings.ts';

/**
 * How this machine reaches servers. `http.proxyStrictSSL` is not asked: certificates are always verified, since a token goes
 * over the connection.
 */
export function networkSettings(): Network {
  const http = vscode.workspace.getConfiguration('http');
  return {
    useProxy: trusted<string>(http, 'proxySupport', 'override') !== 'off',
    proxy: trusted<string>(http, 'proxy', '') || '',
    noProxy: trusted<readonly string[]>(http, 'noProxy', []).map(String),
    proxyAuthorization: trusted<string>(http, 'proxyAuthorization', '') || '',
    systemCertificates: trusted<boolean>(http, 'systemCertificates', true),
    extraCertificates: extraCertificates(),
    environment: {
      HTTPS_PROXY: environment('HTTPS_PROXY'),
      HTTP_PROXY: environment('HTTP_PROXY'),
      NO_PROXY: environment('NO_PROXY'),
    },
  };
}

/** What this person or machine has set; never what a workspace says, since a token goes that way. */
function trusted<T>(section: vscode.WorkspaceConfiguration, name: string, fallback: T): T {
  const found = section.inspect<T | null>(name);
  return found?.globalValue ?? found?.defaultValue ?? fallback;
}

function environment(name: string): string {
  return process.env[name.toLowerCase()] ?? process.env[name] ?? '';
}
