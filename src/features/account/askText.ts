import * as vscode from 'vscode';
import { isCancelled, messageOf, TrackerError } from '../../core/errors.ts';
import { isAboutPassphrase } from '../../core/ports/connection.ts';
import type { App } from '../../host/app.ts';
import { withoutLinks } from '../../host/shell/plainText.ts';

interface TextQuestion<T> {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: boolean;
  /** There was a question before. How many there are depends on the answers, so none is counted. */
  readonly canGoBack?: boolean;
  /** Takes what was typed. What it throws is shown below the box, which stays open with what was typed. */
  readonly accept: (typed: string) => Promise<T>;
}

/** What was typed and accepted, or what was typed when the person went back. */
export type TextAnswer<T> =
  | { readonly kind: 'accepted'; readonly value: T }
  | { readonly kind: 'back'; readonly typed: string };

/** Asks for a line of text until it is accepted. `undefined` when the person turned away. */
export function askText<T>(question: TextQuestion<T>): Promise<TextAnswer<T> | undefined> {
  const box = inputBoxFor(question);
  return new Promise((resolve) => {
    const finish = (answer: TextAnswer<T> | undefined) => {
      resolve(answer);
      box.dispose();
    };
    box.onDidHide(() => finish(undefined));
    box.onDidTriggerButton(() => finish({ kind: 'back', typed: box.value }));
    box.onDidChangeValue(() => {
      box.validationMessage = '';
    });
    box.onDidAccept(async () => {
      if (box.busy) return;
      box.busy = true;
      try {
        finish({ kind: 'accepted', value: await question.accept(box.value) });
      } catch (thrown) {
        box.busy = false;
        if (!isCancelled(thrown)) box.validationMessage = withoutLinks(messageOf(thrown));
      }
    });
    box.show();
  });
}

function inputBoxFor<T>(question: TextQuestion<T>): vscode.InputBox {
  const { title, prompt, placeholder, value, password, canGoBack } = question;
  const box = vscode.window.createInputBox();
  Object.assign(box, { title, prompt, placeholder, value: value ?? '', password: password === true });
  // People leave the window to fetch a token.
  box.ignoreFocusOut = true;
  if (canGoBack) box.buttons = [vscode.QuickInputButtons.Back];
  return box;
}

type Needs = Pick<App, 'engine'>;

/**
 * Asks for the passphrase of the client certificate for a server, and keeps it once it opens that. `undefined` when the person
 * turned away.
 */
export async function askPassphrase({ engine }: Needs, baseUrl: string): Promise<true | undefined> {
  const { host } = new URL(baseUrl);
  const answer = await askText<true>({
    title: vscode.l10n.t('Client Certificate for {0}', host),
    prompt: vscode.l10n.t('Passphrase of the certificate. It is kept in the secret storage of VS Code.'),
    password: true,
    accept: async (passphrase) => {
      try {
        await engine.tryCertificate(baseUrl, passphrase);
        return true;
      } catch (thrown) {
        if (!isAboutPassphrase(thrown)) throw thrown;
        throw new TrackerError('input', vscode.l10n.t('This passphrase does not open the certificate.'), {
          cause: thrown,
        });
      }
    },
  });
  return answer?.kind === 'accepted' ? answer.value : undefined;
}

/** Has the client certificate for a server ready where there is one. `undefined` when the person did not say its passphrase. */
export async function withCertificate(needs: Needs, baseUrl: string): Promise<true | undefined> {
  try {
    await needs.engine.tryCertificate(baseUrl);
    return true;
  } catch (thrown) {
    if (!isAboutPassphrase(thrown)) throw thrown;
    return askPassphrase(needs, baseUrl);
  }
}
