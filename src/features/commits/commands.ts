import * as vscode from 'vscode';
import { messageOf, TrackerError } from '../../core/errors.ts';
import { type MarkerVerb, markerText } from '../../core/marker/markerSyntax.ts';
import { withMarker } from '../../core/marker/withMarker.ts';
import { withoutMarker } from '../../core/marker/withoutMarker.ts';
import { commitOf } from '../../core/outbox/withUnsentIntents.ts';
import { shortHash, withoutEnd } from '../../core/text.ts';
import type { Account } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';
import { askedRepository, chooseRepository, repositoryName, requireTrust } from '../../host/git/chooseRepository.ts';
import { markerOptions } from '../../host/git/commitLinkSettings.ts';
import { commitMessageFor } from '../../host/git/commitMessage.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { isPlainObject } from '../../host/shell/commands.ts';
import { commitVerb } from '../../host/shell/featureSettings.ts';
import { safeLink } from '../../host/shell/html.ts';
import { type LikelyNeeds, likelyStories } from '../../host/story/likelyStories.ts';
import { sentStory } from '../../host/story/storyArgument.ts';
import { DetailNode, type FoundStory } from '../../host/tree/nodes.ts';
import type { FollowedCommits } from './followCommits.ts';
import { verbOf } from './linkCommits.ts';

export { commitAndFinish, finishCommitted } from './finishingCommits.ts';
export { linkCommits } from './linkCommits.ts';

type Needs = MarkerNeeds & Pick<App, 'git' | 'messages'>;

/**
 * Insert Marker (contract.md): names the stories in the commit message that is being written, once each, and says so in
 * the status bar and to a program; the focus stays where it was.
 */
export async function insertMarker(needs: Needs, ...args: readonly unknown[]): Promise<string | undefined> {
  requireTrust();
  const request = await markerRequest(needs, args);
  if (!request) return undefined;
  const message = await commitMessageFor(needs.git, request.repository);
  if (!message) return undefined;
  const ids = request.stories.map(({ story }) => story.id);
  const verb = request.verb ?? commitVerb(message.scope);
  const changed = await message.change((text, commentChar) =>
    withMarker(text, ids, { ...markerOptions(message.scope, commentChar), verb }),
  );
  const marker = markerText(ids, verb);
  const text = changed
    ? vscode.l10n.t('Added {0} to the commit message of {1}.', marker, message.name)
    : vscode.l10n.t('{0} is already in the commit message of {1}.', marker, message.name);
  needs.messages.status(text);
  return text;
}

/** What Insert Marker was asked to do. */
interface MarkerRequest {
  readonly stories: readonly FoundStory[];
  /** Absent: as the settings say. */
  readonly verb?: MarkerVerb;
  readonly repository?: vscode.Uri;
}

type MarkerNeeds = LikelyNeeds & Pick<App, 'storyArgument'>;

/**
 * Reads the arguments of Insert Marker: rows of the tree, a source control, the form of contract.md, or none.
 * `undefined`: the person turned away.
 * @throws TrackerError `input`, for a story that no server has yet too, or `notFound`.
 */
async function markerRequest(needs: MarkerNeeds, args: readonly unknown[]): Promise<MarkerRequest | undefined> {
  const [first, clicked] = args;
  if (isPlainObject(first) && ('storyId' in first || 'storyIds' in first)) return namedRequest(needs, first);
  const asked = askedRepository(first);
  const order = () => likelyStories(needs, asked.repository);
  const rows = isPlainObject(first) ? [] : [first, clicked];
  const placeHolder = vscode.l10n.t('Story to mention in the commit message');
  const stories = await needs.storyArgument.several(rows, placeHolder, { selectionOf: 'key', order });
  return stories.length > 0 ? { stories: stories.map(sentStory), ...verbOf(first), ...asked } : undefined;
}

async function namedRequest(needs: MarkerNeeds, argument: Readonly<Record<string, unknown>>): Promise<MarkerRequest> {
  const { storyId, storyIds, projectId, accountId } = argument;
  const ids: readonly unknown[] = Array.isArray(storyIds) ? storyIds : [storyId];
  if (ids.length === 0) throw new TrackerError('input', vscode.l10n.t('No story was given.'));
  const stories: FoundStory[] = [];
  for (const id of ids) {
    const found = await needs.storyArgument.of({ storyId: id, projectId, accountId }, '');
    if (found) stories.push(found);
  }
  return { stories, ...verbOf(argument), ...askedRepository(argument) };
}

type RemovalNeeds = Pick<App, 'git' | 'messages'>;

/** Remove Marker (contract.md): takes every marker out of the commit message that is being written. */
export async function removeMarker({ git, messages }: RemovalNeeds, argument?: unknown): Promise<void> {
  requireTrust();
  const message = await commitMessageFor(git, askedRepository(argument).repository);
  if (!message) return;
  const changed = await message.change((text, commentChar) => withoutMarker(text, undefined, { commentChar }));
  messages.status(
    changed
      ? vscode.l10n.t('Removed the marker from the commit message of {0}.', message.name)
      : vscode.l10n.t('The commit message of {0} has no marker.', message.name),
  );
}

/**
 * Link New Commits (contract.md): asks about the new commits that nobody has answered about. A program passes `{ link }` and
 * resolves when they were linked, or will not be.
 * @throws TrackerError `input`.
 */
export async function linkNewCommits(
  needs: Pick<App, 'accounts' | 'messages'>,
  argument: unknown,
  followed: Pick<FollowedCommits, 'askAgain'> | undefined,
): Promise<void> {
  requireTrust();
  await needs.accounts.requireAny();
  const link = isPlainObject(argument) ? argument.link : undefined;
  if (link !== undefined && typeof link !== 'boolean') {
    throw new TrackerError('input', vscode.l10n.t('Pass whether to link the commits as { link: boolean }.'));
  }
  await followed?.askAgain(link);
}

type HookNeeds = Pick<App, 'engine' | 'git' | 'messages'>;

/** Puts the hook into a repository; asks first where its folder of hooks is not its own. */
export async function installCommitHook({ engine, git, messages }: HookNeeds, argument?: unknown): Promise<void> {
  requireTrust();
  const repository = await chooseRepository(git, askedRepository(argument).repository);
  if (!repository) return;
  const root = repository.rootUri.fsPath;
  const { file, isOwn } = await engine.commitHooks.place(root);
  if (!isOwn) {
    const install = vscode.l10n.t('Install');
    const question = vscode.l10n.t('Install the hook outside the repository?');
    const detail = vscode.l10n.t(
      'Git is configured to use hooks from another folder, perhaps for other repositories too: {0}',
      file,
    );
    if ((await messages.ask(question, detail, install)) !== install) return;
  }
  await engine.commitHooks.install(root, commitVerb(repository.rootUri));
  const name = repositoryName(repository);
  messages.status(
    vscode.l10n.t('From now on, commits in {0} mention the story of their branch, even outside VS Code.', name),
  );
}

/** Takes the hook away again; the one that was there before is back in its place. */
export async function removeCommitHook({ engine, git, messages }: HookNeeds, argument?: unknown): Promise<void> {
  requireTrust();
  const repository = await chooseRepository(git, askedRepository(argument).repository);
  if (!repository) return;
  const isRemoved = await engine.commitHooks.remove(repository.rootUri.fsPath);
  const name = repositoryName(repository);
  messages.status(
    isRemoved
      ? vscode.l10n.t('Removed the commit hook from {0}.', name)
      : vscode.l10n.t('{0} has no Story Tracker commit hook.', name),
  );
}

type AddressNeeds = Pick<App, 'accounts' | 'messages'>;

/** Endpoint 7 (api-v3.md), which takes what hosts of repositories post after a push. */
const PATH = '/services/v3/github_commits';

/** Puts the address for a repository's web hook on the clipboard, and nowhere else; with the token only when asked to. */
export async function copyCommitHookAddress({ accounts, messages }: AddressNeeds): Promise<void> {
  await accounts.requireAny();
  const account = await pickAccount(await accounts.list());
  if (!account) return;
  const [withToken, without] = [vscode.l10n.t('Copy with Token'), vscode.l10n.t('Copy without Token')];
  const answer = await messages.ask(
    vscode.l10n.t('Copy the commit hook address of {0} with your token?', account.label),
    vscode.l10n.t(
      'The repository’s host posts commits to this address and needs the token in it. Anyone who has the address can do everything that you can on the server, so enter it only in the host’s settings. Then set storyTracker.commit.link to serverHook so that no commit is linked twice.',
    ),
    withToken,
    without,
  );
  if (answer === undefined) return;
  const { baseUrl, token } = await accounts.access(account.id);
  const address = new URL(withoutEnd(baseUrl, '/') + PATH);
  address.search = `token=${answer === withToken ? encodeURIComponent(token) : ''}`;
  await vscode.env.clipboard.writeText(address.href);
  messages.status(
    answer === withToken
      ? vscode.l10n.t('Copied the commit hook address. It contains your token.')
      : vscode.l10n.t('Copied the commit hook address. Append your token to it before you use it.'),
  );
}

async function pickAccount(list: readonly Account[]): Promise<Account | undefined> {
  if (list.length < 2) return list[0];
  const items = list.map((account) => ({ label: account.label, description: account.baseUrl ?? '', account }));
  const placeHolder = vscode.l10n.t('Server to post commits to');
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.account;
}

/** A commit as its row or a program names it. */
interface NamedCommit {
  readonly commitId: string;
  /** Its page. */
  readonly address?: string;
}

/** Git's IDs, in full or their beginning; nothing else is passed on to Git. */
const COMMIT_ID = /^[0-9a-f]{7,64}$/i;

/**
 * Open Commit (contract.md): shows the changes of a commit in VS Code where one of the open repositories has it, else its page.
 * @throws TrackerError `input`, or `notFound` where there is neither.
 */
export async function openCommit({ git, log }: Pick<App, 'git' | 'log'>, argument: unknown): Promise<void> {
  const { commitId, address } = namedCommit(argument);
  const repository = await repositoryWith(await git.repositories(), commitId);
  const page = address === undefined ? undefined : safeLink(address);
  if (repository) {
    try {
      await vscode.commands.executeCommand('git.viewCommit', repository.rootUri, commitId);
      return;
    } catch (thrown) {
      // Older versions show no commits.
      if (page === undefined) throw thrown;
      log.warn(messageOf(thrown));
    }
  }
  if (page === undefined) {
    const sentence = vscode.l10n.t('Commit {0} is in none of the open repositories.', shortHash(commitId));
    throw new TrackerError('notFound', sentence);
  }
  await vscode.env.openExternal(vscode.Uri.parse(page, true));
}

function namedCommit(argument: unknown): NamedCommit {
  if (argument instanceof DetailNode) {
    const { parent, kind, id } = argument;
    const note = kind === 'note' ? parent.story.notes.find((one) => one.id === id) : undefined;
    const { hash, url } = (note && commitOf(note)) ?? {};
    if (hash !== undefined) return { commitId: hash, ...(url === undefined ? {} : { address: url }) };
  }
  if (isPlainObject(argument)) {
    const { commitId, address } = argument;
    if (typeof commitId === 'string' && COMMIT_ID.test(commitId))
      return { commitId, ...(typeof address === 'string' ? { address } : {}) };
  }
  throw new TrackerError('input', vscode.l10n.t('Pass the commit as { commitId: string }.'));
}

async function repositoryWith(
  repositories: readonly GitRepository[],
  commitId: string,
): Promise<GitRepository | undefined> {
  for (const repository of repositories) {
    const commit = await repository.getCommit(commitId).catch(() => undefined);
    if (commit) return repository;
  }
  return undefined;
}
