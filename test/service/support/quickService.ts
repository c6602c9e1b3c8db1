import { parseArgs } from 'node:util';
import type { MailSettings } from '../../../src/service/mail/mailContext.ts';
import { startService } from '../../../src/service/start/startService.ts';

/**
 * `serve` for tests in which services are killed: others soon take over what one was sending. `--smtp` names a port of this machine,
 * and has replies taken too.
 */
const { values } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    data: { type: 'string' },
    database: { type: 'string' },
    smtp: { type: 'string' },
    lease: { type: 'string' },
  },
});
const { data = '', database, smtp, lease = '2500' } = values;

function mailOf(port: number): MailSettings {
  return {
    server: { host: '127.0.0.1', port, tls: 'never' },
    from: { name: 'Story Tracker', address: 'tracker@example.org' },
    replyDomain: 'reply.example.org',
    replies: { host: '127.0.0.1', port: 0 },
  };
}

const service = await startService({
  dataFolder: String(data),
  ...(typeof database === 'string' && { database }),
  ...(typeof smtp === 'string' && { mail: mailOf(Number(smtp)) }),
  ...{ allowPrivateHooks: true, deliveryLease: Number(lease), deliveryPace: 250, deliveryPatience: 1_000 },
});
process.on('SIGTERM', async () => {
  await service.stop();
  process.exit(0);
});
process.stdout.write(`${JSON.stringify({ url: service.url, replies: service.replyAddress })}\n`);
