import assert from 'node:assert/strict';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { type IncomingMail, readMail } from '../../../../../src/service/mail/reply/incomingMail.ts';
import {
  MailRefusal,
  refuseAutomaticMail,
  refuseSealed,
  refuseStranger,
} from '../../../../../src/service/mail/reply/refusedMail.ts';

const simple = { from: 'Ben <Ben@Example.org>', to: 'story-1@tracker.example.org', text: 'I am on it.' };

async function composed(mail: SendMailOptions): Promise<IncomingMail> {
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail({ ...simple, ...mail });
  assert.ok(Buffer.isBuffer(message));
  return readMail(message);
}

function raw(...lines: readonly string[]): Promise<IncomingMail> {
  return readMail(Buffer.from(lines.join('\r\n')));
}

describe('a mail that comes in', () => {
  it('says who wrote what', async () => {
    const mail = await composed({ messageId: '<1@example.org>', text: 'I am on it. Ça va.\n\n> quoted' });
    assert.deepEqual(
      [mail.from, mail.messageId, mail.text],
      [['ben@example.org'], '<1@example.org>', 'I am on it. Ça va.'],
    );
    assert.deepEqual(mail.files, []);
  });

  it('of HTML only is read as text', async () => {
    const html = '<p>I am <b>on it</b>.</p><blockquote type="cite">quoted</blockquote>';
    assert.equal((await composed({ text: undefined, html })).text, 'I am on it.');
  });

  it('brings its files, byte for byte, under their names', async () => {
    const content = Buffer.from([0, 255, 13, 10, 62, 32, 13, 10]);
    const names = new Map([
      ['plan.pdf', 'plan.pdf'],
      ['../../etc/passwd', 'passwd'],
      ['Überblick „2“.txt', 'Überblick „2“.txt'],
      ['a\\b:c.png', 'b:c.png'],
      ['CON', 'CON'],
    ]);
    const mail = await composed({ attachments: [...names.keys()].map((filename) => ({ filename, content })) });
    assert.deepEqual(
      mail.files.map(({ filename }) => filename),
      [...names.values()],
    );
    for (const { bytes } of mail.files) assert.deepEqual(bytes, content);
  });

  it('keeps files without a name, mails that were forwarded, and no proofs of its author', async () => {
    const mail = await composed({
      attachments: [
        { content: 'x', contentType: 'application/zip', filename: false },
        {
          content: 'Subject: old\r\n\r\nold text',
          contentType: 'message/rfc822',
          filename: false,
          contentDisposition: 'attachment',
        },
        { content: 'x', contentType: 'application/pgp-signature', filename: 'signature.asc' },
      ],
    });
    assert.deepEqual(
      mail.files.map(({ filename }) => filename),
      ['attachment-1', 'mail-2.eml'],
    );
    assert.equal(mail.text, 'I am on it.');
  });

  it('keeps an image where its author put it, and none of a signature or a quotation', async () => {
    const image = (cid: string) => ({ cid, filename: `${cid}.png`, content: 'x', contentDisposition: 'inline' });
    const html =
      'see <img src="cid:shot"><div class="gmail_signature"><img src="cid:logo"></div><div class="gmail_quote"><img src="cid:old"></div>';
    const mail = await composed({
      text: 'see [image: shot.png]\n\n-- \n[image: logo.png]',
      html,
      attachments: ['shot', 'logo', 'old'].map(image),
    });
    assert.deepEqual(
      mail.files.map(({ filename }) => filename),
      ['shot.png'],
    );
    assert.equal(mail.text, 'see');
  });

  it('that is flowed keeps an answer below a quoted line apart from it', async () => {
    const lines = ['> is it green? ', 'It is red, and goes ', 'on here.', '-- ', 'Ben'];
    const head = ['From: ben@example.org', 'Content-Type: text/plain; charset=utf-8; format=flowed'];
    assert.equal((await raw(...head, '', ...lines)).text, 'It is red, and goes on here.');
    const encoded = lines.map((line) => line.replace(/ $/, '=20'));
    assert.equal(
      (await raw(...head, 'Content-Transfer-Encoding: quoted-printable', '', ...encoded)).text,
      'It is red, and goes on here.',
    );
  });

  it('in another character set is read', async () => {
    const head = 'From: ben@example.org\r\nContent-Type: text/plain; charset=iso-8859-1\r\n\r\n';
    assert.equal((await readMail(Buffer.from(`${head}geprüft`, 'latin1'))).text, 'geprüft');
  });

  it('that is none at all has no text', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('\r\n\r\n'), Buffer.from([0, 1, 2])]) {
      assert.deepEqual((await readMail(bytes)).from, []);
    }
  });

  it('that is nested without end is refused by the reader', async () => {
    const parts = Array.from(
      { length: 200 },
      (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`,
    );
    await assert.rejects(readMail(Buffer.from(parts.join(''))));
  });
});

describe('mails that no person wrote', () => {
  assertAutomatic({ 'Auto-Submitted': 'auto-replied' });
  assertAutomatic({ 'Auto-Submitted': 'auto-generated; type=x' });
  assertAutomatic({ Precedence: 'bulk' });
  assertAutomatic({ Precedence: 'List' });
  assertAutomatic({ Precedence: 'auto_reply' });
  assertAutomatic({ 'List-Id': '<all.example.org>' });
  assertAutomatic({ 'X-Autoreply': 'yes' });
  assertAutomatic({ 'Return-Path': '<>' });

  it('are refused when they report on another mail', async () => {
    const mail = await raw(
      'From: ben@example.org',
      'Content-Type: multipart/report; boundary=x',
      '',
      '--x',
      '',
      'failed',
      '--x--',
      '',
    );
    assert.throws(() => refuseAutomaticMail(mail), refused(550));
  });

  it('are refused when they are our own', async () => {
    const mail = await composed({
      messageId: '<story-12.6f1c8a04-52a9-4f3a-9d0f-0a8b7c6d5e4f.assigned@tracker.example.org>',
    });
    assert.throws(() => refuseAutomaticMail(mail), refused(554));
  });

  it('are not those of a person', async () => {
    refuseAutomaticMail(await composed({ headers: { 'Auto-Submitted': 'no', Precedence: 'normal' } }));
  });
});

describe('mails that are signed or encrypted', () => {
  const pgp = (what: string) => `-----BEGIN PGP ${what}-----`;

  it('are read where the signature stands beside or around the text', async () => {
    const clear = [pgp('SIGNED MESSAGE'), 'Hash: SHA512', '', 'Took it.', '- - Ben', pgp('SIGNATURE'), '', 'iQIz'];
    const mail = await raw('From: ben@example.org', '', ...clear, '-----END PGP SIGNATURE-----', '');
    refuseSealed(mail);
    assert.equal(mail.text, 'Took it.\n- Ben');
    const beside = await raw(
      ...['From: ben@example.org', 'Content-Type: multipart/signed; boundary=x', '', '--x', '', 'Took it.', '--x'],
      ...['Content-Type: application/pkcs7-signature; name=smime.p7s', '', 'MIAG', '--x--', ''],
    );
    refuseSealed(beside);
    assert.deepEqual([beside.text, beside.files], ['Took it.', []]);
  });

  it('are refused where nobody can read them but their recipient', async () => {
    for (const lines of [
      [
        'Content-Type: multipart/encrypted; boundary=x',
        '',
        '--x',
        'Content-Type: application/pgp-encrypted',
        '',
        'Version: 1',
      ],
      ['Content-Type: application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m', '', 'MIAG'],
      ['Content-Type: Application/X-PKCS7-MIME; smime-type=signed-data', '', 'MIAG'],
      ['', pgp('MESSAGE'), '', 'hQEM', '-----END PGP MESSAGE-----'],
    ]) {
      const mail = await raw('From: ben@example.org', ...lines, '');
      assert.throws(() => refuseSealed(mail), refused(554), lines[0]);
    }
  });

  it('become what they are when they only look so', async () => {
    const cut = await raw('From: ben@example.org', '', pgp('SIGNED MESSAGE'), 'Hash: SHA512');
    assert.match(cut.text, /Hash: SHA512/);
  });
});

describe('mails of strangers', () => {
  for (const from of [
    'eve@example.org',
    'Ben <eve@example.org>',
    'ben@example.org, eve@example.org',
    '"ben@example.org" <eve@example.org>',
    '',
  ]) {
    it(`are refused: ${from}`, async () => {
      assert.throws(() => refuseStranger({ from: ['x@y', 'z@y'] }, 'x@y'), refused(550));
      const mail = await raw(`From: ${from}`, '', 'x');
      assert.throws(() => refuseStranger(mail, 'ben@example.org'), refused(550));
    });
  }

  it('are refused when there is more than one From', async () => {
    const mail = await raw('From: ben@example.org', 'From: eve@example.org', '', 'x');
    assert.throws(() => refuseStranger(mail, 'ben@example.org'), refused(550));
  });

  it('are not those of the recipient, whatever the case', async () => {
    refuseStranger(await composed({ from: '"Byron, Ben" <BEN@example.ORG>' }), 'ben@example.org');
  });
});

function assertAutomatic(headers: Readonly<Record<string, string>>): void {
  it(`are refused: ${JSON.stringify(headers)}`, async () => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const mail = await raw('From: ben@example.org', ...lines, '', 'I am away.');
    assert.throws(() => refuseAutomaticMail(mail), refused(550));
  });
}

function refused(code: number): (error: unknown) => boolean {
  return (error) => error instanceof MailRefusal && error.responseCode === code;
}
