import type { Memento } from 'vscode';
import type { Log } from '../core/log.ts';
import type { History } from '../core/ports/history.ts';
import type { Accounts } from './accounts.ts';
import type { ActiveStoryHolder } from './activeStoryHolder.ts';
import type { Backlogs } from './backlogs.ts';
import type { Commands } from './commands.ts';
import type { Engine } from './engine.ts';
import type { GitBridge } from './gitBridge.ts';
import type { Messages } from './messages.ts';
import type { ShownViews } from './shownViews.ts';
import type { StoriesViewHolder } from './storiesView.ts';
import type { StoryArgument } from './storyArgument.ts';
import type { TreeDrops } from './treeDrops.ts';

/** All that slices are given; each takes the members it needs (`Pick<App, …>`). */
export interface App {
  readonly log: Log;
  readonly messages: Messages;
  readonly commands: Commands;
  readonly engine: Engine;
  readonly accounts: Accounts;
  readonly backlogs: Backlogs;
  readonly storyArgument: StoryArgument;
  readonly storiesView: StoriesViewHolder;
  readonly shownViews: ShownViews;
  readonly drops: TreeDrops;
  readonly git: GitBridge;
  readonly activeStories: ActiveStoryHolder;
  /** Ask only when `vscode.workspace.isTrusted`. */
  readonly history: History;
  /** What is remembered for this workspace. Never a token. */
  readonly workspaceMemory: Memento;
}
