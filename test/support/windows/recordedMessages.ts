import * as vscode from 'vscode';

export interface ShownMessage {
  readonly kind: 'error' | 'warning' | 'info';
  readonly text: string;
  readonly buttons: readonly string[];
  /** What stands below the question of a dialogue. */
  readonly detail?: string;
}

const methods = {
  error: 'showErrorMessage',
  warning: 'showWarningMessage',
  info: 'showInformationMessage',
} as const;

/** Takes the place of VS Code's notifications, which nobody answers in a test. */
export class RecordedMessages {
  readonly shown: ShownMessage[] = [];
  private readonly before = Object.values(methods).map((name) => [name, vscode.window[name]] as const);
  private readonly answers: string[] = [];
  private readonly open: Promise<string | undefined>[] = [];

  constructor() {
    for (const kind of ['error', 'warning', 'info'] as const) {
      const show = async (text: string, ...rest: readonly unknown[]) => {
        const buttons = rest.filter((one) => typeof one === 'string');
        const detail = rest.flatMap((one) => (isDialogue(one) ? [one.detail] : []))[0];
        this.shown.push({ kind, text, buttons, ...(detail === undefined ? {} : { detail }) });
        const open = this.open.shift();
        if (open) return open;
        const index = this.answers.findIndex((answer) => buttons.includes(answer));
        return index < 0 ? undefined : this.answers.splice(index, 1)[0];
      };
      Object.assign(vscode.window, { [methods[kind]]: show });
    }
  }

  /** Presses the button with this text on the next message that has it. */
  press(button: string): void {
    this.answers.push(button);
  }

  /** Leaves the next message open, until what this gives back presses a button on it, or closes it. */
  leaveOpen(): (button?: string) => void {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.open.push(promise);
    return resolve;
  }

  get texts(): readonly string[] {
    return this.shown.map(({ text }) => text);
  }

  restore(): void {
    Object.assign(vscode.window, Object.fromEntries(this.before));
  }
}

function isDialogue(value: unknown): value is { readonly detail: string } {
  return typeof value === 'object' && value !== null && 'detail' in value && typeof value.detail === 'string';
}
