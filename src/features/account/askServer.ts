import * as vscode from 'vscode';
import { failureMeans, kindOf, TrackerError } from '../../core/errors.ts';
import type { Access } from '../../core/ports/connection.ts';
import type { App } from '../../host/app.ts';
import { askText, type TextAnswer, withCertificate } from './askText.ts';
import { type ServerAddress, serverAddressOf } from './serverAddress.ts';

interface ServerLogin {
  readonly address: ServerAddress;
  readonly token: string;
  /** The name given together with a password. */
  readonly user?: string;
}

type Needs = Pick<App, 'engine' | 'messages'>;
type Verify = (access: Access) => Promise<void>;
type Method = 'token' | 'password';

/**
 * Asks for a server step by step, for a `known` one only how to sign in; going back keeps what was typed. `undefined` when the person
 * turned away.
 */
export async function askServer(needs: Needs, verify: Verify, known = ''): Promise<ServerLogin | undefined> {
  let typed = known;
  let given = serverAddressOf(known);
  for (;;) {
    const asked = given ? undefined : await askAddress(needs, typed);
    if (!given && asked?.kind !== 'accepted') return undefined;
    const address = asked?.kind === 'accepted' ? asked.value.address : given;
    if (!address) return undefined;
    if (asked?.kind === 'accepted') typed = asked.value.typed;
    given = undefined;
    if (!(await withCertificate(needs, address.baseUrl))) continue;
    const answer = await askLogin(needs, verify, address);
    if (answer !== 'back') return answer;
  }
}

async function askLogin(
  needs: Needs,
  verify: Verify,
  address: ServerAddress,
): Promise<ServerLogin | 'back' | undefined> {
  // A password is never sent where others could read it (protocol.md: tokens/active only over TLS or to this machine).
  const method = address.isExposed ? 'token' : await askMethod();
  if (method === undefined) return undefined;
  return method === 'token' ? askToken(verify, address) : askPassword(needs, verify, address);
}

function askAddress(needs: Needs, value: string) {
  return askText<{ readonly typed: string; readonly address: ServerAddress }>({
    title: vscode.l10n.t('Sign In to a Server'),
    prompt: vscode.l10n.t('Server address, including the port and path if it has them'),
    placeholder: 'https://tracker.example.com',
    value,
    accept: async (typed) => ({ typed, address: await acceptedAddress(needs, typed) }),
  });
}

async function acceptedAddress({ messages }: Needs, typed: string): Promise<ServerAddress> {
  const address = serverAddressOf(typed);
  if (!address) {
    throw new TrackerError('input', vscode.l10n.t('Enter an address like https://tracker.example.com.'));
  }
  if (!address.isExposed) return address;
  const goOn = vscode.l10n.t('Use http Anyway');
  const answer = await messages.ask(
    vscode.l10n.t('Send your token to {0} without encryption?', address.name),
    vscode.l10n.t('With http, others on the network can read your token and your stories. Use https if possible.'),
    goOn,
  );
  if (answer === goOn) return address;
  throw new TrackerError('cancelled', vscode.l10n.t('Canceled.'));
}

async function askMethod(): Promise<Method | undefined> {
  const items: readonly (vscode.QuickPickItem & { readonly method: Method })[] = [
    {
      label: vscode.l10n.t('$(key) Token'),
      detail: vscode.l10n.t('From your account or profile page on the server.'),
      method: 'token',
    },
    {
      label: vscode.l10n.t('$(person) Username and Password'),
      detail: vscode.l10n.t('Used once to get your token. Not stored.'),
      method: 'password',
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Sign In to a Server'),
    placeHolder: vscode.l10n.t('How do you want to sign in?'),
    ignoreFocusOut: true,
  });
  return picked?.method;
}

async function askToken(verify: Verify, address: ServerAddress): Promise<ServerLogin | 'back' | undefined> {
  const answer = await askText<ServerLogin>({
    title: vscode.l10n.t('Sign In to {0}', address.name),
    prompt: vscode.l10n.t('API token'),
    password: true,
    canGoBack: true,
    accept: async (typed) => {
      const token = typed.trim();
      if (token === '') throw new TrackerError('input', vscode.l10n.t('Enter your API token.'));
      await verify({ baseUrl: address.baseUrl, token });
      return { address, token };
    },
  });
  return loginOrBack(answer);
}

async function askPassword(
  needs: Needs,
  verify: Verify,
  address: ServerAddress,
): Promise<ServerLogin | 'back' | undefined> {
  let user = '';
  for (;;) {
    const named = await askUser(address, user);
    if (named?.kind !== 'accepted') return named && 'back';
    user = named.value;
    const answer = await askText<ServerLogin>({
      title: vscode.l10n.t('Sign In to {0}', address.name),
      prompt: vscode.l10n.t('Password for {0}', user),
      password: true,
      canGoBack: true,
      accept: (password) => loginWith(needs, verify, address, { username: user, password }),
    });
    if (answer?.kind !== 'back') return answer?.value;
  }
}

function askUser(address: ServerAddress, value: string) {
  return askText<string>({
    title: vscode.l10n.t('Sign In to {0}', address.name),
    prompt: vscode.l10n.t('Username or email address'),
    value,
    canGoBack: true,
    accept: async (typed) => {
      if (typed.trim() === '') throw new TrackerError('input', vscode.l10n.t('Enter your username.'));
      return typed.trim();
    },
  });
}

async function loginWith(
  { engine }: Needs,
  verify: Verify,
  address: ServerAddress,
  login: { readonly username: string; readonly password: string },
): Promise<ServerLogin> {
  const { baseUrl } = address;
  const token = await tokenFor(() => engine.trial({ baseUrl, token: '' }, (tracker) => tracker.activeToken(login)));
  await verify({ baseUrl, token });
  return { address, token, user: login.username };
}

async function tokenFor(ask: () => Promise<string>): Promise<string> {
  try {
    return await ask();
  } catch (thrown) {
    if (!failureMeans(kindOf(thrown), 'signIn')) throw thrown;
    // The same for all: servers do not tell strangers who was invited.
    const sentence = vscode.l10n.t(
      'Wrong username or password. If you were invited, set your password with the link in the invitation first.',
    );
    throw new TrackerError('unauthorized', sentence, { cause: thrown });
  }
}

function loginOrBack(answer: TextAnswer<ServerLogin> | undefined): ServerLogin | 'back' | undefined {
  return answer?.kind === 'back' ? 'back' : answer?.value;
}
