import * as vscode from 'vscode';
import type { App } from '../../host/app.ts';
import { FinishingCommits, type FinishNeeds } from './finishingCommits.ts';
import { MarkerKeeper } from './markerKeeper.ts';
import { NewCommitLinks } from './newCommits.ts';

type FollowNeeds = FinishNeeds & Pick<App, 'engine' | 'history'>;

/** What follows commits and their messages in a window where someone is signed in. */
export class FollowedCommits implements vscode.Disposable {
  private readonly links: NewCommitLinks;
  private readonly owned: vscode.Disposable;

  constructor(app: FollowNeeds) {
    this.links = new NewCommitLinks(app);
    this.owned = vscode.Disposable.from(this.links, new MarkerKeeper(app), new FinishingCommits(app));
  }

  /** As `NewCommitQuestions.askAgain`. */
  askAgain(link?: boolean): Promise<void> {
    return this.links.askAgain(link);
  }

  dispose(): void {
    this.owned.dispose();
  }
}
