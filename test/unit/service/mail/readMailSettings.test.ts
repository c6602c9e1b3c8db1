import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../../../src/service/ground/errors.ts';
import { type GivenMail, readMailSettings } from '../../../../src/service/mail/readMailSettings.ts';

const from = { 'mail-from': 'Tracker <tracker@example.org>' };
const password = { SMTP_PASSWORD: 'of the server' };

describe('how mails are sent', () => {
  assertServer('smtp://mail.example.org', { host: 'mail.example.org', port: 587, tls: 'required' });
  assertServer('smtp://mail.example.org:2525?tls=never', { host: 'mail.example.org', port: 2525, tls: 'never' });
  assertServer('smtps://mail.example.org', { host: 'mail.example.org', port: 465, tls: 'implicit' });
  assertServer('smtp://localhost', { host: 'localhost', port: 25, tls: 'offered' });
  assertServer('smtp://[::1]:1025', { host: '::1', port: 1025, tls: 'offered' });
  assertServer('smtp://ada%40example.org@mail.example.org', {
    ...{ host: 'mail.example.org', port: 587, tls: 'required' },
    ...{ user: 'ada@example.org', password: 'of the server' },
  });

  it('takes the password from a file before the environment', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'story-tracker-mail-'));
    const file = join(folder, 'password');
    writeFileSync(file, 'of the file\n');
    const given = { ...from, smtp: 'smtps://ada@mail.example.org', 'smtp-password-file': file };
    assert.equal((await readMailSettings(given, password)).server?.password, 'of the file');
    rmSync(folder, { recursive: true });
    await assert.rejects(readMailSettings(given, password), isUsageError(/Could not read the SMTP password file/));
  });

  it('is as files, and from nobody in particular, when nothing is said', async () => {
    const settings = await readMailSettings({ 'reply-domain': 'reply.example.org' }, {});
    assert.deepEqual(settings.server, undefined);
    assert.equal(settings.from.address, 'story-tracker@localhost');
  });

  it('names who mails are from', async () => {
    const given = { 'mail-from': '"Tracker, the" <tracker@example.org>' };
    assert.deepEqual((await readMailSettings(given, {})).from, {
      name: 'Tracker, the',
      address: 'tracker@example.org',
    });
    assert.deepEqual((await readMailSettings({ 'mail-from': 'a@example.org' }, {})).from.name, 'Story Tracker');
  });

  it('takes replies on this machine only unless told otherwise', async () => {
    const given = { 'reply-domain': 'reply.example.org', 'reply-port': '2525' };
    assert.deepEqual((await readMailSettings(given, {})).replies, { host: '127.0.0.1', port: 2525 });
    const wider = { ...given, 'reply-host': '0.0.0.0' };
    assert.deepEqual((await readMailSettings(wider, {})).replies, { host: '0.0.0.0', port: 2525 });
  });

  assertNotUnderstood({ smtp: 'smtp://mail.example.org' }, /--mail-from/);
  assertNotUnderstood({ ...from, smtp: 'mail.example.org' }, /--smtp must be/);
  assertNotUnderstood({ ...from, smtp: 'http://mail.example.org' }, /--smtp must be/);
  assertNotUnderstood({ ...from, smtp: 'smtp://ada:secret@mail.example.org' }, /Everyone on this machine can read/);
  assertNotUnderstood({ ...from, smtp: 'smtp://ada@mail.example.org' }, /needs a password/);
  assertNotUnderstood({ ...from, smtp: 'smtp://ada@mail.example.org?tls=never' }, /only sent over TLS/);
  assertNotUnderstood({ ...from, smtp: 'smtp://ada@mail.example.org?tls=offered' }, /only sent over TLS/);
  assertNotUnderstood({ ...from, smtp: 'smtp://mail.example.org?tls=maybe' }, /one of required, offered, never/);
  assertNotUnderstood({ 'mail-from': 'a@example.org, b@example.org' }, /one address/);
  assertNotUnderstood({ 'mail-from': 'nobody' }, /one address/);
  assertNotUnderstood({ 'mail-from': 'a@example.org\r\nBcc: b@example.org' }, /one address/);
  assertNotUnderstood({ 'reply-port': '2525' }, /--reply-domain/);
  assertNotUnderstood({ 'reply-domain': 'a b' }, /must be a domain/);
  assertNotUnderstood({ 'reply-domain': 'a.example.org', 'reply-host': '::1' }, /requires --reply-port/);
  assertNotUnderstood(
    { 'reply-domain': 'a.example.org', 'reply-port': '25', 'reply-host': '' },
    /--reply-host must be a name or an address/,
  );
  assertNotUnderstood({ 'reply-domain': 'a.example.org', 'reply-port': 'x' }, /whole number/);
});

function assertServer(smtp: string, expected: object): void {
  it(`by ${smtp}`, async () => {
    assert.deepEqual((await readMailSettings({ ...from, smtp }, password)).server, expected);
  });
}

function assertNotUnderstood(given: GivenMail, sentence: RegExp): void {
  it(`not by ${JSON.stringify(given)}`, () => assert.rejects(readMailSettings(given, {}), isUsageError(sentence)));
}

function isUsageError(sentence: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof UsageError);
    assert.match(error.message, sentence);
    assert.doesNotMatch(error.message, /secret/);
    return true;
  };
}
