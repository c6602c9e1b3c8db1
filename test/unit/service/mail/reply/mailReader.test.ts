import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { IncomingMail } from '../../../../../src/service/mail/reply/incomingMail.ts';
import { MailReader } from '../../../../../src/service/mail/reply/mailReader.ts';

const MIB = 1024 * 1024;
const head = 'From: ben@example.org\r\nMessage-ID: <1@example.org>\r\n';

describe('reading mails in a thread', function () {
  this.timeout(30_000);
  let reader: MailReader;
  let folder: string;
  let files = 0;

  beforeEach(async () => {
    reader = new MailReader();
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-reading-'));
  });
  afterEach(async () => {
    await reader.stop();
    await rm(folder, { recursive: true });
  });

  async function read(raw: string | Buffer, by = reader): Promise<IncomingMail> {
    files += 1;
    const path = join(folder, `${files}`);
    await writeFile(path, raw);
    return by.read(path);
  }

  /** A mail with a text and a file. */
  function mailWith(file: Buffer): Buffer {
    const parts = [
      `${head}Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nTook it. \u{1f44d}\r\n`,
      '--x\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename=buoys.bin\r\n',
      `Content-Transfer-Encoding: base64\r\n\r\n${file.toString('base64').replace(/.{76}/g, '$&\r\n')}\r\n--x--\r\n`,
    ];
    return Buffer.from(parts.join(''));
  }

  it('gives what is in them', async () => {
    const mail = await read(mailWith(Buffer.from('Buoys')));
    assert.deepEqual(
      [mail.text, mail.from, mail.messageId],
      ['Took it. \u{1f44d}', ['ben@example.org'], '<1@example.org>'],
    );
    assert.equal(mail.headers.get('message-id'), '<1@example.org>');
    assert.deepEqual(mail.files, [{ filename: 'buoys.bin', bytes: new Uint8Array(Buffer.from('Buoys')) }]);
  });

  it('leaves the service free for others while a large one is read', async () => {
    await read(mailWith(Buffer.from('small')));
    const large = mailWith(Buffer.alloc(8 * MIB, 'buoys and beacons'));
    let isRead = false;
    const reading = read(large).finally(() => {
      isRead = true;
    });
    let turns = 0;
    for (; !isRead; turns += 1) await turn();
    assert.ok(turns > 100, `${turns} turns`);
    assert.equal((await reading).files[0]?.bytes.length, 8 * MIB);
  });

  it('is done one after the other, and goes on after one that cannot be read', async () => {
    const deep = `${head}Content-Type: multipart/mixed; boundary=x\r\n\r\n${'--x\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n'.repeat(40)}`;
    const wrong = assert.rejects(read(deep), { name: 'UnreadableMail' });
    const texts = ['A', 'B', 'C'].map((text) => read(`${head}\r\n${text}\r\n`));
    await wrong;
    assert.deepEqual(
      (await Promise.all(texts)).map(({ text }) => text),
      ['A', 'B', 'C'],
    );
  });

  it('gives up what takes too long, and goes on with the next', async () => {
    const strict = new MailReader({ time: 1, memory: 256, idle: 1_000 });
    const lines = `${head}\r\n${'a line of many\r\n'.repeat(90_000)}`;
    for (let times = 0; times < 2; times += 1) {
      await assert.rejects(read(lines, strict), { name: 'UnreadableMail', message: 'it takes too long' });
    }
    await strict.stop();
    assert.equal((await read(`${head}\r\nA\r\n`)).text, 'A');
  });

  it('ends its thread when there is nothing to read, and begins anew', async () => {
    const brief = new MailReader({ time: 30_000, memory: 256, idle: 1 });
    for (const text of ['A', 'B']) {
      assert.equal((await read(`${head}\r\n${text}\r\n`, brief)).text, text);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await brief.stop();
  });
});
