import * as vscode from 'vscode';
import { markerText } from '../../core/marker/markerSyntax.ts';
import { withMarker } from '../../core/marker/withMarker.ts';
import type { App } from '../../host/app.ts';
import { requireTrust } from '../../host/git/chooseRepository.ts';
import { markerOptions } from '../../host/git/commitLinkSettings.ts';
import { commitMessageFor } from '../../host/git/commitMessage.ts';
import { commitVerb } from '../../host/shell/settings.ts';
import { type MarkerNeeds, markerRequest } from './markerRequest.ts';

type Needs = MarkerNeeds & Pick<App, 'git' | 'messages'>;

/**
 * Insert Marker (contract.md): names the stories in the commit message that is being written, once each, and says so in
 * the status bar; the focus stays where it was.
 */
export async function insertMarker(needs: Needs, ...args: readonly unknown[]): Promise<void> {
  requireTrust();
  const request = await markerRequest(needs, args);
  if (!request) return;
  const message = await commitMessageFor(needs.git, request.repository);
  if (!message) return;
  const ids = request.stories.map(({ story }) => story.id);
  const verb = request.verb ?? commitVerb(message.scope);
  const changed = await message.change((text, commentChar) =>
    withMarker(text, ids, { ...markerOptions(message.scope, commentChar), verb }),
  );
  const marker = markerText(ids, verb);
  needs.messages.status(
    changed
      ? vscode.l10n.t('Added {0} to the commit message of {1}.', marker, message.name)
      : vscode.l10n.t('{0} is already in the commit message of {1}.', marker, message.name),
  );
}
