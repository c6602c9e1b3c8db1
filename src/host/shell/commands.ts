import * as vscode from 'vscode';
import type { CommandId } from '../../commandIds.ts';
import { isCancelled } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Messages } from './messages.ts';

/** Who has a command done: a person is asked and shown what goes wrong, a program is told by a rejection. */
export type Caller = 'person' | 'program';

type Run = (...args: readonly unknown[]) => unknown;

/** The one way to add a command: every run is logged, and what it throws is told in one place. */
export class Commands {
  private readonly log: Log;
  private readonly messages: Messages;

  constructor(log: Log, messages: Messages) {
    this.log = log;
    this.messages = messages;
  }

  /**
   * Registers `run`. Called by a program (a key, a script, another extension, a view of ours that shows it itself) the
   * command rejects with what was thrown; called by a person it shows it (contract.md). `callerFrom` is for commands to
   * which menus pass plain objects.
   */
  command(id: CommandId, run: Run, callerFrom: (args: readonly unknown[]) => Caller = callerOf): vscode.Disposable {
    return vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
      this.log.debug(`command ${id}`);
      try {
        return await run(...args);
      } catch (thrown) {
        if (callerFrom(args) === 'program') {
          if (!isCancelled(thrown)) this.log.error(thrown instanceof Error ? thrown : String(thrown));
          throw thrown;
        }
        this.messages.error(thrown);
        return undefined;
      }
    });
  }
}

/** An argument written by hand, not a tree row, a `Uri` or another object of VS Code's. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** What package.json's `when` clauses may ask for. */
type ContextKey =
  | 'storyTracker.accountsKnown'
  | 'storyTracker.signedIn'
  | 'storyTracker.hasBuiltIn'
  | 'storyTracker.isForgotten'
  | 'storyTracker.noProjects'
  | 'storyTracker.hasLoadedProjects'
  | 'storyTracker.hasHiddenProjects'
  | 'storyTracker.isFiltered'
  | 'storyTracker.isOutOfOrder'
  | 'storyTracker.hasMoveToUndo'
  | FirstDeed;

/** What the walkthrough has one try: its steps are ticked once it was done in any way. VS Code does not notice commands that rows run. */
type FirstDeed =
  | 'storyTracker.hasOpenedStories'
  | 'storyTracker.hasLinkedCommits'
  | 'storyTracker.hasAttachedFiles'
  | 'storyTracker.hasMovedStories';

/** The one place where context keys are set. */
export async function setContext(key: ContextKey, value: boolean): Promise<void> {
  await vscode.commands.executeCommand('setContext', key, value);
}

/** Ticks a step of the walkthrough; nothing waits for that, and nothing depends on it. */
export function tickStep(deed: FirstDeed): void {
  void setContext(deed, true);
}

/** What a program says, beside the story or after a row. */
export function programArguments(args: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.assign({}, ...args.filter(isPlainObject));
}

/** The one that the arguments name as `caller`, as our own code does; else a program where one of them was written by hand. */
export function callerOf(args: readonly unknown[]): Caller {
  const { caller } = programArguments(args);
  if (caller === 'person' || caller === 'program') return caller;
  return args.some(isPlainObject) ? 'program' : 'person';
}
