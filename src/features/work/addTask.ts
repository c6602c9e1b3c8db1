import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { withoutLinks } from '../../host/shell/plainText.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import { submitIntents } from '../../host/story/submitIntents.ts';
import { programArguments } from './programArguments.ts';
import type { WorkNeeds } from './workNeeds.ts';

/** Adds the task `description`, else the one that is typed. */
export async function addTask(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const found = await needs.storyArgument.ofSelection(args[0], vscode.l10n.t('Add a task to which story?'));
  if (!found) return;
  const { key, story } = found;
  const description =
    wish(args) ??
    (await vscode.window.showInputBox({
      title: vscode.l10n.t('New Task of Story #{0}', story.id),
      prompt: withoutLinks(storyLabel(story)),
      ignoreFocusOut: true,
      validateInput: (typed) => (typed.trim() === '' ? vscode.l10n.t('Type what is to be done.') : undefined),
    }));
  if (description === undefined) return;
  const { waiting } = await submitIntents(needs, key, [{ kind: 'newTask', storyId: story.id, description }]);
  if (!waiting) needs.messages.status(vscode.l10n.t('Task added to story #{0}.', story.id));
}

function wish(args: readonly unknown[]): string | undefined {
  const { description } = programArguments(args);
  if (description === undefined || (typeof description === 'string' && description.trim() !== '')) return description;
  throw new TrackerError('input', vscode.l10n.t('A task is meant by { description: string }.'));
}
