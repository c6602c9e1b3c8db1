import * as vscode from 'vscode';
import { keptMarkers, readCommitMessage } from '../../core/marker/commitMessage.ts';
import type { MarkedId } from '../../core/marker/markerSyntax.ts';
import { withStoryReplaced } from '../../core/marker/withoutMarker.ts';
import { commentCharOf, rangeIn, rootOf, workspaceEdit } from '../../host/git/commitDocument.ts';
import { type LikelyNeeds, likelyStories } from '../../host/story/likelyStories.ts';
import { pickStory } from '../../host/story/pickStory.ts';
import { storyHover } from '../../host/story/storyHover.ts';
import { storyLink } from '../../host/story/storyLink.ts';
import type { MessageFinder } from './messageFinder.ts';

/** The card of the story whose id is at a place of a message. */
export async function cardAt(
  finder: MessageFinder,
  document: vscode.TextDocument,
  position: vscode.Position,
  token: vscode.CancellationToken,
): Promise<vscode.Hover | undefined> {
  const marked = markedIds(document).find(({ range }) => rangeIn(document, range).contains(position));
  const range = marked && rangeIn(document, marked.range);
  if (!marked || !(await finder.isWished(document))) return undefined;
  const found = await finder.story(document, marked.id);
  if (!found || token.isCancellationRequested) return undefined;
  return new vscode.Hover(storyHover(found.story, finder.linksOf(found)), range);
}

/** Links from the ids of a message to their stories. */
export async function messageLinks(
  finder: MessageFinder,
  document: vscode.TextDocument,
  token: vscode.CancellationToken,
): Promise<vscode.DocumentLink[]> {
  const links = markedIds(document).map(({ id, range }) => ({
    id,
    link: new vscode.DocumentLink(rangeIn(document, range)),
  }));
  if (!(await finder.isWished(document))) return [];
  const leading = links.map(async ({ id, link }) => {
    const found = await finder.story(document, id);
    if (!found) return [];
    link.target = vscode.Uri.parse(storyLink([found]));
    link.tooltip = finder.linkTextOf(found);
    return [link];
  });
  const all = (await Promise.all(leading)).flat();
  return token.isCancellationRequested ? [] : all;
}

function markedIds(document: vscode.TextDocument): readonly MarkedId[] {
  const text = document.getText();
  return keptMarkers(text, readCommitMessage(text, commentCharOf(document))).flatMap(({ ids }) => ids);
}

/** Asks which story a commit message means instead of one, and names that one. */
export async function replaceMarkedStory(needs: LikelyNeeds, ...[uri, storyId]: readonly unknown[]): Promise<void> {
  const isMeant = ({ uri: one }: vscode.TextDocument) => uri instanceof vscode.Uri && one.toString() === uri.toString();
  const document = vscode.workspace.textDocuments.find(isMeant);
  if (!document || typeof storyId !== 'number') return;
  const order = rootOf(document).then((root) => likelyStories(needs, root));
  const picked = await pickStory(needs.backlogs, vscode.l10n.t('Story to mention instead of #{0}', storyId), order);
  if (!picked) return;
  const { edits } = withStoryReplaced(document.getText(), storyId, picked.story.id, commentCharOf(document));
  if (edits.length > 0 && !(await vscode.workspace.applyEdit(workspaceEdit(document, edits)))) {
    throw new Error(vscode.l10n.t('Could not change the commit message. Try again.'));
  }
}
