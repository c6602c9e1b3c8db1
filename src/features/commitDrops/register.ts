import * as vscode from 'vscode';
import type { App } from '../../host/app.ts';
import { commitMessages } from '../../host/git/gitBridge.ts';
import { STORY_IDS } from '../../host/tree/treeDrops.ts';

type Needs = Pick<App, 'accounts' | 'backlogs'>;

/** Stories that are dropped or pasted into a commit message become markers there. */
export function register(app: Needs): vscode.Disposable {
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
          (await import('./pastedStories.ts')).droppedStories(document, data, kind),
      },
      { dropMimeTypes: [STORY_IDS], providedDropEditKinds: [kind] },
    ),
    languages.registerDocumentPasteEditProvider(
      commitMessages,
      {
        provideDocumentPasteEdits: async (document, ranges, data, _context, token) =>
          (await import('./pastedStories.ts')).pastedStories(app, { document, ranges, data, kind, token }),
      },
      { pasteMimeTypes: ['text/plain'], providedPasteEditKinds: [kind] },
    ),
  );
}
