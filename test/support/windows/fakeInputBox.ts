import * as vscode from 'vscode';

/** A box for a line of text as VS Code shows it, filled in by a test. */
export class FakeInputBox {
  title = '';
  value = '';
  prompt = '';
  validationMessage: unknown;
  valueSelection: readonly number[] = [];
  busy = false;
  enabled = true;
  ignoreFocusOut = false;
  isOpen = false;
  private readonly changed = new vscode.EventEmitter<string>();
  private readonly accepted = new vscode.EventEmitter<void>();
  private readonly hidden = new vscode.EventEmitter<void>();
  readonly onDidChangeValue = this.changed.event;
  readonly onDidAccept = this.accepted.event;
  readonly onDidHide = this.hidden.event;

  show(): void {
    this.isOpen = true;
  }

  hide(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.hidden.fire();
  }

  dispose(): void {
    this.hide();
  }

  type(text: string): void {
    this.value = text;
    this.changed.fire(text);
  }

  enter(): void {
    this.accepted.fire();
  }
}
