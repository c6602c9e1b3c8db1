import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createTransport } from 'nodemailer';
import PostalMime, { type Email } from 'postal-mime';
import { type AssignedMail, composedMail } from '../../../../../src/service/mail/assigned/composedMail.ts';
import { refuseAutomaticMail } from '../../../../../src/service/mail/reply/refusedMail.ts';
import { anAssignedMail, aStoryOfMail } from '../assignedMail.ts';

async function sent(mail: AssignedMail): Promise<{ readonly email: Email; readonly raw: string }> {
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(composedMail(mail));
  assert.ok(Buffer.isBuffer(message));
  return { email: await PostalMime.parse(message), raw: message.toString('latin1') };
}

function header({ headers }: Email, name: string): string | undefined {
  return headers.find(({ key }) => key === name)?.value;
}

const anything = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\r\n',
        '\n',
        '\r',
        '\0',
        '\u2028',
        '\u202e',
        '<',
        '"',
        ',',
        ';',
        '@',
        '=?utf-8?q?x?=',
        'Bcc: eve@example.org',
        '\ud83d',
      ),
      fc.string(),
    ),
  )
  .map((all) => all.join(''));

describe('an assignment email', () => {
  it('tells who gave which story to whom, and where it is', async () => {
    const { email } = await sent(anAssignedMail());
    assert.equal(email.subject, '#12 Land');
    assert.deepEqual(email.from, { name: 'Ada (Story Tracker)', address: 'tracker@example.org' });
    assert.deepEqual(email.to, [{ name: 'Ben', address: 'ben@example.org' }]);
    assert.deepEqual(email.replyTo, [{ name: 'Story Tracker', address: 'story-12-2-proof@tracker.example.org' }]);
    assert.equal(email.date, '2026-11-21T10:00:00.000Z');
    assert.equal(
      email.text?.trim(),
      [
        '--- Write your reply above this line ---',
        'Ada assigned you a story in Apollo:',
        '#12 Land\nfeature, unstarted, 3 points\nhttps://tracker.example.org/story/show/12',
        'On the Moon.\n\nSoftly.',
        'Reply to this email to comment on the story.\nUnsubscribe: https://tracker.example.org/mail/1-2-proof',
      ].join('\n\n'),
    );
  });

  it('is known as sent by a program, and how to be rid of it', async () => {
    const { email } = await sent(anAssignedMail());
    const again = { messageId: email.messageId ?? '', headers: new Map(), contentType: 'text/plain' };
    assert.throws(() => refuseAutomaticMail({ ...again, from: [], text: '', files: [] }), /sent by this service/);
    assert.equal(email.references, '<story-12@example.org>');
    assert.equal(header(email, 'auto-submitted'), 'auto-generated');
    assert.equal(header(email, 'list-unsubscribe'), '<https://tracker.example.org/mail/1-2-proof>');
  });

  it('says nothing of replies where none are taken', async () => {
    const { email } = await sent(anAssignedMail({ replyTo: undefined }));
    assert.equal(email.replyTo, undefined);
    assert.doesNotMatch(`${email.text}${email.html}`, /reply/i);
  });

  it('shows the number only where the project keeps to HTTPS', async () => {
    const { email, raw } = await sent(
      anAssignedMail({ story: { id: 12, url: 'https://tracker.example.org/story/show/12' } }),
    );
    assert.equal(email.subject, 'Ada assigned story #12 to you');
    assert.doesNotMatch(raw, /Land|Moon|Apollo/);
  });

  it('shows what people wrote as text', async () => {
    const name = `<script>alert("1")</script> & 'so'`;
    const { email } = await sent(
      anAssignedMail({
        by: '<i>Ada',
        project: '<b>',
        story: aStoryOfMail({ name, description: '<img src=x onerror=y>' }),
      }),
    );
    assert.equal(email.subject, `#12 ${name}`);
    assert.doesNotMatch(email.html ?? '', /<(?:script|i|img)\b/);
    assert.match(email.html ?? '', /&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt; &amp; &#39;so&#39;/);
  });

  it('has the same headers and recipients whatever people wrote', async () => {
    const plain = (await sent(anAssignedMail())).email.headers.map(({ key }) => key);
    const sample = fc.tuple(anything, anything, anything, anything);
    await fc.assert(
      fc.asyncProperty(sample, async ([name, by, to, project]) => {
        const story = aStoryOfMail({ name, description: name });
        const mail = anAssignedMail({ by, project, to: { name: to, address: 'ben@example.org' }, story });
        const { email } = await sent({ ...mail, replyTo: 'story-12-2-proof@tracker.example.org' });
        assert.deepEqual(
          email.headers.map(({ key }) => key),
          plain,
        );
        assert.deepEqual(
          email.to?.map(({ address }) => address),
          ['ben@example.org'],
        );
        assert.equal(header(email, 'bcc'), undefined);
        assert.deepEqual(composedMail(mail).envelope, {
          from: 'tracker@example.org',
          to: [{ name: '', address: 'ben@example.org' }],
        });
      }),
      { numRuns: 40 },
    );
  }).timeout(20_000);

  it('breaks lines so that programs that quote it need not, and cuts what is endless', async () => {
    const { email } = await sent(anAssignedMail({ story: aStoryOfMail({ description: 'word '.repeat(10_000) }) }));
    const lines = (email.text ?? '').split('\n');
    assert.ok(lines.every((line) => line.length <= 72 || !line.includes(' ')));
    assert.ok((email.text ?? '').length < 25_000);
  });

  it('goes to one address, however that is written', async () => {
    for (const address of ['a,ben@example.org', 'a;ben@example.org', 'ben@example.org,a', 'a(ben@example.org']) {
      const mail = composedMail(anAssignedMail({ to: { name: 'Ben', address } }));
      const { envelope } = await createTransport({ streamTransport: true }).sendMail(mail);
      assert.equal(envelope.to.length, 1, address);
    }
  });
});
