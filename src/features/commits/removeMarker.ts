import * as vscode from 'vscode';
import { withoutMarker } from '../../core/marker/withoutMarker.ts';
import type { App } from '../../host/app.ts';
import { askedRepository, requireTrust } from '../../host/git/chooseRepository.ts';
import { commitMessageFor } from '../../host/git/commitMessage.ts';

type Needs = Pick<App, 'git' | 'messages'>;

/** Remove Marker (contract.md): takes every marker out of the commit message that is being written. */
export async function removeMarker({ git, messages }: Needs, argument?: unknown): Promise<void> {
  requireTrust();
  const message = await commitMessageFor(git, askedRepository(argument).repository);
  if (!message) return;
  const changed = await message.change((text, commentChar) => withoutMarker(text, undefined, { commentChar }));
  messages.status(
    changed
      ? vscode.l10n.t('Removed the marker from the commit message of {0}.', message.name)
      : vscode.l10n.t('The commit message of {0} has no marker.', message.name),
  );
}
