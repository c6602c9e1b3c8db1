import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Subscription } from '../shell/emitter.ts';
import { ownModules } from './ownModules.ts';

/** Rules may change with the time of day, and the network with the place. */
const KEPT_MS = 60_000;
/** A configuration script that cannot be fetched must not keep anyone waiting. */
const PATIENCE_MS = 5_000;

/** What is used of the module with which VS Code patches `http`; VS Code itself puts this into it. */
interface ProxyAgent {
  readonly resolveProxyURL: (url: string) => Promise<string | undefined>;
}

interface Known {
  readonly answer: Promise<string>;
  readonly until: number;
}

/**
 * The proxies that VS Code finds out from the operating system and from configuration scripts. It has no API for them: they are
 * asked for where VS Code's own patch of `http` gets them, which names the first proxy of a script's answer only. Where that
 * is missing there are none, as in a browser, which tells nobody.
 */
export class SystemProxies implements Subscription {
  private readonly log: Log;
  private readonly known = new Map<string, Known>();
  private readonly listening: Subscription;
  private agent: ProxyAgent | undefined;

  constructor(log: Log) {
    this.log = log;
    this.listening = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('http')) this.known.clear();
    });
  }

  /** As `Network` has them, for a server; empty when there are none. Never throws. */
  of(url: string): Promise<string> {
    const { origin, protocol } = URL.parse(url) ?? {};
    // What is no address is told so by who is to reach it.
    if (origin === undefined || !protocol?.startsWith('http')) return Promise.resolve('');
    const known = this.known.get(origin);
    if (known && known.until > Date.now()) return known.answer;
    const answer = this.ask(origin);
    this.known.set(origin, { answer, until: Date.now() + KEPT_MS });
    return answer;
  }

  dispose(): void {
    this.listening.dispose();
  }

  private async ask(origin: string): Promise<string> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('no answer')), PATIENCE_MS);
    });
    try {
      this.agent ??= proxyAgent();
      return (await Promise.race([this.agent?.resolveProxyURL(`${origin}/`), silence])) ?? '';
    } catch (thrown) {
      this.known.delete(origin);
      this.log.warn(`VS Code does not tell the proxy for ${origin}: ${messageOf(thrown)}`);
      return '';
    } finally {
      clearTimeout(timer);
    }
  }
}

/** `undefined` where VS Code has none, or has not put its resolver into it. */
function proxyAgent(): ProxyAgent | undefined {
  return ownModules('@vscode/proxy-agent').find(isProxyAgent);
}

function isProxyAgent(value: unknown): value is ProxyAgent {
  return (
    typeof value === 'object' &&
    value !== null &&
    'resolveProxyURL' in value &&
    typeof value.resolveProxyURL === 'function'
  );
}
