import * as vscode from 'vscode';
import type { RetryNeeds } from './retryOutbox.ts';

type Needs = Pick<RetryNeeds, 'backlogs' | 'messages' | 'asked'>;

/** Tells of changes that had to wait and were then refused: once, in the window where the person is, with what the server said. */
export function tellRefusals({ backlogs, messages, asked }: Needs): vscode.Disposable {
  const waiting = new Set<string>();
  const untold = new Set<string>();
  const tell = async () => {
    if (untold.size === 0 || !vscode.window.state.focused) return;
    const refused = backlogs.unsent.filter(({ id, state }) => state === 'failed' && untold.has(id));
    untold.clear();
    if (refused.length > 0) await (await import('./offerRefused.ts')).offerRefused({ backlogs, messages }, refused);
  };
  const look = () => {
    for (const { id, state, intent, problem } of backlogs.unsent) {
      // Who links commits is told by that when they are refused at once.
      if (state !== 'failed' && (intent.kind !== 'link' || problem)) waiting.add(id);
      else if (state !== 'failed') continue;
      else if (waiting.delete(id) && !asked.delete(id)) untold.add(id);
    }
    void tell();
  };
  return vscode.Disposable.from(backlogs.onDidChange(look), vscode.window.onDidChangeWindowState(tell));
}
