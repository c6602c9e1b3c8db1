import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { NewCommit } from '../../core/ports/git.ts';
import type { App } from '../../host/app.ts';
import { commitEmails } from '../../host/git/commitLinkSettings.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { NewCommitQuestions, type QuestionNeeds } from './newCommitQuestions.ts';
import type { HeldCommit } from './plannedCommits.ts';

type Needs = QuestionNeeds & Pick<App, 'accounts' | 'engine' | 'git' | 'log'>;

/**
 * Watches the open repositories for commits made anywhere, by VS Code, in a terminal, by an agent, by a rebase or a pull:
 * whenever the Git extension tells that HEAD is another. Nothing is asked of Git while nobody is signed in.
 */
export class NewCommitLinks implements vscode.Disposable {
  private readonly needs: Needs;
  private readonly questions: NewCommitQuestions;
  private readonly listening: vscode.Disposable[];
  private readonly looks = new Set<() => void>();
  private following: Promise<vscode.Disposable> | undefined;
  private isDisposed = false;

  constructor(needs: Needs) {
    this.needs = needs;
    this.questions = new NewCommitQuestions(needs);
    const begin = () => this.inBackground(this.begin());
    this.listening = [
      this.questions,
      needs.accounts.onDidChange(begin),
      vscode.workspace.onDidGrantWorkspaceTrust(begin),
    ];
    begin();
  }

  /** As `NewCommitQuestions.askAgain`. */
  askAgain(link?: boolean): Promise<void> {
    return this.questions.askAgain(link);
  }

  dispose(): void {
    this.isDisposed = true;
    for (const one of this.listening) one.dispose();
    void this.following?.then(
      (following) => following.dispose(),
      () => undefined,
    );
  }

  private async begin(): Promise<void> {
    if (!vscode.workspace.isTrusted || (await this.needs.accounts.list()).length === 0 || this.isDisposed) return;
    if (this.following) for (const look of this.looks) look();
    this.following ??= this.needs.git.follow((repository) => this.watch(repository));
  }

  private watch({ rootUri, state }: GitRepository): vscode.Disposable {
    let seen: string | undefined;
    const look = async (): Promise<void> => {
      const head = JSON.stringify([state.HEAD?.name, state.HEAD?.commit]);
      if (head === seen || this.isDisposed) return;
      seen = head;
      const isSettled = await this.look(rootUri).catch((thrown: unknown) => this.warn(thrown));
      if (isSettled !== true) seen = undefined;
    };
    const anew = () => {
      seen = undefined;
      void look();
    };
    this.looks.add(anew);
    void look();
    return vscode.Disposable.from(
      state.onDidChange(() => void look()),
      new vscode.Disposable(() => this.looks.delete(anew)),
    );
  }

  /** Whether there is nothing left to look for until HEAD is another. */
  private async look(rootUri: vscode.Uri): Promise<boolean> {
    const { accounts, engine } = this.needs;
    if ((await accounts.list()).length === 0) return false;
    const root = rootUri.fsPath;
    const found = await engine.commitFinder.find(root, { emails: commitEmails(rootUri) });
    if (found.isUnsettled) return false;
    const held = (commit: NewCommit): HeldCommit => ({ root, repository: found.repository, commit });
    this.inBackground(this.questions.take(found.repository, found.commits.map(held)));
    return true;
  }

  private inBackground(work: Promise<unknown>): void {
    work.catch((thrown: unknown) => this.warn(thrown));
  }

  private warn(thrown: unknown): void {
    if (!this.isDisposed) this.needs.log.warn(messageOf(thrown));
  }
}
