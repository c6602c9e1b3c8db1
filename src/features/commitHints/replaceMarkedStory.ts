import * as vscode from 'vscode';
import { withStoryReplaced } from '../../core/marker/withoutMarker.ts';
import { commentCharOf, rootOf, workspaceEdit } from '../../host/git/commitDocument.ts';
import { type LikelyNeeds, likelyStories } from '../../host/story/likelyStories.ts';
import { pickStory } from '../../host/story/pickStory.ts';

/** Asks which story a commit message means instead of one, and names that one. */
export async function replaceMarkedStory(needs: LikelyNeeds, ...[uri, storyId]: readonly unknown[]): Promise<void> {
  const isMeant = ({ uri: one }: vscode.TextDocument) => uri instanceof vscode.Uri && one.toString() === uri.toString();
  const document = vscode.workspace.textDocuments.find(isMeant);
  if (!document || typeof storyId !== 'number') return;
  const order = rootOf(document).then((root) => likelyStories(needs, root));
  const picked = await pickStory(needs.backlogs, vscode.l10n.t('Story to name instead of #{0}', storyId), order);
  if (!picked) return;
  const { edits } = withStoryReplaced(document.getText(), storyId, picked.story.id, commentCharOf(document));
  if (edits.length > 0 && !(await vscode.workspace.applyEdit(workspaceEdit(document, edits)))) {
    throw new Error(vscode.l10n.t('The commit message could not be changed. Try again.'));
  }
}
