import * as vscode from 'vscode';
import type { CommandId } from '../../commandIds.ts';
import { isCancelled } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { Messages } from './messages.ts';

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
   * Registers `run`. Called with a plain object (by a key, a script, another extension) the command rejects with what
   * was thrown; called by a person it shows it (contract.md). `byProgram` tells the two apart where menus pass plain
   * objects too.
   */
  command(
    id: CommandId,
    run: Run,
    byProgram: (args: readonly unknown[]) => boolean = (args) => args.some(isPlainObject),
  ): vscode.Disposable {
    return vscode.commands.registerCommand(id, async (...args: readonly unknown[]) => {
      this.log.debug(`command ${id}`);
      try {
        return await run(...args);
      } catch (thrown) {
        if (byProgram(args)) {
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
  | 'storyTracker.noProjects'
  | 'storyTracker.isFiltered'
  | 'storyTracker.isGrouped';

/** The one place where context keys are set. */
export async function setContext(key: ContextKey, value: boolean): Promise<void> {
  await vscode.commands.executeCommand('setContext', key, value);
}
