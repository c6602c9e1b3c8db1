import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { isAnyoneSignedIn, whenSignedIn } from '../../host/accounts/whenSignedIn.ts';
import type { App } from '../../host/app.ts';
import { commitMessages } from '../../host/git/gitBridge.ts';
import { STORY_IDS } from '../../host/tree/treeDrops.ts';
import type { FollowedCommits } from './followCommits.ts';
import type { LinkNeeds } from './linkCommits.ts';
import type { MarkerCompletion } from './offeredMarkers.ts';

type Needs = LinkNeeds & Pick<App, 'activeStories' | 'commands' | 'storiesView' | 'workspaceMemory'>;

const load = () => import('./commands.ts');

/** Commits and stories: markers in commit messages, commits that are linked afterwards, and hooks that do so without VS Code. */
export function register(app: Needs): vscode.Disposable {
  let completion: Promise<MarkerCompletion> | undefined;
  const stories: vscode.CompletionItemProvider = {
    provideCompletionItems: async (document, position) => {
      if (!(await isAnyoneSignedIn(app))) return undefined;
      completion ??= import('./offeredMarkers.ts').then(({ MarkerCompletion }) => new MarkerCompletion(app));
      return (await completion).proposed(document, position);
    },
  };
  let followed: Promise<FollowedCommits> | undefined;
  const follow = () => {
    followed = import('./followCommits.ts').then(({ FollowedCommits }) => new FollowedCommits(app));
    return followed;
  };
  return vscode.Disposable.from(
    whenSignedIn(app, follow),
    app.commands.command(commandIds.linkNewCommits, async (argument) =>
      (await load()).linkNewCommits(app, argument, await followed),
    ),
    app.commands.command(commandIds.insertMarker, async (...args) => (await load()).insertMarker(app, ...args)),
    app.commands.command(commandIds.removeMarker, async (argument) => (await load()).removeMarker(app, argument)),
    app.commands.command(commandIds.linkCommits, async (argument) => (await load()).linkCommits(app, argument)),
    app.commands.command(commandIds.openCommit, async (argument) => (await load()).openCommit(app, argument)),
    app.commands.command(commandIds.commitAndFinish, async (argument) => (await load()).commitAndFinish(app, argument)),
    app.commands.command(commandIds.finishCommitted, async (argument) => (await load()).finishCommitted(app, argument)),
    vscode.languages.registerCompletionItemProvider(commitMessages, stories, '#'),
    registerHooks(app),
    registerDrops(app),
  );
}

type HookNeeds = Pick<App, 'accounts' | 'commands' | 'engine' | 'git' | 'messages'>;

/** Hooks around commits: one of the repository that writes markers without VS Code, and the server's for pushes. */
function registerHooks(app: HookNeeds): vscode.Disposable {
  return vscode.Disposable.from(
    app.commands.command(commandIds.installCommitHook, async (argument) =>
      (await load()).installCommitHook(app, argument),
    ),
    app.commands.command(commandIds.removeCommitHook, async (argument) =>
      (await load()).removeCommitHook(app, argument),
    ),
    app.commands.command(commandIds.copyCommitHookAddress, async () => (await load()).copyCommitHookAddress(app)),
  );
}

type DropNeeds = Pick<App, 'accounts' | 'backlogs'>;

/** Stories that are dropped or pasted into a commit message become markers there. */
function registerDrops(app: DropNeeds): vscode.Disposable {
  const { languages, DocumentDropOrPasteEditKind: kinds } = vscode;
  // Editors that are built upon VS Code may lack both.
  if (!kinds || !languages.registerDocumentDropEditProvider || !languages.registerDocumentPasteEditProvider) {
    return vscode.Disposable.from();
  }
  const kind = kinds.Text.append('storyTracker', 'marker');
  return vscode.Disposable.from(
    languages.registerDocumentDropEditProvider(
      commitMessages,
      {
        provideDocumentDropEdits: async (document, _position, data) =>
          (await import('./offeredMarkers.ts')).droppedStories(document, data, kind),
      },
      { dropMimeTypes: [STORY_IDS], providedDropEditKinds: [kind] },
    ),
    languages.registerDocumentPasteEditProvider(
      commitMessages,
      {
        provideDocumentPasteEdits: async (document, ranges, data, _context, token) =>
          (await isAnyoneSignedIn(app))
            ? (await import('./offeredMarkers.ts')).pastedStories(app, { document, ranges, data, kind, token })
            : undefined,
      },
      { pasteMimeTypes: ['text/plain'], providedPasteEditKinds: [kind] },
    ),
  );
}
