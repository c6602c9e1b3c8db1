import * as vscode from 'vscode';
import { ReadOnlyTexts } from '../../host/shell/readOnlyTexts.ts';

/** Texts side by side in an editor of VS Code's that only reads them. */
export class TextComparison implements vscode.Disposable {
  private readonly texts = new ReadOnlyTexts('story-tracker-compare');

  /** `name` is what the documents are called, for instance `Story 12.md`. */
  async show(name: string, title: string, theirs: string, mine: string): Promise<void> {
    await vscode.commands.executeCommand(
      'vscode.diff',
      this.texts.add(name, theirs),
      this.texts.add(name, mine),
      title,
    );
  }

  dispose(): void {
    this.texts.dispose();
  }
}
