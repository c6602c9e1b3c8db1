import * as vscode from 'vscode';
import type { MarkerOptions } from '../../core/marker/withMarker.ts';
import { commitVerb, markerPlace } from '../shell/settings.ts';

/** Characters of a subject where VS Code's Git has no wish. */
const USUAL_LIMIT = 72;

/**
 * How a marker is written into a message, as set for the folder of `scope`. `commentChar` as in `readCommitMessage`; in a
 * commit box, where it is empty, the cursor comes to stand behind what is put into an empty message.
 */
export function markerOptions(
  scope: vscode.Uri,
  commentChar: string,
): MarkerOptions & { readonly commentChar: string } {
  const place = markerPlace(scope);
  return {
    verb: commitVerb(scope),
    commentChar,
    room: commentChar === '' ? 'both' : 'before',
    ...(place === 'body' && { place }),
    ...(place === 'fitting' && { subjectLimit: subjectLimit(scope) }),
  };
}

/** Where VS Code's Git begins to warn. */
function subjectLimit(scope: vscode.Uri): number {
  const git = vscode.workspace.getConfiguration('git', scope);
  const limits = [git.get('inputValidationSubjectLength'), git.get('inputValidationLength')];
  return limits.find((limit) => typeof limit === 'number') ?? USUAL_LIMIT;
}
