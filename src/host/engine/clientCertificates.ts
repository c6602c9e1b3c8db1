import * as vscode from 'vscode';
import type { ClientCertificate } from '../../core/ports/connection.ts';
import type { Subscription } from '../shell/emitter.ts';
import { clientCertificates } from './networkSettings.ts';

const SECRET_PREFIX = 'storyTracker.passphrase.';

/** The client certificates of the settings, with their passphrases, which are kept among the secrets and nowhere else. */
export class ClientCertificates implements Subscription {
  private readonly secrets: vscode.SecretStorage;
  private readonly listening: Subscription;
  private known: Promise<readonly ClientCertificate[]> | undefined;

  constructor(secrets: vscode.SecretStorage) {
    this.secrets = secrets;
    this.listening = vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('storyTracker.clientCertificates')) this.known = undefined;
      }),
      secrets.onDidChange(({ key }) => {
        if (key.startsWith(SECRET_PREFIX)) this.known = undefined;
      }),
    );
  }

  all(): Promise<readonly ClientCertificate[]> {
    this.known ??= Promise.all(clientCertificates().map((one) => this.withPassphrase(one)));
    return this.known;
  }

  /** Keeps the passphrase, and forgets those of certificates that are no longer set. */
  async remember(origin: string, passphrase: string): Promise<void> {
    await this.secrets.store(SECRET_PREFIX + origin, passphrase);
    this.known = undefined;
    const used = new Set(clientCertificates().map((one) => SECRET_PREFIX + one.origin));
    const left = (await this.secrets.keys()).filter((key) => key.startsWith(SECRET_PREFIX) && !used.has(key));
    for (const key of left) await this.secrets.delete(key);
  }

  dispose(): void {
    this.listening.dispose();
  }

  private async withPassphrase(certificate: ClientCertificate): Promise<ClientCertificate> {
    const passphrase = await this.secrets.get(SECRET_PREFIX + certificate.origin);
    return passphrase === undefined ? certificate : { ...certificate, passphrase };
  }
}
