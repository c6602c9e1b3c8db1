import * as vscode from 'vscode';
import { storiesOf as storiesIn } from '../../core/backlog/backlog.ts';
import { TrackerError } from '../../core/errors.ts';
import { isRevert } from '../../core/marker/commitMessage.ts';
import { isMarkerVerb, type MarkerVerb, parseMarkers, storyEffects } from '../../core/marker/markerSyntax.ts';
import { withMarker } from '../../core/marker/withMarker.ts';
import type { Commit } from '../../core/ports/git.ts';
import { shortHash } from '../../core/text.ts';
import type { App } from '../../host/app.ts';
import { askedRepository, chooseRepository, requireTrust } from '../../host/git/chooseRepository.ts';
import { linkedHashes, waitingHashes } from '../../host/git/linkedHashes.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { commitVerb } from '../../host/shell/featureSettings.ts';
import { isolatedInTitle, withoutIcons } from '../../host/shell/plainText.ts';
import { type LikelyNeeds, likelyStories } from '../../host/story/likelyStories.ts';
import { namesStory } from '../../host/story/storyArgument.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { linkAll, outcomeText, StoryFinder } from './linkAll.ts';
import { failureText, type LinkOutcome } from './linkText.ts';
import { linkedStories } from './plannedCommits.ts';
import { postedMessage } from './postedMessage.ts';
import { loadedBacklogs } from './storyMatches.ts';

export type LinkNeeds = LikelyNeeds &
  Pick<App, 'accounts' | 'backlogs' | 'engine' | 'git' | 'history' | 'log' | 'messages' | 'storyArgument'>;

/**
 * Link Existing Commits (contract.md): posts commits that are in the history to the stories they name, or to the one
 * given. Resolves to what became of them when the servers have answered, or when the commits wait in the outbox; with `isPart` the
 * caller tells that, as part of more.
 * @throws TrackerError that tells of every commit not linked.
 */
export async function linkCommits(needs: LinkNeeds, argument?: unknown): Promise<string | undefined> {
  requireTrust();
  await needs.backlogs.requireProjects();
  const request = await linkRequest(needs, argument);
  const repository = await chooseRepository(needs.git, request.repository);
  if (!repository) return undefined;
  const root = repository.rootUri.fsPath;
  const commits = request.commits
    ? await needs.history.commitsNamed(root, request.commits)
    : await pickCommits(needs, root, request.story);
  if (!commits || commits.length === 0) return undefined;
  const story = request.story ?? (await storyForUnmarked(needs, commits, repository.rootUri));
  if (story === 'none') return undefined;
  const verb = request.verb ?? commitVerb(repository.rootUri);
  const messageFor = messages(story, request.story !== undefined, verb);
  const title = vscode.l10n.t('Linking commits…');
  const outcomes = await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, () =>
    linkAll(needs, new StoryFinder(needs, story), root, inOrder(commits), messageFor),
  );
  const failed = outcomes.some(({ status }) => status === 'failed');
  if (failed) throw new TrackerError('refused', failureText(outcomes));
  const text = outcomeText(needs, outcomes);
  if (!(isPlainObject(argument) && argument.isPart === true)) tell(needs, outcomes, text);
  return text;
}

/** `undefined` when every commit names a story; `none` when the person turned away. */
async function storyForUnmarked(
  needs: LinkNeeds,
  commits: readonly Commit[],
  repository: vscode.Uri,
): Promise<FoundStory | undefined | 'none'> {
  const unmarked = commits.filter(({ message }) => parseMarkers(message).length === 0);
  const [first] = unmarked;
  if (!first) return undefined;
  const placeHolder =
    unmarked.length === 1
      ? vscode.l10n.t('Story for {0}, which mentions none', shortHash(first.hash))
      : vscode.l10n.t('Story for {0} commits that mention none', unmarked.length);
  return (
    (await needs.storyArgument.of(undefined, placeHolder, { order: () => likelyStories(needs, repository) })) ?? 'none'
  );
}

/** Oldest first, so that the comments stand in the order of the commits. */
function inOrder(commits: readonly Commit[]): readonly Commit[] {
  return commits.toReversed().toSorted((one, other) => one.authoredAt - other.authoredAt);
}

/**
 * Gives the message to post: with a marker for `story` where it names none of its own, or, when every commit is meant,
 * does not name this one. The commit itself stays as it is, which the message then says.
 */
function messages(story: FoundStory | undefined, every: boolean, verb: MarkerVerb): (commit: Commit) => string {
  return ({ message }) => {
    const named = storyEffects(message);
    const wanting = story && (every ? !named.has(story.story.id) : named.size === 0);
    const posted = postedMessage(message);
    return wanting ? withAddedMarker(posted, story.story.id, isRevert(message) ? '' : verb) : posted;
  };
}

/** With a sentence for who reads the comment on the story and looks for the marker in the commit: everyone, in English as commits are. */
function withAddedMarker(message: string, storyId: number, verb: MarkerVerb): string {
  const sentence = `Linked afterwards: the commit message itself does not mention #${storyId}.`;
  return `${withMarker(message, [storyId], { verb, commentChar: '' }).text.trimEnd()}\n\n${sentence}\n`;
}

function tell({ messages }: LinkNeeds, outcomes: readonly LinkOutcome[], text: string): void {
  if (outcomes.some((outcome) => outcome.status !== 'failed' && outcome.unknown.length > 0)) messages.info(text);
  else messages.status(text);
}

/** What Link Existing Commits was asked to do. */
interface LinkRequest {
  /** Hashes or revisions; absent: to be picked. */
  readonly commits?: readonly string[];
  readonly repository?: vscode.Uri;
  /** The story that every commit is to be linked to, whatever its message names. */
  readonly story?: FoundStory;
  /** Verb of the markers for commits that do not mention the story; absent: as the settings say. */
  readonly verb?: MarkerVerb;
}

/**
 * Reads the argument: a row of the tree, a source control, the form of contract.md, or none.
 * @throws TrackerError `input` or `notFound`.
 */
async function linkRequest({ storyArgument }: Pick<App, 'storyArgument'>, argument: unknown): Promise<LinkRequest> {
  const story = namesStory(argument) ? await storyArgument.of(argument, '') : undefined;
  return { ...(story ? { story } : {}), ...commitsOf(argument), ...verbOf(argument), ...askedRepository(argument) };
}

/** The verb that an argument names. @throws TrackerError `input`. */
export function verbOf(argument: unknown): { readonly verb?: MarkerVerb } {
  const verb = isPlainObject(argument) ? argument.verb : undefined;
  if (verb === undefined) return {};
  if (typeof verb === 'string' && isMarkerVerb(verb)) return { verb };
  throw new TrackerError('input', vscode.l10n.t('The verb must be fixes, finishes, delivers or empty.'));
}

function commitsOf(argument: unknown): { readonly commits?: readonly string[] } {
  const commits = isPlainObject(argument) ? argument.commits : undefined;
  if (commits === undefined) return {};
  if (Array.isArray(commits) && commits.every((commit) => typeof commit === 'string')) return { commits };
  throw new TrackerError('input', vscode.l10n.t('Pass the commits as a list of hashes.'));
}

/** How far back one can pick. */
const OFFERED = 1000;

interface CommitItem extends vscode.QuickPickItem {
  readonly commit?: Commit;
}

type PickNeeds = Pick<App, 'backlogs' | 'engine' | 'history' | 'log'>;

/**
 * Lets a person choose commits of a repository's history, newest first, those not linked yet before the others. Commits
 * that name `story` and are not linked are ticked from the start. `undefined`: the person turned away.
 */
async function pickCommits(
  needs: PickNeeds,
  root: string,
  story: FoundStory | undefined,
): Promise<readonly Commit[] | undefined> {
  const picked = await vscode.window.showQuickPick(itemsOf(needs, root, story), {
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
    title: story
      ? vscode.l10n.t('Link Commits to #{0} {1}', story.story.id, isolatedInTitle(storyLabel(story.story)))
      : vscode.l10n.t('Link Commits to Stories'),
    placeHolder: vscode.l10n.t('Search commits by message, author or hash'),
  });
  return picked?.flatMap(({ commit }) => commit ?? []);
}

async function itemsOf(needs: PickNeeds, root: string, story: FoundStory | undefined): Promise<CommitItem[]> {
  const { backlogs, engine, history } = needs;
  const storiesOf = await linkedStories(engine.linkedCommits);
  const commits = await history.commits(root, { limit: OFFERED });
  const inComments = linkedHashes((await loadedBacklogs(needs)).flatMap(({ backlog }) => storiesIn(backlog)));
  const waiting = waitingHashes(backlogs.unsent);
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

function headed(label: string, items: readonly CommitItem[]): readonly CommitItem[] {
  return items.length > 0 ? [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items] : [];
}

function rowOf({ hash, message, authorName, authoredAt }: Commit): CommitItem {
  const date = new Intl.DateTimeFormat(vscode.env.language, { dateStyle: 'medium' }).format(authoredAt);
  return {
    label: `$(git-commit) ${withoutIcons(message.split('\n', 1)[0] ?? '')}`,
    description: withoutIcons([shortHash(hash), authorName, date].join(' · ')),
  };
}

function detailOf(named: readonly number[], linked: readonly number[], backlogs: PickNeeds['backlogs']): string {
  const stories = [...new Set([...named, ...linked])].map((id) => {
    const text = withoutIcons(`#${id} ${backlogs.peekStory(id)?.story.name ?? ''}`.trim());
    return linked.includes(id) ? vscode.l10n.t('linked to {0}', text) : vscode.l10n.t('mentions {0}', text);
  });
  return stories.length > 0 ? stories.join(' · ') : vscode.l10n.t('mentions no story');
}
