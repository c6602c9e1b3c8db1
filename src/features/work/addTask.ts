import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { isPendingTask } from '../../core/intents/newTask.ts';
import { programArguments } from '../../host/shell/commands.ts';
import { withoutLinks } from '../../host/shell/plainText.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import { commentDraft, submitIntents } from '../../host/story/submitIntents.ts';
import { DetailNode } from '../../host/tree/nodes.ts';
import { applyEdits } from './applyEdits.ts';
import type { WorkNeeds } from './editsMade.ts';

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
      validateInput: (typed) => (typed.trim() === '' ? vscode.l10n.t('Enter a task description.') : undefined),
    }));
  if (description === undefined) return;
  const { waiting } = await submitIntents(needs, key, [{ kind: 'newTask', storyId: story.id, description }]);
  if (!waiting) needs.messages.status(vscode.l10n.t('Added a task to story #{0}.', story.id));
}

function wish(args: readonly unknown[]): string | undefined {
  const { description } = programArguments(args);
  if (description === undefined || (typeof description === 'string' && description.trim() !== '')) return description;
  throw new TrackerError('input', vscode.l10n.t('Pass the task as { description: string }.'));
}

/** Completes the task of a row, or says that it is still to be done. */
export async function tickTask(needs: WorkNeeds, row: unknown, complete: boolean): Promise<void> {
  const task = row instanceof DetailNode ? row.parent.story.tasks.find(({ id }) => id === row.id) : undefined;
  if (!(row instanceof DetailNode) || !task || isPendingTask(task)) {
    throw new TrackerError('input', vscode.l10n.t('Choose a task that has been sent to the server.'));
  }
  const { key, story } = row.parent;
  const intent = { kind: 'task', storyId: story.id, taskId: task.id, complete } as const;
  const done = complete
    ? vscode.l10n.t('Completed a task of story #{0}.', story.id)
    : vscode.l10n.t('Reopened a task of story #{0}.', story.id);
  await applyEdits(needs, key, [{ story, intent }], done);
}

/** Adds the comment `text`, else the one that is typed, which is kept until the server has it or it is safe on disk. */
export async function addComment(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const found = await needs.storyArgument.ofSelection(args[0], vscode.l10n.t('Which story do you want to comment on?'));
  if (!found) return;
  const { key, story } = found;
  const wanted = commentArguments(args);
  const draft = commentDraft(key, story.id);
  const begun = needs.workspaceMemory.get(draft);
  const text =
    wanted ??
    (await vscode.window.showInputBox({
      title: vscode.l10n.t('Comment on Story #{0}', story.id),
      prompt: withoutLinks(storyLabel(story)),
      value: typeof begun === 'string' ? begun : '',
      ignoreFocusOut: true,
      validateInput: (typed) => (typed.trim() === '' ? vscode.l10n.t('Enter a comment.') : undefined),
    }));
  if (text === undefined) return;
  if (wanted === undefined) await needs.workspaceMemory.update(draft, text);
  const { waiting } = await submitIntents(needs, key, [{ kind: 'comment', storyId: story.id, text }]);
  if (wanted === undefined) await needs.workspaceMemory.update(draft, undefined);
  if (!waiting) needs.messages.status(vscode.l10n.t('Added a comment to story #{0}.', story.id));
}

function commentArguments(args: readonly unknown[]): string | undefined {
  const { text } = programArguments(args);
  if (text === undefined || (typeof text === 'string' && text.trim() !== '')) return text;
  throw new TrackerError('input', vscode.l10n.t('Pass the comment as { text: string }.'));
}
