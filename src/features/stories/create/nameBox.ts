import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { isPaste, pastedNames } from './pastedNames.ts';

/** Milliseconds that Enter right after a paste waits for the clipboard: a browser may ask the person first, who need not answer. */
const CLIPBOARD_WAIT_MS = 300;

/**
 * The box in which new stories are named. Only a paste has the clipboard read, which has the line breaks that the box leaves out;
 * where it cannot be read, or not yet, what the box has is one name.
 */
export class NameBox {
  /** What was typed, or the several lines of what was pasted. Empty: turned away; `text` has what was left. */
  readonly names: Promise<readonly string[]>;
  private readonly box = vscode.window.createInputBox();
  private before: string;
  /** Whether the box has what a paste left in it. */
  private isPasted = false;
  private pasted: readonly string[] = [];
  /** While the clipboard is being read. */
  private reading: Promise<unknown> | undefined;
  private isAccepting = false;

  constructor(title: string, value: string) {
    const { box } = this;
    this.before = value;
    box.title = title;
    box.prompt = vscode.l10n.t('What should be possible, or what is wrong?');
    box.value = value;
    box.valueSelection = [0, value.length];
    box.ignoreFocusOut = true;
    this.names = new Promise((resolve) => {
      const finish = (names: readonly string[]) => {
        resolve(names);
        box.dispose();
      };
      box.onDidHide(() => finish([]));
      box.onDidChangeValue((typed) => this.follow(typed));
      box.onDidAccept(() => void this.accept(finish));
    });
    box.show();
  }

  /** What is in the box, or was when it was closed. */
  get text(): string {
    return this.before;
  }

  private follow(typed: string): void {
    this.isPasted = isPaste(this.before, typed);
    this.before = typed;
    this.pasted = [];
    this.box.validationMessage = typed.trim() === '' ? enterName() : undefined;
    // What is not answered yet is not asked again: the person would be asked as often.
    if (this.isPasted) this.reading ??= this.readLines();
  }

  private async readLines(): Promise<void> {
    try {
      const text = await vscode.env.clipboard.readText();
      if (this.isPasted) this.pasted = pastedNames(this.before, text);
    } catch {
      // A clipboard that may not be read is as one without lines.
      this.pasted = [];
    } finally {
      this.reading = undefined;
    }
    if (this.pasted.length > 0) this.box.validationMessage = linesText(this.pasted.length);
  }

  private async accept(finish: (names: readonly string[]) => void): Promise<void> {
    if (this.isAccepting) return;
    if (this.before.trim() === '') {
      this.box.validationMessage = enterName();
      return;
    }
    this.isAccepting = true;
    if (this.isPasted) await Promise.race([this.reading, sleep(CLIPBOARD_WAIT_MS)]);
    this.isAccepting = false;
    finish(this.pasted.length > 1 ? this.pasted : [this.before]);
  }
}

function enterName(): string {
  return vscode.l10n.t('Enter a story name.');
}

function linesText(count: number): vscode.InputBoxValidationMessage {
  const message = vscode.l10n.t('Press Enter to choose which of these {0} lines become stories.', count);
  return { message, severity: vscode.InputBoxValidationSeverity.Info };
}
