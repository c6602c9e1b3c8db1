import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import {
  isMadeOf,
  isSameMessage,
  messageChange,
  type StandingMarker,
  standingMarkers,
  withStandingMarker,
} from '../../core/marker/commitBox.ts';
import { isGenerated, readCommitMessage } from '../../core/marker/commitMessage.ts';
import type { App } from '../../host/app.ts';
import { markerOptions } from '../../host/git/commitLinkSettings.ts';
import { changeCommitBox, isOwnMessage, sameText } from '../../host/git/commitMessage.ts';
import type { GitRepository, WrittenCommit } from '../../host/git/gitBridge.ts';
import { isSameFolder, rootOfCommitBox } from '../../host/git/scmInput.ts';
import { areMarkersKept } from '../../host/shell/featureSettings.ts';

/** A message that is written piece by piece is taken to be complete when nothing came for so long. */
const QUIET_MS = 500;
/** Texts that stood in a commit box and that VS Code may bring back from its history. */
const REMEMBERED_TEXTS = 100;
/** Commits whose messages are recognized when they come back. */
const LATEST_COMMITS = 50;

/** Markers that went with the message they were in. */
interface LostMarkers {
  readonly markers: readonly StandingMarker[];
  /** The message, and where HEAD was while it was written. */
  readonly text: string;
  readonly head: string | undefined;
  readonly isByPerson: boolean;
  /** Runs while another message is being written; none while the box is empty. */
  readonly timer?: NodeJS.Timeout;
}

interface Box {
  text: string;
  /** The commit that was checked out when the text was last changed. */
  head: string | undefined;
  lost: LostMarkers | undefined;
  readonly earlier: string[];
}

/**
 * Keeps the markers of a commit message when another message takes its place, as from what generates messages, whoever put them
 * there. Markers that a person takes out or undoes stay out, and so do those of a message that was committed. Messages that Git
 * or VS Code's history bring back are left as they are.
 */
export class MarkerKeeper implements vscode.Disposable {
  private readonly needs: Pick<App, 'git' | 'log'>;
  private readonly repositories = new Map<string, GitRepository>();
  private readonly boxes = new Map<vscode.TextDocument, Box>();
  private readonly listening: vscode.Disposable;
  private following: vscode.Disposable | undefined;
  private isDisposed = false;

  constructor(needs: Pick<App, 'git' | 'log'>) {
    this.needs = needs;
    this.listening = vscode.Disposable.from(
      vscode.workspace.onDidOpenTextDocument((document) => this.note(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document)),
      vscode.workspace.onDidChangeTextDocument((event) => this.changed(event)),
    );
    for (const document of vscode.workspace.textDocuments) this.note(document);
    this.begin().catch((thrown: unknown) => needs.log.warn(`markers of commit messages: ${messageOf(thrown)}`));
  }

  dispose(): void {
    this.isDisposed = true;
    this.listening.dispose();
    this.following?.dispose();
    for (const { lost } of this.boxes.values()) clearTimeout(lost?.timer);
  }

  private async begin(): Promise<void> {
    const following = await this.needs.git.follow((repository) => {
      const root = repository.rootUri.toString();
      this.repositories.set(root, repository);
      return new vscode.Disposable(() => this.repositories.delete(root));
    });
    if (this.isDisposed) following.dispose();
    else this.following = following;
  }

  private note(document: vscode.TextDocument): Box | undefined {
    if (document.languageId !== 'scminput') return undefined;
    const head = this.repositoryOf(document)?.state.HEAD?.commit;
    const box = this.boxes.get(document) ?? { text: '', head, lost: undefined, earlier: [] };
    box.text = document.getText();
    box.head = head;
    this.boxes.set(document, box);
    return box;
  }

  private forget(document: vscode.TextDocument): void {
    clearTimeout(this.boxes.get(document)?.lost?.timer);
    this.boxes.delete(document);
  }

  private changed({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const repository = this.repositoryOf(document);
    const known = this.boxes.get(document);
    const before = { text: known?.text ?? '', head: known?.head };
    const box = this.note(document);
    if (!box || !repository || contentChanges.length === 0) return;
    const isOwn = isOwnMessage(repository, box.text);
    // What a person types is in the document before the box has it; what a program writes, the other way round.
    const isByProgram = sameText(repository.inputBox.value, box.text);
    const change = isOwn ? 'edited' : messageChange(before.text, contentChanges, isByProgram);
    if (reason !== undefined || change === 'cleared') this.drop(box);
    else if (change !== 'edited') this.changedWhole(box, repository, { ...before, isByPerson: !isByProgram }, change);
    else if (box.lost?.timer) this.wait(box, repository, box.lost);
    else this.drop(box);
  }

  private changedWhole(
    box: Box,
    repository: GitRepository,
    before: Omit<LostMarkers, 'markers'>,
    change: 'emptied' | 'replaced',
  ): void {
    remember(box, before.text);
    const lost = box.lost ?? { ...before, markers: standingMarkers(before.text) };
    if (lost.markers.length === 0 || !areMarkersKept(repository.rootUri)) this.drop(box);
    else if (change === 'replaced') this.wait(box, repository, lost);
    else this.inBackground(this.waitForText(box, repository, lost));
  }

  /** Puts the markers back once the message that takes the place of theirs is complete. */
  private wait(box: Box, repository: GitRepository, lost: LostMarkers): void {
    clearTimeout(lost.timer);
    const timer = setTimeout(() => this.inBackground(this.putBack(box, repository)), QUIET_MS);
    box.lost = { ...lost, timer };
  }

  private drop(box: Box): void {
    clearTimeout(box.lost?.timer);
    box.lost = undefined;
  }

  private async putBack(box: Box, repository: GitRepository): Promise<void> {
    const { lost, text } = box;
    if (!lost || this.isDisposed) return;
    const isWanted = await this.isAnotherMessage(box, repository, lost);
    // A message that was changed in the meantime waits until it is complete.
    if (box.lost !== lost) return;
    box.lost = undefined;
    if (!isWanted || box.text !== text) return;
    const options = markerOptions(repository.rootUri, '');
    for (const marker of lost.markers) {
      await changeCommitBox(repository, (message) => withStandingMarker(message, marker, options, lost.isByPerson));
    }
  }

  /** Whether a message is a new one, for the changes that the one before it was for. */
  private async isAnotherMessage(
    { text, earlier }: Box,
    repository: GitRepository,
    lost: LostMarkers,
  ): Promise<boolean> {
    if (repository.state.rebaseCommit || isGenerated(readCommitMessage(text, '#'))) return false;
    if (earlier.some((one) => isSameMessage(one, text))) return false;
    const commits = await latestCommits(repository, lost.head);
    return !isCommitted(commits, lost) && !commits.some(({ message }) => isSameMessage(message, text));
  }

  /** Whether the box was emptied by a commit is asked at once: later commits do not tell. */
  private async waitForText(box: Box, repository: GitRepository, lost: LostMarkers): Promise<void> {
    clearTimeout(lost.timer);
    const { timer: _, ...waiting } = lost;
    box.lost = waiting;
    const commits = await latestCommits(repository, undefined);
    const isStill = box.lost?.text === lost.text && box.lost.head === lost.head;
    if (isStill && isCommitted(commits, lost)) this.drop(box);
  }

  private repositoryOf(document: vscode.TextDocument): GitRepository | undefined {
    const root = rootOfCommitBox(document.uri);
    if (root === undefined) return undefined;
    const uri = vscode.Uri.parse(root);
    return [...this.repositories.values()].find(({ rootUri }) => isSameFolder(rootUri, uri));
  }

  private inBackground(work: Promise<void>): void {
    work.catch((thrown: unknown) => this.needs.log.warn(`markers of commit messages: ${messageOf(thrown)}`));
  }
}

function remember({ earlier }: Box, text: string): void {
  if (text.trim() !== '' && !earlier.includes(text)) earlier.push(text);
  if (earlier.length > REMEMBERED_TEXTS) earlier.shift();
}

/** Those of HEAD, the newest first, and the one that HEAD was at; none where nothing has been committed yet. */
async function latestCommits(repository: GitRepository, head: string | undefined): Promise<readonly WrittenCommit[]> {
  const none = (): readonly WrittenCommit[] => [];
  const commits = await repository.log({ maxEntries: LATEST_COMMITS }).catch(none);
  if (head === undefined || commits.some(({ hash }) => hash === head)) return commits;
  return [...commits, ...(await repository.getCommit(head).then((one) => [one], none))];
}

/** Whether the message that the markers were in has become the latest commit. */
function isCommitted([latest]: readonly WrittenCommit[], { text, head }: LostMarkers): boolean {
  return latest !== undefined && latest.hash !== head && isMadeOf(latest.message, text);
}
