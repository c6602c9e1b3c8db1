import * as vscode from 'vscode';
import type { MarkerOptions } from '../../core/marker/withMarker.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { Backlogs } from '../projects/backlogs.ts';
import { commitVerb, markerPlace } from '../shell/featureSettings.ts';

/** What becomes of commits that name stories: asked about, posted, left to the server's own hook, or to nobody. */
const linkWishes = ['ask', 'api', 'serverHook', 'off'] as const;
export type LinkWish = (typeof linkWishes)[number];

type Wishes = Readonly<Record<string, unknown>>;

const section = (scope?: vscode.Uri) => vscode.workspace.getConfiguration('storyTracker', scope);

/** What settings call a project: the server and its id, since ids are unique on a server only. */
export function projectName(backlogs: Pick<Backlogs, 'hostOf'>, key: ProjectKey): string {
  return `${backlogs.hostOf(key)}/${key.projectId}`;
}

/** The wish for a project, by its text of `projectName`; where it has none of its own, as set for the folder of `scope`. */
export function linkWish(project: string, scope?: vscode.Uri): LinkWish {
  const byProject = section(scope).get<Wishes>('commit.linkByProject');
  const own = byProject?.[project];
  const wish = own ?? section(scope).get<string>('commit.link');
  return linkWishes.find((one) => one === wish) ?? 'ask';
}

/** Sets it for this person, in all windows. */
export async function setLinkWish(projects: readonly string[], wish: LinkWish): Promise<void> {
  const before = section().inspect<Wishes>('commit.linkByProject')?.globalValue;
  const wishes = { ...before, ...Object.fromEntries(projects.map((project) => [project, wish])) };
  await section().update('commit.linkByProject', wishes, vscode.ConfigurationTarget.Global);
}

/** Author email addresses that are this person's besides the one that Git has. */
export function commitEmails(scope?: vscode.Uri): readonly string[] {
  const emails = section(scope).get<readonly unknown[]>('commit.emails');
  return Array.isArray(emails) ? emails.map(String) : [];
}

/** How addresses of commits are made on hosts that are not known; empty for those that are. */
export function commitUrlTemplate(scope?: vscode.Uri): string {
  return section(scope).get<string>('commit.urlTemplate') ?? '';
}

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
