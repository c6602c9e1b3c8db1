import { readFile } from 'node:fs/promises';
import { addressParser } from 'postal-mime';
import { messageOf } from '../../core/errors.ts';
import { UsageError } from '../ground/errors.ts';
import { isLoopback } from '../http/hostNames.ts';
import { readHostName, readNumber } from '../input/optionValues.ts';
import { MAIL_FILES, type MailAddress, type MailServer, type MailSettings } from './mailContext.ts';

/** As the command line has them. */
export interface GivenMail {
  readonly smtp?: string | undefined;
  readonly 'smtp-password-file'?: string | undefined;
  readonly 'mail-from'?: string | undefined;
  readonly 'reply-domain'?: string | undefined;
  readonly 'reply-host'?: string | undefined;
  readonly 'reply-port'?: string | undefined;
}

const TLS = ['required', 'offered', 'never'] as const;
const DOMAIN = /^(?=.{1,190}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i;

/** Reads how mails are sent and taken. Throws `UsageError`. Passwords come from a file or the environment, which others cannot list. */
export async function readMailSettings(given: GivenMail, env: NodeJS.ProcessEnv): Promise<MailSettings> {
  const { 'reply-domain': replyDomain, 'reply-port': replyPort, 'reply-host': replyHost } = given;
  if (given.smtp !== undefined && given['mail-from'] === undefined) {
    throw new UsageError('Missing --mail-from, such as tracker@example.org.');
  }
  if (replyPort !== undefined && replyDomain === undefined) {
    throw new UsageError('Missing --reply-domain.');
  }
  if (replyHost !== undefined && replyPort === undefined) throw new UsageError('--reply-host requires --reply-port.');
  if (replyDomain !== undefined && !DOMAIN.test(replyDomain)) {
    throw new UsageError('--reply-domain must be a domain such as reply.example.org.');
  }
  const server = await readServer(given, env);
  return {
    from: readFrom(given['mail-from']),
    ...(server && { server }),
    ...(replyDomain !== undefined && { replyDomain }),
    ...(replyPort !== undefined && {
      replies: {
        host: readHostName(replyHost ?? '127.0.0.1', 'reply-host'),
        port: readNumber(replyPort, 'reply-port', 0, 65_535),
      },
    }),
  };
}

function readFrom(text: string | undefined): MailAddress {
  if (text === undefined) return MAIL_FILES.from;
  const [first, ...others] = addressParser(text, { flatten: true });
  const address = first?.address ?? '';
  const isOne = others.length === 0 && !/\p{Cc}/u.test(text);
  if (!isOne || !/^[^\s@<>"]+@[^\s@<>"]+$/.test(address)) {
    throw new UsageError('--mail-from must be one address, such as "Story Tracker <tracker@example.org>".');
  }
  return { name: first?.name || MAIL_FILES.from.name, address };
}

async function readServer(given: GivenMail, env: NodeJS.ProcessEnv): Promise<MailServer | undefined> {
  if (given.smtp === undefined) return undefined;
  const url = URL.parse(given.smtp);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || !/^\/?$/.test(url.pathname)) {
    throw new UsageError('--smtp must be an address such as smtp://mail.example.org:587 or smtps://mail.example.org.');
  }
  if (url.password !== '') {
    throw new UsageError(
      'Set the password in SMTP_PASSWORD or --smtp-password-file. Everyone on this machine can read command lines.',
    );
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const isHere = host === 'localhost' || isLoopback(host);
  const tls =
    url.protocol === 'smtps:' ? 'implicit' : readTls(url.searchParams.get('tls') ?? (isHere ? 'offered' : 'required'));
  const user = decodeURIComponent(url.username);
  if (user !== '' && !isHere && (tls === 'never' || tls === 'offered')) {
    throw new UsageError(`A password is only sent over TLS. Remove tls=${tls} from --smtp.`);
  }
  const usual = tls === 'implicit' ? 465 : isHere ? 25 : 587;
  const port = url.port === '' ? usual : Number(url.port);
  return { host, port, tls, ...(user !== '' && { user, password: await readPassword(given, env) }) };
}

function readTls(text: string): (typeof TLS)[number] {
  const tls = TLS.find((one) => one === text);
  if (!tls) throw new UsageError(`tls in --smtp must be one of ${TLS.join(', ')}.`);
  return tls;
}

async function readPassword({ 'smtp-password-file': file }: GivenMail, env: NodeJS.ProcessEnv): Promise<string> {
  if (file === undefined) {
    if (env.SMTP_PASSWORD) return env.SMTP_PASSWORD;
    throw new UsageError('The user in --smtp needs a password. Set it in SMTP_PASSWORD or --smtp-password-file.');
  }
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`Could not read the SMTP password file: ${messageOf(error)}`);
  });
  return text.replace(/\r?\n$/, '');
}
