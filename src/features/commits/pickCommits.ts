import * as vscode from 'vscode';
import { storyEffects } from '../../core/marker/markerSyntax.ts';
import type { Commit } from '../../core/ports/git.ts';
import type { App } from '../../host/app.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { linkedStories } from './plannedCommits.ts';
import { linkedHashes, loadedBacklogs } from './storyMatches.ts';

/** How far back one can pick. */
const OFFERED = 1000;

interface CommitItem extends vscode.QuickPickItem {
  readonly commit?: Commit;
}

type Needs = Pick<App, 'backlogs' | 'engine' | 'history' | 'log'>;

/**
 * Lets a person choose commits of a repository's history, newest first, those not linked yet before the others. Commits
 * that name `story` and are not linked are ticked from the start. `undefined`: the person turned away.
 */
export async function pickCommits(
  needs: Needs,
  root: string,
  story: FoundStory | undefined,
): Promise<readonly Commit[] | undefined> {
  const picked = await vscode.window.showQuickPick(itemsOf(needs, root, story), {
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
    title: story
      ? vscode.l10n.t('Link Commits to #{0} {1}', story.story.id, story.story.name)
      : vscode.l10n.t('Link Commits to Stories'),
    placeHolder: vscode.l10n.t('Search commits by message, author or hash'),
  });
  return picked?.flatMap(({ commit }) => commit ?? []);
}

async function itemsOf(needs: Needs, root: string, story: FoundStory | undefined): Promise<CommitItem[]> {
  const { backlogs, engine, history } = needs;
  const storiesOf = await linkedStories(engine.linkedCommits);
  const commits = await history.commits(root, { limit: OFFERED });
  const inComments = linkedHashes((await loadedBacklogs(needs)).map(({ backlog }) => backlog));
  const waiting = waitingHashes(backlogs);
  const isLinked = ({ hash }: Commit) => inComments.has(hash) || storiesOf(hash).length > 0 || waiting.has(hash);
  const item = (commit: Commit): CommitItem => {
    const ids = [...storyEffects(commit.message).keys()];
    const picked = story !== undefined && ids.includes(story.story.id) && !isLinked(commit);
    const stories = detailOf(
      ids,
      storiesOf(commit.hash).map(({ storyId }) => storyId),
      backlogs,
    );
    const detail = waiting.has(commit.hash) ? `${vscode.l10n.t('waiting to be linked')} · ${stories}` : stories;
    return { ...rowOf(commit), detail, picked, commit };
  };
  const fresh = commits.filter((commit) => !isLinked(commit));
  const old = commits.filter(isLinked);
  return [
    ...headed(vscode.l10n.t('not linked yet'), fresh.map(item)),
    ...headed(vscode.l10n.t('already linked'), old.map(item)),
  ];
}

/** Commits that are in the outbox and on their way. */
function waitingHashes({ unsent }: Needs['backlogs']): ReadonlySet<string> {
  const links = unsent.flatMap(({ intent, state }) => (intent.kind === 'link' && state !== 'failed' ? [intent] : []));
  return new Set(links.map(({ commit }) => commit.commitId));
}

function headed(label: string, items: readonly CommitItem[]): readonly CommitItem[] {
  return items.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items] : [];
}

function rowOf({ hash, message, authorName, authoredAt }: Commit): CommitItem {
  const date = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium' }).format(authoredAt);
  return {
    label: `$(git-commit) ${withoutIcons(message.split('\n', 1)[0] ?? '')}`,
    description: withoutIcons([hash.slice(0, 8), authorName, date].join(' · ')),
  };
}

function detailOf(named: readonly number[], linked: readonly number[], backlogs: Needs['backlogs']): string {
  const stories = [...new Set([...named, ...linked])].map((id) => {
    const text = withoutIcons(`#${id} ${backlogs.peekStory(id)?.story.name ?? ''}`.trim());
    return linked.includes(id) ? vscode.l10n.t('linked to {0}', text) : vscode.l10n.t('mentions {0}', text);
  });
  return stories.length > 0 ? stories.join(' · ') : vscode.l10n.t('mentions no story');
}
