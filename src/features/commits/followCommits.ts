import * as vscode from 'vscode';
import type { App } from '../../host/app.ts';
import { FinishingCommits, type FinishNeeds } from './finishingCommits.ts';
import { MarkerKeeper } from './markerKeeper.ts';
import { NewCommitLinks } from './newCommits.ts';

export type FollowNeeds = FinishNeeds & Pick<App, 'engine' | 'history'>;

/** What follows commits and their messages in a window where someone is signed in. */
export function followCommits(app: FollowNeeds): vscode.Disposable {
  return vscode.Disposable.from(new NewCommitLinks(app), new MarkerKeeper(app), new FinishingCommits(app));
}
