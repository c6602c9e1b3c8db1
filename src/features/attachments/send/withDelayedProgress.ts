import * as vscode from 'vscode';
import { TrackerError } from '../../../core/errors.ts';
import { visibleLine } from '../../../core/text.ts';
import { withoutLinks } from '../../../host/shell/plainText.ts';

const QUICK_MS = 700;
const LONGEST_TITLE = 300;

/** Runs the work and, once it takes some time, shows that and how to stop it. */
export async function withDelayedProgress<T>(
  title: string,
  work: (signal: AbortSignal, tell: (message: string, increment: number) => void) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let tell: (message: string, increment: number) => void = () => undefined;
  const result = work(controller.signal, (message, increment) => tell(message, increment));
  const isQuick = await Promise.race([
    result.then(() => true),
    new Promise<false>((resolve) => setTimeout(() => resolve(false), QUICK_MS)),
  ]);
  if (isQuick) return result;
  const shown = withoutLinks(visibleLine(title, LONGEST_TITLE));
  const options = { location: vscode.ProgressLocation.Notification, cancellable: true, title: shown };
  return vscode.window.withProgress(options, (progress, cancel) => {
    tell = (message, increment) => progress.report({ message, increment });
    cancel.onCancellationRequested(() => controller.abort());
    const cancelled = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(new TrackerError('cancelled', 'Canceled.')));
    });
    return Promise.race([result, cancelled]);
  });
}
