import * as vscode from 'vscode';
import type { ActiveStory } from '../../core/activeStory/storyBinding.ts';
import { messageOf } from '../../core/errors.ts';
import { markerText } from '../../core/marker/markerSyntax.ts';
import { visibleLine, withoutControls } from '../../core/shownText.ts';
import { isSameProject } from '../../core/story/projectKey.ts';
import { ownNames, rememberedNames } from '../../host/accounts/ownNames.ts';
import type { App } from '../../host/app.ts';
import { commentCharOf, rootOf } from '../../host/git/commitDocument.ts';
import { commitVerb, insertActive } from '../../host/shell/featureSettings.ts';
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
    description: joined(LABEL_LENGTH, story.state, server),
  };
  const item = new vscode.CompletionItem(label, vscode.CompletionItemKind.Reference);
  item.detail = joined(LONGEST, story.type, story.state, project.name, server);
  if (story.description) item.documentation = withoutControls(story.description.slice(0, LONGEST));
  item.filterText = `${hash ? '#' : ''}${story.id} ${story.name.slice(0, LONGEST)}`;
  item.insertText = inBracket ? `#${story.id}` : markerText([story.id], commitVerb(scope));
  item.range = range;
  return item;
}

function joined(longest: number, ...parts: readonly (string | undefined)[]): string {
  return visibleLine(parts.filter((part) => part !== undefined).join(' · '), longest);
}
