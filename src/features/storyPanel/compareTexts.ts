import * as vscode from 'vscode';

const SCHEME = 'story-tracker-compare';

/** Texts side by side in an editor of VS Code's that only reads them. */
export class TextComparison implements vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registered: vscode.Disposable;
  private shown = 0;

  constructor() {
    this.registered = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
        provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? '',
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    );
  }

  /** `name` is what the documents are called, for instance `Story 12.md`. */
  async show(name: string, title: string, theirs: string, mine: string): Promise<void> {
    this.shown += 1;
    await vscode.commands.executeCommand(
      'vscode.diff',
      this.document(`theirs ${this.shown}/${name}`, theirs),
      this.document(`mine ${this.shown}/${name}`, mine),
      title,
    );
  }

  dispose(): void {
    this.registered.dispose();
  }

  private document(path: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${path}` });
    this.texts.set(uri.toString(), text);
    return uri;
  }
}
