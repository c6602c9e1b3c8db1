import * as vscode from 'vscode';

/** Texts for editors that only read them, as long as one is open. */
export class ReadOnlyTexts implements vscode.Disposable {
  private readonly scheme: string;
  private readonly texts = new Map<string, string>();
  private readonly registered: vscode.Disposable;
  private count = 0;

  constructor(scheme: string) {
    this.scheme = scheme;
    this.registered = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: (uri) =>
          this.texts.get(uri.toString()) ?? vscode.l10n.t('This text is no longer available.'),
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
    );
  }

  /** Where the text is, under a name such as `Story 12.md`. */
  add(name: string, text: string): vscode.Uri {
    this.count += 1;
    const uri = vscode.Uri.from({ scheme: this.scheme, path: `/${this.count}/${name}` });
    this.texts.set(uri.toString(), text);
    return uri;
  }

  dispose(): void {
    this.registered.dispose();
  }
}
