import * as vscode from 'vscode';
import { FollowedStories, type FollowNeeds } from './followedStories.ts';
import { MarkerKeeper } from './markerKeeper.ts';
import { StatusItem } from './statusItem.ts';

export type FollowingNeeds = FollowNeeds;

/** The active stories of this window, and all that shows them. */
export interface Following extends vscode.Disposable {
  readonly stories: FollowedStories;
}

/** Resolves when the repositories that are open have been looked at. */
export async function startFollowing(app: FollowingNeeds): Promise<Following> {
  const stories = new FollowedStories(app);
  const owned = vscode.Disposable.from(stories, new StatusItem(app, stories), new MarkerKeeper(app, stories));
  await stories.begin();
  return { stories, dispose: () => owned.dispose() };
}
