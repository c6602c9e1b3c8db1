import assert from 'node:assert/strict';
import fc from 'fast-check';
import { composedMail } from '../../../../../src/service/mail/assigned/composedMail.ts';
import { htmlText } from '../../../../../src/service/mail/reply/htmlText.ts';
import { growsBySquare } from '../../../../support/measures/growth.ts';
import { anAssignedMail } from '../assignedMail.ts';

const original = String(composedMail(anAssignedMail()).html);

/** Replies of two paragraphs, as programs write them around what they quote. */
const replies: Readonly<Record<string, string>> = {
  Gmail: `<div dir="ltr"><div>I am on it.</div><div><br></div><div>Tomorrow &amp; later.</div></div><br>
    <div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Sat, Ada wrote:<br></div>
    <blockquote class="gmail_quote" style="margin:0"><div>${original}</div></blockquote></div>`,
  'Gmail with a signature': `<div dir="ltr">I am on it.<div><br></div><div>Tomorrow &amp; later.</div><div><br></div><span class="gmail_signature_prefix">-- </span><br>
    <div dir="ltr" class="gmail_signature"><div>Ben<div><img src="cid:logo"></div></div></div></div><div class="gmail_quote">${original}</div>`,
  Thunderbird: `<html><head><meta charset="UTF-8"></head><body><p>I am on it.</p><p>Tomorrow &amp;
    later.</p><pre class="moz-signature">-- \nBen</pre><div class="moz-cite-prefix">Am 21.11.26 um 10:00 schrieb Ada:<br></div>
    <blockquote type="cite" cite="mid:1">${original}</blockquote></body></html>`,
  'Apple Mail': `<html><body style="overflow-wrap: break-word;">I am on it.<div><br></div><div>Tomorrow &amp; later.<br id="lineBreakAtBeginningOfMessage"><div><br>
    <blockquote type="cite"><div>On 21. Nov 2026, at 10:00, Ada wrote:</div><br>${original}</blockquote></div></div></body></html>`,
  iPhone: `<html><body dir="auto">I am on it.<div><br></div><div>Tomorrow &amp; later.</div><div><br><div id="AppleMailSignature">Sent from my iPhone</div>
    <div dir="ltr"><br><blockquote type="cite">On Nov 21, Ada wrote:<br><br></blockquote></div><blockquote type="cite">${original}</blockquote></div></body></html>`,
  'Outlook on the desktop': `<html><head><style><!-- p.MsoNormal {margin:0} --></style></head><body lang=EN-GB><div class=WordSection1>
    <p class=MsoNormal>I am on it.<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>Tomorrow &amp; later.<o:p></o:p></p>
    <div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal><b>Von:</b> Ada</p></div></div>${original}</div></body></html>`,
  'Outlook on the web': `<html><body><div class="elementToProof">I am on it.</div><div class="elementToProof"><br></div><div>Tomorrow &amp; later.</div>
    <div id="appendonsend"></div><hr style="width:98%"><div id="divRplyFwdMsg" dir="ltr"><b>From:</b> Ada<br></div>${original}</body></html>`,
  'Outlook for Android': `<html><body><div dir="auto">I am on it.<br><br>Tomorrow &amp; later.</div><div id="ms-outlook-mobile-signature">Get <a href="https://aka.ms/x">Outlook for Android</a></div>
    <div id="mail-editor-reference-message-container"><hr><div>From: Ada</div>${original}</div></body></html>`,
  Yahoo: `<html><body><div class="yahoo-style-wrap"><div>I am on it.</div><div><br></div><div>Tomorrow &amp; later.</div></div>
    <div id="ydp1yahoo_quoted_1" class="yahoo_quoted"><div>On Saturday, Ada wrote:</div>${original}</div></body></html>`,
  Proton: `<div style="font-family: Arial">I am on it.</div><div><br></div><div>Tomorrow &amp; later.</div><div class="protonmail_signature_block"></div>
    <div class="protonmail_quote">On Saturday, Ada wrote:<br><blockquote class="protonmail_quote" type="cite">${original}</blockquote></div>`,
};

describe('the text of HTML', () => {
  for (const [name, html] of Object.entries(replies)) {
    it(`is what was written in ${name}, without what is quoted`, () => {
      assert.deepEqual(htmlText(html), { text: 'I am on it.\n\nTomorrow & later.', images: [] });
    });
  }

  assertText('a<br>b<div>c</div>d', 'a\nb\nc\nd');
  assertText('<ul><li>one<li>two<ol><li>three</li></ol></ul>', '- one\n- two\n  1. three');
  assertText('<p>one\n  two</p><p>three</p>', 'one two\n\nthree');
  assertText('<pre>a\n  b</pre>', 'a\n  b');
  assertText(
    '<a href="https://example.org/a">the plan</a> <a href="https://example.org/">example.org</a>',
    'the plan (https://example.org/a) example.org',
  );
  assertText('<a href="javascript:alert(1)">x</a><a href="mailto:b@example.org">b@example.org</a>', 'xb@example.org');
  assertText('<script>alert("<b>")</script><style>p{}</style><title>t</title>shown<!-- > not -->', 'shown');
  assertText('<p style="display:none">preview</p>shown', 'shown');
  assertText('1 &lt; 2 &amp;&amp; 3 &#62; 2 &eacute; &unknown; &#x1F600; &#0;', '1 < 2 && 3 > 2 é &unknown; 😀 \ufffd');
  assertText('a < b and c <3 d', 'a < b and c <3 d');
  assertText('<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc');
  assertText('<blockquote>from the manual</blockquote>so do it', '> from the manual\n\nso do it');
  assertText(
    'smile <img alt="😀" src="https://example.org/1.png"><img alt="tracker" src="https://example.org/2.png">',
    'smile 😀',
  );
  assertText('<div class="gmail_quote">never closed', '');
  assertText('cut <a href="x', 'cut');

  it('names the images that belong to the mail where they stand', () => {
    const html = 'see <img src="cid:one@x"> and<div class="gmail_signature"><img src="cid:logo"></div>';
    assert.deepEqual(htmlText(html), { text: 'see [image] and', images: ['one@x'] });
  });

  it('gives every text back that was escaped', () => {
    const texts = fc.array(fc.stringMatching(/^[a-z<>&"' é]{1,20}$/), { minLength: 1 });
    fc.assert(
      fc.property(texts, (all) => {
        const lines = all.map((line) => line.replace(/\s+/g, ' ').trim()).filter((line) => line !== '');
        const html = lines.map((line) => `<div>${line.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)}</div>`);
        assert.equal(htmlText(html.join('')).text, lines.join('\n'));
      }),
    );
  });

  it('never throws, whatever is in it', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '</',
      '<a href="',
      "'",
      '"',
      '<div ',
      '<!--',
      '-->',
      '&#',
      '&#xffffff;',
      '<pre>',
      '</pre>',
      '<li>',
      '</ol>',
      '<script>',
      'x',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string())), (all) => {
        assert.equal(typeof htmlText(all.join('')).text, 'string');
      }),
      { numRuns: 1000 },
    );
  });

  it('takes time that grows with the length only', () => {
    const pieces = [
      '<',
      '<a "',
      "<a href='",
      '<!--',
      '<div>',
      '<div class="gmail_quote">',
      '<li>',
      '&#',
      '&amp',
      '<style>',
      '</',
      '<pre>\n',
      '<a href=x>',
      ' <br> ',
      '<p>&nbsp;',
      '<x a=b ',
    ];
    for (const piece of pieces) {
      assert.equal(
        growsBySquare((length) => htmlText(piece.repeat(length / piece.length))),
        false,
        piece,
      );
    }
  }).timeout(30_000);
});

function assertText(html: string, expected: string): void {
  it(`of ${html.slice(0, 60)}`, () => assert.equal(htmlText(html).text, expected));
}
