import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as vscode from 'vscode';

/** What the tests use of the module into which VS Code puts its resolver, as its own patches of `http` use it. */
export interface ProxyAgent {
  resolveProxyURL: (url: string) => Promise<string | undefined>;
  /** Makes the resolver. VS Code's window passes Electron's answers as `resolveProxy`. */
  readonly createProxyResolver: (parts: ResolverParts) => Pick<ProxyAgent, 'resolveProxyURL'>;
}

interface ResolverParts {
  /** As a configuration script answers, such as `PROXY a:1; DIRECT`. */
  readonly resolveProxy: (url: string) => Promise<string | undefined>;
  readonly getProxyURL: () => string | undefined;
  readonly getNoProxyConfig: () => readonly string[];
  readonly isUseHostProxyEnabled: () => boolean;
  readonly loadSystemCertificatesFromNode: () => boolean;
  readonly addCertificatesV1: () => boolean;
  readonly addCertificatesV2: () => boolean;
  readonly log: Readonly<Record<'trace' | 'debug' | 'info' | 'warn' | 'error', () => void>>;
  readonly proxyResolveTelemetry: () => void;
  readonly env: Readonly<NodeJS.ProcessEnv>;
}

/** Throws where VS Code has no such module. */
export function proxyAgent(): ProxyAgent {
  const load = createRequire(join(vscode.env.appRoot, 'package.json'));
  for (const folder of ['node_modules.asar', 'node_modules']) {
    try {
      return load(join(vscode.env.appRoot, folder, '@vscode', 'proxy-agent')) as ProxyAgent;
    } catch {}
  }
  throw new Error('VS Code has no such module.');
}
