import { createHash } from 'node:crypto';
import { visibleLine } from '../../core/text.ts';
import type { Refusal } from '../ground/errors.ts';
import { escaped } from '../http/html.ts';
import type { Reply } from '../http/reply.ts';

const STYLE = `:root{color-scheme:light dark;--ink:#1f1f1f;--soft:#616161;--line:#d4d4d4;--paper:#fff;--go:#005fb8;--on-go:#fff;--bad:#b01011}
@media (prefers-color-scheme:dark){:root{--ink:#ccc;--soft:#9d9d9d;--line:#3c3c3c;--paper:#1f1f1f;--go:#4daafc;--on-go:#1f1f1f;--bad:#f88070}}
*{box-sizing:border-box}
body{font:1rem/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:44rem;margin:8vh auto;padding:0 1rem;overflow-wrap:anywhere}
h1{font-size:1.6rem;font-weight:600;margin:0 0 1rem}
h2{font-size:1.15rem;font-weight:600;margin:2.5rem 0 .5rem;padding-top:1rem;border-top:1px solid var(--line)}
a{color:var(--go)}
label{display:block;margin:.9rem 0}
label.tick{margin:.5rem 0}
label small,.soft{color:var(--soft);font-size:.875rem}
input:not([type=checkbox]){display:block;width:100%;max-width:24rem;font:inherit;color:inherit;background:transparent;border:1px solid var(--soft);border-radius:3px;padding:.35rem .5rem}
button{font:inherit;font-size:.9rem;color:inherit;background:transparent;border:1px solid var(--soft);border-radius:3px;padding:.3rem .8rem;cursor:pointer}
button.go{color:var(--on-go);background:var(--go);border-color:var(--go)}
:focus-visible{outline:2px solid var(--go);outline-offset:2px}
[role=alert]{border-left:4px solid var(--bad);padding:.25rem .75rem}
[role=status]{border-left:4px solid var(--go);padding:.25rem .75rem}
ul.rows{list-style:none;margin:0;padding:0}
ul.rows>li{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:center;justify-content:space-between;padding:.5rem 0;border-bottom:1px solid var(--line)}
ul.rows>li>div{flex:1 1 16rem;min-width:0}
ul.rows .soft{display:block}
summary{cursor:pointer;list-style:none;font-size:.9rem;border:1px solid var(--soft);border-radius:3px;padding:.3rem .8rem}
summary::-webkit-details-marker{display:none}
details[open] summary{margin-bottom:.4rem}
code{font:.95rem/1.5 ui-monospace,monospace;background:transparent;border:1px solid var(--line);border-radius:3px;padding:.15rem .4rem;user-select:all}`;

const DIGEST = createHash('sha256').update(STYLE).digest('base64');

/** Nothing runs and nothing is loaded; forms go to this service only; no page frames these, and none learns their addresses. */
const HEADERS: Readonly<Record<string, string>> = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${DIGEST}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
};

export interface Page {
  readonly title: string;
  /** HTML, of which whatever people wrote is escaped. */
  readonly body: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export function pageReply({ title, body, status = 200, headers = {} }: Page): Reply {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)} – Story Tracker</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
${body}
</main>
</body>
</html>
`;
  return { status, headers: { ...HEADERS, ...headers }, body: html };
}

/** Goes on with another page of the service, named from where the browser is. */
export function goTo(location: string, cookie?: string): Reply {
  const headers = { ...HEADERS, Location: location, ...(cookie !== undefined && { 'Set-Cookie': cookie }) };
  return { status: 303, headers, body: '' };
}

/** A refusal as a page, in its own words. */
export function refusalPage({ status, sentences, headers }: Refusal): Reply {
  return pageReply({
    title: TITLES[status] ?? 'This Did Not Work',
    body: alertOf(sentences.join(' ')),
    status,
    headers,
  });
}

const TITLES: Readonly<Record<number, string>> = { 403: 'Not Allowed', 404: 'Not Found', 429: 'Try Again Later' };

/** What went wrong, on top of the form in which it can be put right. */
export function alertOf(sentence: string | undefined): string {
  return sentence === undefined ? '' : `<p role="alert">${escaped(sentence)}</p>\n`;
}

export function statusOf(sentence: string | undefined): string {
  return sentence === undefined ? '' : `<p role="status">${escaped(sentence)}</p>\n`;
}

/** What people wrote, on one line, turning no text around it. */
export function shown(text: string): string {
  return `<bdi>${escaped(visibleLine(text, 200))}</bdi>`;
}

/** A moment to the minute. */
export function shownMoment(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** A password field; `purpose` tells password managers which one. */
export function passwordField(label: string, name: string, purpose: 'current-password' | 'new-password'): string {
  const least = purpose === 'new-password' ? ' minlength="10"' : '';
  return `<label>${label}<input type="password" name="${name}" autocomplete="${purpose}" required maxlength="1024"${least}></label>\n`;
}

export function emailField(value = ''): string {
  return `<label>Email address<input type="email" name="email" autocomplete="username" required maxlength="255" value="${escaped(value)}"></label>\n`;
}

/** The same where it is known: password managers keep it with the password. */
export function knownEmailField(value: string): string {
  return `<label>Email address<input type="email" autocomplete="username" readonly value="${escaped(value)}"></label>\n`;
}
