import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { finishedState } from '../../core/backlog/workflow.ts';
import { messageOf, TrackerError } from '../../core/errors.ts';
import { storyEffects } from '../../core/marker/markerSyntax.ts';
import { visibleLine } from '../../core/text.ts';
import type { App } from '../../host/app.ts';
import type { ActiveStoryView } from '../../host/git/activeStoryHolder.ts';
import { askedRepository, chooseRepository, requireTrust } from '../../host/git/chooseRepository.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { isSameFolder } from '../../host/git/scmInput.ts';
import { insertActive } from '../../host/shell/featureSettings.ts';
import { storiesOfId } from '../../host/story/mentionedStories.ts';
import { pickServerOf } from '../../host/story/pickServer.ts';
import { storyLabel } from '../../host/story/storyLabel.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';

export type FinishNeeds = Pick<App, 'accounts' | 'activeStories' | 'backlogs' | 'git' | 'log' | 'messages'>;

/** Changes of a message that is being typed are looked at together. */
const PAUSE_MS = 150;
/** Characters of a story's name that a tooltip has room for. */
const NAME_LENGTH = 100;

/**
 * Offers *Commit & Finish* below the arrow of VS Code's commit button: for the story that the message names, or else the one
 * that is worked on in the repository, as long as it is not finished.
 */
export class FinishingCommits implements vscode.Disposable {
  private readonly needs: FinishNeeds;
  private readonly repositories = new Set<GitRepository>();
  private readonly listening: vscode.Disposable;
  private active: ActiveStoryView | undefined;
  private following: vscode.Disposable | undefined;
  private activeChanges: vscode.Disposable | undefined;
  private added: vscode.Disposable | undefined;
  /** What was offered when VS Code was last told. */
  private offered = '';
  private timer: NodeJS.Timeout | undefined;
  private isDisposed = false;

  constructor(needs: FinishNeeds) {
    this.needs = needs;
    this.listening = vscode.Disposable.from(
      needs.backlogs.onDidChange(() => this.lookSoon()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.languageId === 'scminput') this.lookSoon();
      }),
    );
    this.inBackground(this.begin());
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    for (const one of [this.listening, this.following, this.activeChanges, this.added]) one?.dispose();
  }

  private async begin(): Promise<void> {
    this.following = await this.needs.git.follow((repository) => {
      this.repositories.add(repository);
      this.lookSoon();
      return new vscode.Disposable(() => this.repositories.delete(repository));
    });
    if (this.isDisposed) this.dispose();
  }

  private lookSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.inBackground(this.look()), PAUSE_MS);
  }

  /** VS Code asks for the commands only when another provider comes. */
  private async look(): Promise<void> {
    if (this.repositories.size > 0) this.active ??= await this.needs.activeStories.view();
    this.activeChanges ??= this.active?.onDidChange(() => this.lookSoon());
    const offered = [...this.repositories]
      .map((one) => `${one.rootUri.path} ${this.storyOf(one)?.story.id}`)
      .join('\n');
    if (offered === this.offered || this.isDisposed) return;
    this.offered = offered;
    this.added?.dispose();
    const added = await this.needs.git.addPostCommitCommands({ getCommands: ({ rootUri }) => this.commands(rootUri) });
    if (this.isDisposed || this.offered !== offered) added.dispose();
    else this.added = added;
  }

  private commands(root: vscode.Uri): vscode.Command[] {
    const repository = [...this.repositories].find(({ rootUri }) => isSameFolder(rootUri, root));
    const found = repository && this.storyOf(repository);
    if (!found) return [];
    const name = visibleLine(storyLabel(found.story), NAME_LENGTH);
    return [
      {
        title: `$(check-all) ${vscode.l10n.t('Commit & Finish #{0}', found.story.id)}`,
        tooltip: vscode.l10n.t('Commit Changes and Finish Story #{0} {1}', found.story.id, name),
        command: commandIds.finishCommitted,
      },
    ];
  }

  private storyOf({ inputBox, rootUri }: GitRepository): FoundStory | undefined {
    const active = insertActive(rootUri) === 'never' ? undefined : this.active?.at(rootUri);
    const ids = candidates(inputBox.value, active?.storyId);
    const found = ids.flatMap((id) => storiesOfId(this.needs.backlogs, id, active?.accountId)[0] ?? []);
    return found.find(({ story }) => finishedState(story) !== undefined);
  }

  private inBackground(work: Promise<void>): void {
    work.catch((thrown: unknown) => this.needs.log.warn(`Commit & Finish: ${messageOf(thrown)}`));
  }
}

/**
 * Commit & Finish Story (contract.md): has VS Code commit, and the story of that commit finished if it does. What VS Code asks or
 * refuses when it commits, it says itself.
 */
export async function commitAndFinish(
  { accounts, git }: Pick<App, 'accounts' | 'git'>,
  argument?: unknown,
): Promise<void> {
  requireTrust();
  await accounts.requireAny();
  const repository = await chooseRepository(git, askedRepository(argument).repository);
  if (!repository) return;
  await vscode.commands.executeCommand('git.commit', repository.rootUri, commandIds.finishCommitted);
}

/**
 * Finishes, as *Finish Story…* does, the story that the latest commit of a repository names, or else the one that is worked on there.
 * Of several it is the first that is not finished, the active one before others.
 * @throws TrackerError `input` without such a story.
 */
export async function finishCommitted(needs: FinishNeeds, argument?: unknown): Promise<void> {
  requireTrust();
  const repository = await chooseRepository(needs.git, askedRepository(argument).repository);
  if (!repository) return;
  const { message } = await repository.getCommit('HEAD');
  const view = await needs.activeStories.view();
  const active = insertActive(repository.rootUri) === 'never' ? undefined : view?.at(repository.rootUri);
  for (const id of candidates(message, active?.storyId)) {
    const found = await storyOfId(needs, id, active?.accountId);
    if (!found || !finishedState(found.story)) continue;
    await vscode.commands.executeCommand(commandIds.finishStory, {
      ...{ storyId: found.story.id, ...found.key, repository: repository.rootUri.toString(), caller: 'person' },
      // What a commit names is linked as that of every other commit is.
      ...(storyEffects(message).has(id) && { link: false }),
    });
    return;
  }
  throw new TrackerError('input', vscode.l10n.t('The commit has no story that can be finished.'));
}

/** The stories that a message is about: those that it names, or else the active one, which comes first among them too. */
function candidates(message: string, active: number | undefined): readonly number[] {
  const marked = [...storyEffects(message).keys()];
  if (active === undefined || (marked.length > 0 && !marked.includes(active))) return marked;
  return [active, ...marked.filter((id) => id !== active)];
}

async function storyOfId(needs: FinishNeeds, id: number, accountId?: string): Promise<FoundStory | undefined> {
  await needs.backlogs.projects();
  const found = storiesOfId(needs.backlogs, id, accountId);
  if (found.length < 2) return found[0] ?? needs.backlogs.story(id, accountId === undefined ? {} : { accountId });
  return pickServerOf(
    needs.accounts,
    found,
    vscode.l10n.t('Several accounts have a story #{0}. Finish which one?', id),
  );
}
