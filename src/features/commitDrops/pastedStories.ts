import * as vscode from 'vscode';
import { withMarkerFor } from '../../core/marker/withMarker.ts';
import { addressesIn } from '../../core/story/storyAddress.ts';
import type { App } from '../../host/app.ts';
import { commentCharOf, rootOf, workspaceEdit } from '../../host/git/commitDocument.ts';
import { markerOptions } from '../../host/git/commitLinkSettings.ts';
import { storyIdAt } from './storyIdAt.ts';

/** What VS Code tells of a paste. */
interface Paste {
  readonly document: vscode.TextDocument;
  readonly ranges: readonly vscode.Range[];
  readonly data: vscode.DataTransfer;
  readonly kind: vscode.DocumentDropOrPasteEditKind;
  readonly token: vscode.CancellationToken;
}

/**
 * The marker of the stories whose addresses are pasted; nothing where anything else is among them, or at several cursors.
 * Pasting the text itself stays possible, with *Paste as Text* or by what VS Code shows beside the cursor.
 */
export async function pastedStories(
  app: Pick<App, 'accounts' | 'backlogs'>,
  { document, ranges, data, kind, token }: Paste,
): Promise<vscode.DocumentPasteEdit[]> {
  const [range, ...others] = ranges;
  const addresses = addressesIn((await data.get('text/plain')?.asString()) ?? '');
  if (!range || others.length > 0 || addresses.length === 0) return [];
  const { version } = document;
  const found = await Promise.all(addresses.map((address) => storyIdAt(app, address)));
  const ids = found.filter((id) => id !== undefined);
  const root = await rootOf(document);
  if (ids.length < found.length || token.isCancellationRequested || document.version !== version) return [];
  const selected = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
  const options = markerOptions(root, commentCharOf(document));
  const { edits } = withMarkerFor(document.getText(), selected, ids, options);
  const paste = new vscode.DocumentPasteEdit('', vscode.l10n.t('Insert Marker'), kind);
  paste.additionalEdit = workspaceEdit(document, edits);
  return [paste];
}
