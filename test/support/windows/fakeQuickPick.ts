import * as vscode from 'vscode';

interface Asked {
  readonly title: string;
  readonly items: readonly vscode.QuickPickItem[];
  readonly buttons: readonly vscode.QuickInputButton[];
  /** Picks the item whose label ends with this. */
  choose(ending: string): void;
  press(button: vscode.QuickInputButton | undefined): void;
  turnAway(): void;
}

/** Runs a command whose one list is answered here instead of by a person; it is asked once the list is shown. */
export async function withQuickPick(work: () => PromiseLike<unknown>, answer: (asked: Asked) => void): Promise<void> {
  const { createQuickPick } = vscode.window;
  Object.assign(vscode.window, { createQuickPick: () => fakeQuickPick(answer) });
  try {
    await work();
  } finally {
    Object.assign(vscode.window, { createQuickPick });
  }
}

function fakeQuickPick(answer: (asked: Asked) => void) {
  const accepted = new vscode.EventEmitter<void>();
  const hidden = new vscode.EventEmitter<void>();
  const pressed = new vscode.EventEmitter<vscode.QuickInputButton | undefined>();
  const items: readonly vscode.QuickPickItem[] = [];
  const buttons: readonly vscode.QuickInputButton[] = [];
  const pick = {
    ...{ title: '', items, buttons, selectedItems: items },
    ...{ onDidAccept: accepted.event, onDidHide: hidden.event, onDidTriggerButton: pressed.event },
    choose: (ending: string) => {
      pick.selectedItems = pick.items.filter(({ label }) => label.endsWith(ending));
      accepted.fire();
    },
    press: (button: vscode.QuickInputButton | undefined) => pressed.fire(button),
    turnAway: () => hidden.fire(),
    show: () => answer(pick),
    dispose: () => undefined,
  };
  return pick;
}
