import { setTimeout as pause } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import { named, withTurn } from '../../core/marker/keptMarker.ts';
import type { App } from '../../host/app.ts';
import { markerOptions } from '../../host/git/commitLinkSettings.ts';
import { changeCommitBox } from '../../host/git/commitMessage.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { insertActive } from '../../host/shell/featureSettings.ts';
import type { FollowedStories } from './followedStories.ts';

/** VS Code empties the commit box this long after a commit at most. */
const EMPTIED_MS = 3000;
const STEP_MS = 100;

interface Kept {
  readonly repository: GitRepository;
  readonly listening: vscode.Disposable;
  storyId: number | undefined;
  commit: string | undefined;
}

/**
 * Puts the marker of the active story into commit boxes, where the setting says `always`: when another story is worked on, and
 * after a commit. A marker that a person takes out stays out until then.
 */
export class InsertedMarkers implements vscode.Disposable {
  private readonly log: App['log'];
  private readonly stories: FollowedStories;
  private readonly kept = new Map<string, Kept>();
  private readonly listening: vscode.Disposable;

  constructor({ log }: Pick<App, 'log'>, stories: FollowedStories) {
    this.log = log;
    this.stories = stories;
    this.listening = stories.onDidChange(() => this.follow());
  }

  dispose(): void {
    this.listening.dispose();
    for (const { listening } of this.kept.values()) listening.dispose();
  }

  private follow(): void {
    const worked = new Map(this.stories.all.map((one) => [one.place, one]));
    for (const [place, { repository, story }] of worked) {
      if (repository && !this.kept.has(place)) this.keep(place, repository);
      this.turn(place, story.storyId);
    }
    for (const [place, { listening }] of this.kept) {
      if (this.stories.isOpen(place)) {
        if (!worked.has(place)) this.turn(place, undefined);
      } else {
        listening.dispose();
        this.kept.delete(place);
      }
    }
  }

  private keep(place: string, repository: GitRepository): void {
    const listening = repository.state.onDidChange(() => this.look(place));
    const commit = repository.state.HEAD?.commit;
    this.kept.set(place, { repository, listening, storyId: undefined, commit });
  }

  private turn(place: string, to: number | undefined): void {
    const kept = this.kept.get(place);
    if (!kept || kept.storyId === to) return;
    const { repository, storyId: from } = kept;
    kept.storyId = to;
    const options = markerOptions(repository.rootUri, '');
    this.change(repository, (text) => withTurn(text, { from, to, options }));
  }

  private look(place: string): void {
    const kept = this.kept.get(place);
    const head = kept?.repository.state.HEAD;
    if (!kept || !head || head.commit === kept.commit) return;
    kept.commit = head.commit;
    if (kept.storyId !== undefined && head.name !== undefined) void this.afterCommit(kept);
  }

  private async afterCommit({ repository }: Kept): Promise<void> {
    const { inputBox } = repository;
    const before = inputBox.value;
    const isNew = () => inputBox.value.trim() === '' || inputBox.value !== before;
    for (let waited = 0; !isNew() && waited < EMPTIED_MS; waited += STEP_MS) await pause(STEP_MS);
    const storyId = this.stories.at(repository.rootUri)?.storyId;
    if (storyId === undefined || !isNew()) return;
    this.name(repository, storyId);
  }

  private name(repository: GitRepository, storyId: number): void {
    this.change(repository, (text) => named(text, storyId, markerOptions(repository.rootUri, '')));
  }

  /** Only where it is wished. */
  private change(repository: GitRepository, changed: Parameters<typeof changeCommitBox>[1]): void {
    if (insertActive(repository.rootUri) !== 'always') return;
    const work = changeCommitBox(repository, changed);
    work.catch((thrown: unknown) => this.log.warn(`marker of the active story: ${messageOf(thrown)}`));
  }
}
