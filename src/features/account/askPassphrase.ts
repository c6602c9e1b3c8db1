import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { askText } from './askText.ts';

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
    step: 1,
    totalSteps: 1,
    accept: async (passphrase) => {
      try {
        await engine.tryCertificate(baseUrl, passphrase);
        return true;
      } catch (thrown) {
        if (!isPassphraseWanted(thrown)) throw thrown;
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
    if (!isPassphraseWanted(thrown)) throw thrown;
    return askPassphrase(needs, baseUrl);
  }
}

function isPassphraseWanted(thrown: unknown): boolean {
  return thrown instanceof TrackerError && thrown.kind === 'input' && thrown.message.includes('passphrase');
}
