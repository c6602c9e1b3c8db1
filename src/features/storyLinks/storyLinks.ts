import * as vscode from 'vscode';
import { storiesOf } from '../../core/backlog/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import { keyText } from '../../core/story/projectKey.ts';
import type { CommitDetails } from '../../host/git/gitBridge.ts';
import { isLinkPlace, type LinkPlace } from '../../host/shell/featureSettings.ts';
import type { OpenNeeds } from './commands.ts';
import type { CommitLinks, StoryTerminalLink } from './mentionLinks.ts';

/** Documents that people read code and text in, earlier versions of files among them. */
const TEXTS = ['file', 'untitled', 'vscode-vfs', 'vscode-notebook-cell', 'git'].map((scheme) => ({ scheme }));

/** Stories of many projects come in many pieces. */
const PAUSE_MS = 500;

/** Whether there is anything to look for. */
const NUMBER = /#[1-9]/;

/**
 * Tells VS Code where numbers may be stories: in documents, in terminals and in commits. What looks for them is read when a text with
 * a number is first shown.
 */
export class StoryLinks implements vscode.Disposable {
  private readonly needs: OpenNeeds;
  private readonly registered: vscode.Disposable;
  private commits: Promise<vscode.Disposable> | undefined;
  private documents: vscode.Disposable | undefined;
  /** A document with a number was shown. */
  private isAsked = false;
  /** The projects whose stories were known when links were last asked for, and how many there were. */
  private known = '';
  private looking: NodeJS.Timeout | undefined;
  private isDisposed = false;

  constructor(needs: OpenNeeds) {
    this.needs = needs;
    this.registered = vscode.Disposable.from(
      needs.backlogs.onDidChange(() => this.lookSoon()),
      vscode.languages.registerHoverProvider(TEXTS, {
        provideHover: async (document, position, token) => {
          const isNear = NUMBER.test(document.lineAt(position.line).text);
          return isNear && isRead(document)
            ? (await import('./mentionLinks.ts')).cardAt(needs, document, position, token)
            : undefined;
        },
      }),
      vscode.window.registerTerminalLinkProvider({
        provideTerminalLinks: async (context, token) =>
          NUMBER.test(context.line) && isLinkPlace('terminal')
            ? (await import('./mentionLinks.ts')).terminalLinks(needs, context, token)
            : [],
        handleTerminalLink: async (link: StoryTerminalLink) =>
          (await import('./commands.ts')).openOneOf(needs, link.number, link.found),
      }),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.addToCommits()),
    );
    this.addToDocuments();
    this.addToCommits();
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.looking);
    this.documents?.dispose();
    this.registered.dispose();
    void this.commits?.then((one) => one.dispose());
  }

  private addToDocuments(): void {
    const { needs } = this;
    this.documents?.dispose();
    this.documents = vscode.languages.registerDocumentLinkProvider(TEXTS, {
      provideDocumentLinks: async (document, token) => {
        if (!isRead(document)) return [];
        this.isAsked = true;
        return (await import('./mentionLinks.ts')).documentLinks(needs, document, token);
      },
    });
  }

  private lookSoon(): void {
    if (!this.isAsked) return;
    clearTimeout(this.looking);
    this.looking = setTimeout(
      () => void this.look().catch((thrown) => this.needs.log.warn(messageOf(thrown))),
      PAUSE_MS,
    );
  }

  /** VS Code asks for the links of what is shown again only when the text changes or another provider comes. */
  private async look(): Promise<void> {
    const { backlogs } = this.needs;
    const counts = (await backlogs.projects()).map(({ key }) => {
      const backlog = backlogs.peekSome(key);
      return `${keyText(key)}:${backlog ? storiesOf(backlog).length : ''}`;
    });
    const known = counts.join();
    if (known === this.known || this.isDisposed) return;
    this.known = known;
    this.addToDocuments();
  }

  private addToCommits(): void {
    const { needs } = this;
    if (!vscode.workspace.isTrusted || this.isDisposed) return;
    let loaded: Promise<CommitLinks> | undefined;
    const load = () => {
      loaded ??= import('./mentionLinks.ts').then((module) => new module.CommitLinks(needs));
      return loaded;
    };
    const details: CommitDetails = {
      provideAvatar: () => undefined,
      provideHoverCommands: async ({ rootUri }) =>
        isLinkPlace('history', rootUri) ? (await import('./mentionLinks.ts')).commitCommands(rootUri) : undefined,
      provideMessageLinks: async ({ rootUri }, message) =>
        NUMBER.test(message) && isLinkPlace('history', rootUri)
          ? (await load()).linkedMessage(rootUri, message)
          : undefined,
    };
    this.commits ??= needs.git.addCommitDetails(details).catch((thrown: unknown) => {
      needs.log.warn(messageOf(thrown));
      this.commits = undefined;
      return vscode.Disposable.from();
    });
  }
}

/** Commit messages have links and cards of their own. */
function isRead({ languageId, uri }: vscode.TextDocument): boolean {
  const place: LinkPlace = languageId === 'markdown' ? 'markdown' : 'comments';
  return languageId !== 'git-commit' && isLinkPlace(place, uri);
}
