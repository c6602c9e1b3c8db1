import * as vscode from 'vscode';
import { withMarker } from '../../core/marker/withMarker.ts';
import { commentCharOf, rootOf, workspaceEdit } from '../../host/git/commitDocument.ts';
import { markerOptions } from '../../host/git/commitLinkSettings.ts';
import { STORY_IDS } from '../../host/tree/treeDrops.ts';

/** The marker of stories that are dropped, where Insert Marker would write it and not where they were let go. */
export async function droppedStories(
  document: vscode.TextDocument,
  data: vscode.DataTransfer,
  kind: vscode.DocumentDropOrPasteEditKind,
): Promise<vscode.DocumentDropEdit | undefined> {
  const ids = idsIn((await data.get(STORY_IDS)?.asString()) ?? '');
  if (ids.length === 0) return undefined;
  const options = markerOptions(await rootOf(document), commentCharOf(document));
  const { edits } = withMarker(document.getText(), ids, options);
  const drop = new vscode.DocumentDropEdit('', vscode.l10n.t('Insert Marker'), kind);
  drop.additionalEdit = workspaceEdit(document, edits);
  return drop;
}

/** From another window comes the type without what it is of. */
function idsIn(json: string): readonly number[] {
  if (!/^\[\d{1,15}(?:,\d{1,15})*\]$/.test(json)) return [];
  const ids: unknown = JSON.parse(json);
  return Array.isArray(ids) ? ids.map(Number) : [];
}
