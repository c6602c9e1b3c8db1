import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { withoutLinks } from '../../host/shell/plainText.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import { commentDraft, submitIntents } from '../../host/story/submitIntents.ts';
import { programArguments } from './chosenStories.ts';
import type { WorkNeeds } from './editsMade.ts';

/** Adds the comment `text`, else the one that is typed, which is kept until the server has it or it is safe on disk. */
export async function addComment(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const found = await needs.storyArgument.ofSelection(args[0], vscode.l10n.t('Which story do you want to comment on?'));
  if (!found) return;
  const { key, story } = found;
  const wanted = wish(args);
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

function wish(args: readonly unknown[]): string | undefined {
  const { text } = programArguments(args);
  if (text === undefined || (typeof text === 'string' && text.trim() !== '')) return text;
  throw new TrackerError('input', vscode.l10n.t('Pass the comment as { text: string }.'));
}
