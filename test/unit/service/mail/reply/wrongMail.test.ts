import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readMail } from '../../../../../src/service/mail/reply/incomingMail.ts';
import { refuseAutomaticMail, refuseStranger } from '../../../../../src/service/mail/reply/refusedMail.ts';

const whole = [
  'From: Ben <ben@example.org>',
  'Message-ID: <1@example.org>',
  'Content-Type: multipart/mixed; boundary="outer"',
  '',
  '--outer',
  'Content-Type: multipart/alternative; boundary=inner',
  '',
  '--inner',
  'Content-Type: text/plain; charset=utf-8; format=flowed',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'I am on it=C3=A9. =20',
  '> quoted =20',
  '--inner',
  'Content-Type: text/html',
  '',
  '<p>I am <img src="cid:x"></p>',
  '--inner--',
  '--outer',
  'Content-Type: image/png; name="=?utf-8?B?w7wucG5n?="',
  'Content-Transfer-Encoding: base64',
  "Content-Disposition: attachment; filename*=utf-8''%C3%BC.png",
  '',
  'AAECAw==',
  '--outer--',
  '',
].join('\r\n');

describe('mails that are cut, changed or made up', () => {
  it('are read at every place where they may end', async () => {
    for (let end = 0; end <= whole.length; end++) await readMail(Buffer.from(whole.slice(0, end)));
    const { text, files } = await readMail(Buffer.from(whole));
    assert.equal(text, 'I am on ité.');
    assert.deepEqual(files, [{ filename: 'ü.png', bytes: Buffer.from([0, 1, 2, 3]) }]);
  });

  it('never make the reader fail otherwise than with an error, nor become someone else’s', async () => {
    const pieces = fc.oneof(
      fc.constantFrom(
        ...whole.split('\r\n'),
        '\r\n',
        '\n',
        ': ',
        'From: eve@example.org',
        '--outer',
        '\0',
        '=?utf-8?q?',
        '<',
        '"',
      ),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pieces), fc.constantFrom('\r\n', '\n', ''), async (lines, end) => {
        const mail = await readMail(Buffer.from(lines.join(end))).catch((error: unknown) => error);
        if (mail instanceof Error) return;
        assert.ok(typeof mail === 'object' && mail !== null && 'from' in mail);
      }),
      { numRuns: 500 },
    );
  });

  it('with an author that cannot be read are nobody’s', async () => {
    for (const from of [
      'From: <>',
      'From: ;',
      'From: a:b;',
      'From: =?utf-8?q?ben=40example.org?=',
      'From : eve@example.org',
    ]) {
      const mail = await readMail(Buffer.from(`${from}\r\n\r\nx`));
      assert.throws(() => refuseStranger(mail, 'ben@example.org'), from);
    }
  });

  it('cannot hide a header that says who wrote them', async () => {
    const mail = await readMail(Buffer.from('From: ben@example.org\r\nAuto-Submitted:\r\n auto-replied\r\n\r\nx'));
    assert.throws(() => refuseAutomaticMail(mail));
  });

  it('of many lines bring files of as many', async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index} für 🌍`).join('\n');
    const { files } = await readMail(
      Buffer.from(`From: ben@example.org\r\nContent-Type: application/x\r\n\r\n${lines}`),
    );
    assert.equal(Buffer.from(files[0]?.bytes ?? []).toString(), `${lines}\n`);
  });

  it('of endless lines are refused, in lines that are endless read', async () => {
    const head = 'From: ben@example.org\r\nContent-Type: text/html; format=flowed\r\n\r\n';
    for (const line of ['\r\n', '\n', '> a\r\n', 'From: a\r\n']) {
      await assert.rejects(readMail(Buffer.from(head + line.repeat(100_001))), /too many lines/);
    }
    await assert.rejects(readMail(Buffer.from(`${'x'.repeat(60)}\n`.repeat(500_001))), /too many lines/);
    for (const piece of ['=20', '<div>', 'a@b, ', '> ']) await readMail(Buffer.from(head + piece.repeat(100_000)));
  }).timeout(20_000);

  it('of very many parts are refused', async () => {
    const parts = (count: number): Buffer =>
      Buffer.from(
        `From: a@b.c\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(count)}--b--`,
      );
    await readMail(parts(990));
    await assert.rejects(readMail(parts(1_010)), /more than 1,000 parts/);
  });

  it('of many parts within parts are refused for no more than these', async () => {
    const inner = 'Content-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\n\r\nx\r\n--c--\r\n';
    const nested = (count: number): Buffer =>
      Buffer.from(
        `From: a@b.c\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${`--b\r\n${inner}`.repeat(count)}--b--`,
      );
    await readMail(nested(490));
    await assert.rejects(readMail(nested(510)), /more than 1,000 parts/);
  });

  it('of long runs of one thing are read in a time that grows with their length only', async () => {
    const spaces = ' '.repeat(200_000);
    const plain = ['a', 'a\r\nb', '>a', '<https:'].map((start) => `Content-Type: text/plain\r\n\r\n${start}${spaces}b`);
    const html = ['<a href=', '<a ', '<!--', '<b>'].map((tag) => mixed(tag.repeat(60_000)));
    const links = `Content-Type: text/plain\r\n\r\n${'<https:'.repeat(60_000)}`;
    const pre = `Content-Type: text/html\r\n\r\n<pre>a${spaces}b</pre>`;
    for (const mail of [...plain, ...html, links, pre]) await readMail(Buffer.from(`From: ben@example.org\r\n${mail}`));
  }).timeout(20_000);

  it('of more text than anyone writes are refused before it is looked at', async () => {
    const encoded = Buffer.from('a\n'.repeat(300_000)).toString('base64').replace(/.{76}/g, '$&\r\n');
    const head = 'From: ben@example.org\r\nContent-Transfer-Encoding: base64\r\n\r\n';
    await assert.rejects(readMail(Buffer.from(head + encoded)), /text is too long/);
  });

  it('of HTML with a text below it become text without what the HTML quotes', async () => {
    const mail = await readMail(Buffer.from(mixed('<p>I am on it.</p><blockquote type="cite">quoted</blockquote>')));
    assert.equal(mail.text, 'I am on it.\nbelow');
  });
});

/** HTML, and then a text, as programs that put something below each mail write it. */
function mixed(html: string): string {
  const parts = [`Content-Type: text/html\r\n\r\n${html}`, 'Content-Type: text/plain\r\n\r\nbelow'];
  return `Content-Type: multipart/mixed; boundary=x\r\n\r\n${parts.map((part) => `--x\r\n${part}\r\n`).join('')}--x--\r\n`;
}
