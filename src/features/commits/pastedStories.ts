import * as vscode from 'vscode';
import { withMarker, withMarkerFor } from '../../core/marker/withMarker.ts';
import { addressesIn, lastNumber, storyIdInLink, storyIdOnServer } from '../../core/story/storyAddress.ts';
import type { Account } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';
import { commentCharOf, rootOf, workspaceEdit } from '../../host/git/commitDocument.ts';
import { markerOptions } from '../../host/git/commitLinkSettings.ts';
import { STORY_IDS } from '../../host/tree/treeDrops.ts';

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

type Needs = Pick<App, 'accounts' | 'backlogs'>;

/** The story whose page or link it is: as its server named the page, or on a server that one is signed in to. Asks no server. */
async function storyIdAt({ accounts, backlogs }: Needs, address: string): Promise<number | undefined> {
  const linked = storyIdInLink(address);
  if (linked !== undefined) return linked;
  const id = lastNumber(address);
  if (id === undefined) return undefined;
  if (backlogs.peekStory(id)?.story.url === address) return id;
  for (const account of await accounts.list()) {
    const baseUrl = await addressOf(accounts, account, address);
    const found = baseUrl === undefined ? undefined : storyIdOnServer(address, baseUrl);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The built-in service, which has another port each time, is looked at only for addresses on this machine. */
async function addressOf(
  accounts: Needs['accounts'],
  { kind, baseUrl }: Account,
  address: string,
): Promise<string | undefined> {
  if (kind !== 'builtIn') return baseUrl;
  return /^https?:\/\/(?:127\.0\.0\.1|localhost)[:/]/i.test(address)
    ? (await accounts.builtInAccess()).baseUrl
    : undefined;
}

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
