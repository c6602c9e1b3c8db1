import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import {
  failureMeans,
  isAway,
  isCancelled,
  kindOf,
  messageOf,
  TrackerError,
  type TrackerErrorKind,
} from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { visibleLine, withoutControls } from '../../core/text.ts';
import { withoutIcons, withoutLinks } from './plainText.ts';

/** What a notification has room for; servers name things as long as they like. */
const LONGEST_MESSAGE = 1000;
/** What a dialog has room for below its question. */
const LONGEST_DETAIL = 5000;

/** The one place that tells a person something in a notification. */
export class Messages {
  private readonly log: Log;
  private shown: vscode.Disposable | undefined;
  /** Opens the log. */
  readonly openLog: () => void;

  constructor(log: Log, openLog: () => void) {
    this.log = log;
    this.openLog = openLog;
  }

  /**
   * One sentence with the next step: to sign in, to look at the connection, or at the log where that says more. A refusal tells
   * all there is, and its message goes by itself; only a fault stays until it is closed. Nothing for what the person cancelled.
   */
  error(thrown: unknown): void {
    if (isCancelled(thrown)) return;
    this.log.error(thrown instanceof Error ? thrown : messageOf(thrown));
    const showLog = vscode.l10n.t('Show Log');
    const signIn = vscode.l10n.t('Sign In…');
    const checkConnection = vscode.l10n.t('Check Connection…');
    const answers = [
      ...(failureMeans(kindOf(thrown), 'signIn') ? [signIn] : []),
      ...(isAway(thrown) ? [checkConnection] : []),
      ...(isMoreInLog(thrown) ? [showLog] : []),
    ];
    void showFor(thrown)(legible(messageOf(thrown)), ...answers).then((chosen) => {
      if (chosen === showLog) this.openLog();
      else if (chosen === signIn) void vscode.commands.executeCommand(commandIds.signIn);
      else if (chosen === checkConnection) void vscode.commands.executeCommand(commandIds.checkConnection);
    });
  }

  /** Perhaps with buttons; `undefined` when none was pressed. */
  async info<T extends string>(text: string, ...answers: readonly T[]): Promise<T | undefined> {
    this.log.info(text);
    return vscode.window.showInformationMessage<T>(legible(text), ...answers);
  }

  /** In the status bar for some seconds: for what went well and needs no answer. */
  status(text: string): void {
    this.log.info(text);
    // An older one would come back once this one goes, and be about what is no longer so.
    this.shown?.dispose();
    this.shown = vscode.window.setStatusBarMessage(withoutIcons(visibleLine(text, LONGEST_MESSAGE)), 5000);
  }

  /** Asks with buttons; `undefined` when the person turned away. */
  async ask<T extends string>(
    question: string,
    detail: string | undefined,
    ...answers: readonly T[]
  ): Promise<T | undefined> {
    const below = detail === undefined ? {} : { detail: withoutControls(detail.slice(0, LONGEST_DETAIL)) };
    const options = { modal: true, ...below };
    return vscode.window.showWarningMessage<T>(legible(question), options, ...answers);
  }

  /** A message that does not block, with buttons for what can be done about it; `undefined` when it was closed. */
  async offer<T extends string>(text: string, ...answers: readonly T[]): Promise<T | undefined> {
    this.log.warn(text);
    return vscode.window.showWarningMessage<T>(legible(text), ...answers);
  }
}

/** Kinds of what is refused here without asking a server. */
const OWN_REFUSALS: ReadonlySet<TrackerErrorKind> = new Set(['input', 'notFound', 'conflict', 'unauthorized']);

/** As loud as what happened: a refusal of ours, one of a server's or a server that is away, a fault. */
function showFor(thrown: unknown): typeof vscode.window.showErrorMessage {
  const { showErrorMessage, showInformationMessage, showWarningMessage } = vscode.window;
  if (!isRefusal(thrown)) return showErrorMessage;
  const isOurs = OWN_REFUSALS.has(thrown.kind) && !thrown.request && !thrown.cause;
  return isOurs ? showInformationMessage : showWarningMessage;
}

/** What an ordinary day brings, the network included; anything else is a fault. */
function isRefusal(thrown: unknown): thrown is TrackerError {
  return thrown instanceof TrackerError && !failureMeans(thrown.kind, 'serverFault');
}

/** Of a server that is away *Check Connection* tells more. */
function isMoreInLog(thrown: unknown): boolean {
  if (!isRefusal(thrown)) return true;
  const { cause } = thrown;
  return cause !== undefined && !(cause instanceof TrackerError) && !isAway(thrown);
}

function legible(text: string): string {
  return withoutLinks(visibleLine(text, LONGEST_MESSAGE));
}

/**
 * Opens an address of the web character by character as it is. A `Uri` forgets which characters were escaped, and a signed
 * address with `%2B` would come out with a plus, which is a space there.
 */
export async function openAddress(address: string): Promise<void> {
  // VS Code takes a string as well, though its types do not say so.
  await Reflect.apply(vscode.env.openExternal, vscode.env, [address]);
}
