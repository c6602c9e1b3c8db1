import * as vscode from 'vscode';
import type { Log } from '../core/log.ts';
import type { History } from '../core/ports/git.ts';
import { type Accounts, replicaAccount } from './accounts/accounts.ts';
import type { Engine } from './engine/engine.ts';
import type { ActiveStoryHolder } from './git/activeStoryHolder.ts';
import type { GitBridge } from './git/gitBridge.ts';
import { Backlogs } from './projects/backlogs.ts';
import type { Commands } from './shell/commands.ts';
import type { Messages } from './shell/messages.ts';
import type { ShownViews } from './shell/shownViews.ts';
import type { DraftStore } from './story/draftFiles.ts';
import type { PickOrder } from './story/pickOrder.ts';
import type { RestoredStories } from './story/restoredStories.ts';
import type { StoryArgument } from './story/storyArgument.ts';
import type { UndoHistory } from './story/undoHistory.ts';
import { unsentStoryText } from './story/unsentStoryText.ts';
import type { StoriesView, StoriesViewHolder } from './tree/storiesView.ts';
import type { TreeDrops } from './tree/treeDrops.ts';

/** All that slices are given; each takes the members it needs (`Pick<App, …>`). */
export interface App {
  readonly log: Log;
  readonly messages: Messages;
  readonly commands: Commands;
  readonly engine: Engine;
  readonly accounts: Accounts;
  readonly backlogs: Backlogs;
  readonly storyArgument: Pick<StoryArgument, 'of' | 'ofSelection' | 'several'>;
  readonly storiesView: StoriesViewHolder;
  readonly shownViews: ShownViews;
  readonly drops: TreeDrops;
  /** What was done to stories in this window. */
  readonly undoHistory: UndoHistory;
  readonly restoredStories: RestoredStories;
  readonly git: GitBridge;
  readonly activeStories: ActiveStoryHolder;
  /** Ask only when `vscode.workspace.isTrusted`. */
  readonly history: History;
  /** What is remembered for this workspace. Never a token, and no text that a person would miss: another window on it may overwrite it. */
  readonly workspaceMemory: vscode.Memento;
  /** What was begun to be written about stories and not saved, by whichever window, as it is now. */
  readonly openDrafts: () => Promise<DraftStore>;
}

/** Tells which stories a command is about; what it takes to do so is loaded with the first that asks. `likely` as there. */
export function createStoryArgument(
  backlogs: Backlogs,
  view: StoriesView,
  likely?: () => Promise<PickOrder>,
): App['storyArgument'] {
  const loaded = async () => new (await import('./story/storyArgument.ts')).StoryArgument(backlogs, view, likely);
  return {
    of: async (...asked) => (await loaded()).of(...asked),
    ofSelection: async (...asked) => (await loaded()).ofSelection(...asked),
    several: async (...asked) => (await loaded()).several(...asked),
  };
}

/** The drafts in a folder of this machine, which are read when they are first wanted. */
export function createDrafts(folder: vscode.Uri, log: Log): App['openDrafts'] {
  let opened: Promise<DraftStore> | undefined;
  return async () => {
    opened ??= import('./story/draftFiles.ts').then(({ DraftFiles }) => new DraftFiles(folder.fsPath, log));
    const drafts = await opened;
    drafts.refresh();
    return drafts;
  };
}

/** The backlogs of these accounts' projects, with the settings and in the language of VS Code. */
export function createBacklogs(accounts: Accounts, log: Log): Backlogs {
  const texts = {
    noProject: vscode.l10n.t('You have no projects yet. Run "Story Tracker: New Project…".'),
    goneProject: vscode.l10n.t('This project no longer exists.'),
    unsentStory: unsentStoryText(vscode),
    signedOut: vscode.l10n.t('You are not signed in to this server.'),
  };
  return new Backlogs({ accounts, replicaAccount, log, texts });
}
