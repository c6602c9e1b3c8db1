import { PREFERENCES_PATH, type PreferencesRequest } from '../call/mails.ts';
import { notFound, pageNotFound, Refusal } from '../ground/errors.ts';
import { escaped } from '../http/html.ts';
import type { Reply } from '../http/reply.ts';
import type { Tx } from '../store/database.ts';
import { type MailPreferences, mailPreferences, setAssignedMail } from '../store/people/users.ts';
import { projectById } from '../store/projects/projects.ts';
import type { MailContext } from './mailContext.ts';
import { readSignedIds, signedIds } from './replyAddress.ts';

interface Member {
  readonly userId: number;
  readonly projectId: number;
}

/** Where a member says which mails they want, without signing in: only they are given this address. */
export function preferencesPath({ userId, projectId }: Member, key: string): string {
  return `${PREFERENCES_PATH}?of=${signedIds('preferences', userId, projectId, key)}`;
}

/**
 * Shows what a member has chosen and takes what they choose now: by the page's form, or by the one request of a mail program that
 * knows how to unsubscribe (RFC 8058). Throws `Refusal` 404 for an address that was not given out, 405.
 */
export async function answerPreferences({ database, key }: MailContext, request: PreferencesRequest): Promise<Reply> {
  const ids = readSignedIds('preferences', request.query.get('of') ?? '', key);
  if (!ids) throw notFound('There is nothing at this address.');
  const member = { userId: ids[0], projectId: ids[1] };
  const { method } = request;
  if (method !== 'GET' && method !== 'POST')
    throw new Refusal(405, `This address answers to ${ALLOW.Allow} only.`, ALLOW);
  const chosen = method === 'POST' ? await request.form(readChoice) : undefined;
  const change = async (tx: Tx): Promise<Reply> => {
    if (chosen) await choose(tx, member, chosen);
    return page(tx, member, chosen !== undefined);
  };
  return chosen ? database.write(change) : database.read(change);
}

const ALLOW = { Allow: 'GET, HEAD, POST' };

/** What a form asks for; `everywhere` is undefined where it asks for nothing of the kind. */
interface Choice {
  readonly project: boolean;
  readonly everywhere: boolean | undefined;
}

function readChoice(form: URLSearchParams): Choice {
  if (form.get('List-Unsubscribe') === 'One-Click') return { project: false, everywhere: undefined };
  return { project: form.has('project'), everywhere: form.has('everywhere') };
}

async function choose(tx: Tx, { userId, projectId }: Member, { project, everywhere }: Choice): Promise<void> {
  await setAssignedMail(tx, userId, projectId, project);
  if (everywhere !== undefined) await setAssignedMail(tx, userId, undefined, everywhere);
}

async function page(tx: Tx, { userId, projectId }: Member, isChosen: boolean): Promise<Reply> {
  const chosen = await mailPreferences(tx, projectId, userId);
  const project = await projectById(tx, projectId);
  if (!chosen || !project)
    throw pageNotFound('You are no longer a member of this project and get no more emails from it.');
  const name = project.useHttps === 1 ? 'this project' : project.name;
  return { status: 200, headers: HEADERS, body: pageText(chosen, name, isChosen) };
}

function pageText({ everywhere, project }: MailPreferences, name: string, isChosen: boolean): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Email Preferences – Story Tracker</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}</style>
</head>
<body>
<h1>Email Preferences</h1>
${isChosen ? '<p role="status">Saved.</p>\n' : ''}<form method="post">
<p><label><input type="checkbox" name="everywhere"${everywhere ? ' checked' : ''}> Assigned stories</label></p>
<p><label><input type="checkbox" name="project"${project ? ' checked' : ''}> Assigned stories of ${escaped(name)}</label></p>
<p><button>Save</button></p>
</form>
</body>
</html>
`;
}

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  // Without a referrer the form would come from nowhere, and be refused where there is no TLS.
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};
