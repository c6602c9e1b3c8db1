import * as vscode from 'vscode';
import type { ActiveStory } from '../../core/activeStory/storyBinding.ts';
import { stateWord, typeWord } from '../../core/backlog/stateWords.ts';
import { messageOf } from '../../core/errors.ts';
import { markerText } from '../../core/marker/markerSyntax.ts';
import { withMarker, withMarkerFor } from '../../core/marker/withMarker.ts';
import { isSameProject } from '../../core/story/projectKey.ts';
import { addressesIn, lastNumber, storyIdInLink, storyIdOnServer } from '../../core/story/storyAddress.ts';
import { visibleLine, withoutControls } from '../../core/text.ts';
import type { Account } from '../../host/accounts/account.ts';
import { ownNames, rememberedNames } from '../../host/accounts/ownNames.ts';
import type { App } from '../../host/app.ts';
import { commentCharOf, rootOf, workspaceEdit } from '../../host/git/commitDocument.ts';
import { markerOptions } from '../../host/git/commitLinkSettings.ts';
import { commitVerb, insertActive } from '../../host/shell/featureSettings.ts';
import { STORY_IDS } from '../../host/tree/treeDrops.ts';
import {
  type CompletionContext,
  completionContext,
  loadedBacklogs,
  type SearchedBacklog,
  type StoryMatch,
  storyMatches,
} from './storyMatches.ts';

/** Suggestions told at once; more are asked for as the person types. */
const LIMIT = 100;

/** Characters of a story's name in the list: the state behind it is not to be pushed out of sight. */
const LABEL_LENGTH = 45;
/** Characters of what stands beside the list, and of a name that is searched. */
const LONGEST = 500;

type CompletionNeeds = Pick<App, 'accounts' | 'activeStories' | 'backlogs' | 'log' | 'workspaceMemory'>;

/** Proposes stories in commit messages. */
export class MarkerCompletion {
  private readonly app: CompletionNeeds;
  private readonly askedNames = new Set<string>();

  constructor(app: CompletionNeeds) {
    this.app = app;
  }

  /** Stories to name at a place of a commit message; those that are loaded already, unless none is yet. */
  async proposed(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.CompletionList | undefined> {
    const { text } = document.lineAt(position.line);
    const [before, after] = [text.slice(0, position.character), text.slice(position.character)];
    // A file's editor proposes at every word while one types, where Enter would then take a story for the end of a line.
    const atWords = document.languageId === 'scminput';
    const context = completionContext(before, after, commentCharOf(document), atWords);
    if (!context) return undefined;
    const inserting = new vscode.Range(position.line, context.start, position.line, position.character);
    const replacing = inserting.with({ end: position.with({ character: context.wordEnd }) });
    const range = replacing.isEqual(inserting) ? inserting : { inserting, replacing };
    const root = await rootOf(document);
    const matches = storyMatches(await this.searched(root), context.query, LIMIT);
    const items = matches.map((match) => itemOf(match, context, range, root));
    for (const [index, item] of items.entries()) item.sortText = String(index).padStart(4, '0');
    // Never final: VS Code's own filter would go on with letters scattered over the name.
    return new vscode.CompletionList(items, true);
  }

  /** A name that is not known yet is asked for once, but not waited for. */
  private async searched(root: vscode.Uri): Promise<readonly SearchedBacklog[]> {
    const { log, workspaceMemory } = this.app;
    const loaded = await loadedBacklogs(this.app);
    const names = rememberedNames(workspaceMemory);
    const nameless = loaded.map(({ key }) => key.accountId).filter((id) => names[id] === undefined);
    if (nameless.some((id) => !this.askedNames.has(id))) {
      for (const id of nameless) this.askedNames.add(id);
      ownNames(this.app).catch((thrown) => log.warn(messageOf(thrown)));
    }
    const active = await this.activeStory(root);
    return loaded.map(({ key, backlog }) => {
      const isActive = active !== undefined && isSameProject(active, key);
      const server = this.app.backlogs.signInAmongSeveral(key);
      return { backlog, ownName: names[key.accountId], activeId: isActive ? active.storyId : undefined, server };
    });
  }

  private async activeStory(root: vscode.Uri): Promise<ActiveStory | undefined> {
    if (insertActive(root) === 'never') return undefined;
    const stories = await this.app.activeStories.view();
    return stories?.at(root);
  }
}

function itemOf(
  { story, project, server }: StoryMatch,
  { hash, inBracket }: CompletionContext,
  range: Exclude<vscode.CompletionItem['range'], undefined>,
  scope: vscode.Uri,
): vscode.CompletionItem {
  const label = {
    label: `#${story.id} ${visibleLine(story.name, LABEL_LENGTH)}`,
    description: joined(LABEL_LENGTH, stateWord(story.state), server),
  };
  const item = new vscode.CompletionItem(label, vscode.CompletionItemKind.Reference);
  item.detail = joined(LONGEST, typeWord(story.type), stateWord(story.state), project.name, server);
  if (story.description) item.documentation = withoutControls(story.description.slice(0, LONGEST));
  item.filterText = `${hash ? '#' : ''}${story.id} ${story.name.slice(0, LONGEST)}`;
  item.insertText = inBracket ? `#${story.id}` : markerText([story.id], commitVerb(scope));
  item.range = range;
  return item;
}

function joined(longest: number, ...parts: readonly (string | undefined)[]): string {
  return visibleLine(parts.filter((part) => part !== undefined).join(' · '), longest);
}

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
