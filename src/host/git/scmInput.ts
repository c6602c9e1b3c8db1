import { withoutEnd } from '../../core/text.ts';

/** The members of `vscode.Uri` that say which file or folder is meant. */
interface Place {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}

/** The address of the repository in the query of a commit box's document; `undefined` for other documents. */
export function rootOfCommitBox(document: Place & { readonly query: string }): string | undefined {
  if (document.scheme !== 'vscode-scm') return undefined;
  return new URLSearchParams(document.query.replaceAll('+', '%2B')).get('rootUri') ?? undefined;
}

/**
 * Whether two addresses are of one folder. Only the paths count: the window of a remote extension host calls the same
 * folder `vscode-remote:` that the host calls `file:`.
 */
export function isSameFolder(one: Pick<Place, 'path'>, other: Pick<Place, 'path'>): boolean {
  return normalised(one.path) === normalised(other.path);
}

function normalised(path: string): string {
  return withoutEnd(path, '/').replace(/^\/[A-Z]:/, (drive) => drive.toLowerCase());
}
