import { parentPort } from 'node:worker_threads';
import { createTracker, type HttpTracker } from './client/httpTracker.ts';
import type { Connection } from './core/connection.ts';
import type { Log } from './core/log.ts';
import { createHistory } from './git/history.ts';
import { Peer } from './remote/peer.ts';

if (!parentPort) throw new Error('This file runs as a worker thread of the extension.');
const peer = new Peer(parentPort);

const tell = (level: keyof Log) => (message: string | Error) => {
  void peer.call('log', level, [message instanceof Error ? message.message : message]).catch(() => undefined);
};
const log: Log = { debug: tell('debug'), info: tell('info'), warn: tell('warn'), error: tell('error') };

const trackers = new Map<string, HttpTracker>();

peer.expose('trackers', {
  async open({ accountId, baseUrl, tokenHeader }: Connection): Promise<void> {
    const before = trackers.get(accountId);
    const token = async () => String(await peer.call('tokens', 'token', [accountId, baseUrl]));
    const tracker = createTracker({ baseUrl, token, tokenHeader, log });
    trackers.set(accountId, tracker);
    peer.expose(`tracker:${accountId}`, tracker);
    await before?.close();
  },
  async close(accountId: string): Promise<void> {
    peer.withdraw(`tracker:${accountId}`);
    await trackers.get(accountId)?.close();
    trackers.delete(accountId);
  },
});
peer.expose('history', createHistory());
