import * as vscode from 'vscode';
import { isCancelled, messageOf } from '../../core/errors.ts';
import { withoutLinks } from '../../host/shell/plainText.ts';

interface TextQuestion<T> {
  readonly title: string;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  readonly password?: boolean;
  readonly step: number;
  readonly totalSteps: number;
  /** Takes what was typed. What it throws is shown below the box, which stays open with what was typed. */
  readonly accept: (typed: string) => Promise<T>;
}

/** What was typed and accepted, or what was typed when the person went back. */
export type TextAnswer<T> =
  | { readonly kind: 'accepted'; readonly value: T }
  | { readonly kind: 'back'; readonly typed: string };

/** Asks for a line of text until it is accepted. `undefined` when the person turned away. */
export function askText<T>(question: TextQuestion<T>): Promise<TextAnswer<T> | undefined> {
  const box = inputBoxFor(question);
  return new Promise((resolve) => {
    const finish = (answer: TextAnswer<T> | undefined) => {
      resolve(answer);
      box.dispose();
    };
    box.onDidHide(() => finish(undefined));
    box.onDidTriggerButton(() => finish({ kind: 'back', typed: box.value }));
    box.onDidChangeValue(() => {
      box.validationMessage = '';
    });
    box.onDidAccept(async () => {
      if (box.busy) return;
      box.busy = true;
      try {
        finish({ kind: 'accepted', value: await question.accept(box.value) });
      } catch (thrown) {
        box.busy = false;
        if (!isCancelled(thrown)) box.validationMessage = withoutLinks(messageOf(thrown));
      }
    });
    box.show();
  });
}

function inputBoxFor<T>(question: TextQuestion<T>): vscode.InputBox {
  const { title, prompt, placeholder, value, password, step, totalSteps } = question;
  const box = vscode.window.createInputBox();
  Object.assign(box, { title, prompt, placeholder, value: value ?? '', password: password === true, step, totalSteps });
  // People leave the window to fetch a token.
  box.ignoreFocusOut = true;
  if (step > 1) box.buttons = [vscode.QuickInputButtons.Back];
  return box;
}
