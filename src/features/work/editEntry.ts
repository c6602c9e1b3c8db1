import { type Backlog, findStory } from '../../core/backlog/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import type { Intent } from '../../core/intents/intent.ts';
import { isAsLeft } from '../../core/intents/intentRules.ts';
import type { Log } from '../../core/log.ts';
import { formerPositions, restoredPlaces, type StandingRun, withNumbers } from '../../core/moves/formerPositions.ts';
import type { OutboxEntry, Submission } from '../../core/outbox/outbox.ts';
import { isSameProject, type ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import type { EntryValue, MadeEdit } from '../../host/story/entryValues.ts';
import type { RestoredStories } from '../../host/story/restoredStories.ts';
import { mayBeDoneLater } from '../../host/story/reversibleEntry.ts';
import type { RetraceOutcome, UndoEntry, UndoHistory, UndoWay } from '../../host/story/undoHistory.ts';

/** What the outbox calls a change that has to wait. */
export function waitingEntriesOf(
  outcome: PromiseSettledResult<Submission> | undefined,
): Pick<MadeEdit, 'waitingEntries'> {
  return outcome?.status === 'fulfilled' && outcome.value.waiting ? { waitingEntries: outcome.value.entryIds } : {};
}

/** What making up for changes takes. */
export interface EditMeans extends PlaceMeans {
  readonly backlogs: PlaceMeans['backlogs'] & {
    readonly unsent: readonly Pick<OutboxEntry, 'project' | 'intent'>[];
    refreshStory(key: ProjectKey, storyId: number): Promise<Story>;
    areUnmade(entryIds: readonly string[]): Promise<boolean>;
  };
  readonly undoHistory: Pick<UndoHistory, 'doneIn' | 'undoneIn'>;
  readonly restoredStories: Pick<RestoredStories, 'numberOrPending' | 'taskNow'>;
  /**
   * Tells the person that by these changes stories are as they were, or changed again. `lost` are those that do not stand where they
   * stood, since others do.
   */
  tellRetraced(way: UndoWay, changes: readonly Intent[], lost: readonly number[]): void;
  /** Says that these stories were never changed, since what waited for their server was refused or discarded. */
  unmadeError(storyIds: readonly number[]): Error;
  /** Says that someone else has changed these stories since, so that they stay as they are. */
  changedError(way: UndoWay, storyIds: readonly number[]): Error;
}

/** Why a change was not taken; `undefined` when it was, or waits. */
export function refusalIn(outcome: PromiseSettledResult<Submission> | undefined): unknown {
  if (!outcome) return undefined;
  return outcome.status === 'rejected' ? outcome.reason : outcome.value.refused;
}

/** Changes as they are asked for, before it is known which of them are refused. */
interface AskedEdits {
  readonly storyIds: readonly number[];
  /** Where the stories stood before. */
  readonly formerly: readonly StandingRun[];
  /** Those that were not refused. */
  readonly made: Promise<readonly MadeEdit[]>;
  /** Those that are made if none is. */
  readonly likely?: readonly MadeEdit[];
}

/** Changes that were made together. */
export class EditEntry implements UndoEntry {
  readonly kind = 'edit';
  readonly key: ProjectKey;
  readonly storyIds: readonly number[];
  private readonly means: EditMeans;
  private readonly asked: AskedEdits;
  private known: readonly MadeEdit[] | undefined;

  constructor(means: EditMeans, key: ProjectKey, asked: AskedEdits) {
    this.means = means;
    this.key = key;
    this.storyIds = asked.storyIds;
    this.asked = asked;
    this.known = asked.likely;
    const know = (made: readonly MadeEdit[]) => {
      this.known = made;
    };
    asked.made.then(know, () => undefined);
  }

  toValue(): EntryValue<'edit'> | undefined {
    const { formerly } = this.asked;
    return this.known && { kind: 'edit', value: { made: this.known, formerly } };
  }

  /** By changing the stories back, each by itself; those that someone else has changed since stay as they are. */
  retrace(way: UndoWay) {
    const swap = (edits: readonly MadeEdit[]) => edits.map(({ intent, back }) => swapped({ intent, back }));
    return { inverse: this.with(this.asked.made.then(swap), []), outcome: this.makeUp(way) };
  }

  private async makeUp(way: UndoWay): Promise<RetraceOutcome> {
    const { means, key } = this;
    const made = (await this.asked.made).map((edit) => this.renumbered(edit));
    if (made.length === 0) return {};
    const { open, changed, unmade } = await this.sorted(made);
    const backs = open.map(({ back }) => back);
    const places = placesBefore(means.backlogs.peek(key), backs);
    const outcomes = await Promise.allSettled(backs.map((back) => means.backlogs.submit(key, [back])));
    // What could not be undone can be another time; what was is not undone twice.
    const left = open.filter((_, index) => mayBeDoneLater(refusalIn(outcomes[index])));
    const retraced = open.flatMap((edit, index) =>
      refusalIn(outcomes[index]) ? [] : [{ ...edit, ...waitingEntriesOf(outcomes[index]) }],
    );
    const isWaiting = outcomes.some((outcome) => outcome.status === 'fulfilled' && outcome.value.waiting);
    const [placed] = await Promise.allSettled([this.putBack(idsOf(retraced), places, isWaiting)]);
    const misplaced = placed.status === 'rejected' ? placed.reason : undefined;
    const refused = outcomes.map(refusalIn).find(Boolean);
    const problem = refused ?? misplaced ?? this.changedError(way, changed) ?? this.unmadeError(unmade);
    const lost = placed.status === 'fulfilled' ? placed.value : [];
    const changes = retraced.map(({ back }) => back);
    if (!problem) means.tellRetraced(way, changes, lost);
    return {
      problem,
      ...(retraced.length > 0 && { inverse: this.with(Promise.resolve(retraced.map(swapped)), places) }),
      ...(left.length > 0 && { left: this.with(Promise.resolve(left), this.asked.formerly) }),
    };
  }

  /**
   * Where a story comes to stand that crosses the border of the icebox is up to the server; and while one is in progress, no list
   * tells where it stands among those that are not, so that taking a move of it back may leave it elsewhere among these.
   */
  private putBack(retraced: readonly number[], places: readonly StandingRun[], isWaiting: boolean) {
    const { means, key } = this;
    const formerly = this.asked.formerly.map((run) => withNumbers(run, (id) => this.numberNow(id)));
    const carried = carriedOver(formerly, places);
    const isMeant = (id: number) => retraced.includes(id) && (carried.includes(id) || this.wasMovedAndBack(id));
    const storyIds = formerly.flatMap((run) => run.storyIds).filter(isMeant);
    return putBack(means, key, formerly, storyIds, isWaiting);
  }

  /** Whether this window moved a story since, and none of these moves still holds. */
  private wasMovedAndBack(storyId: number): boolean {
    const { undoHistory } = this.means;
    const isMove = ({ kind, storyIds }: UndoEntry) =>
      kind === 'move' && storyIds.some((id) => this.numberNow(id) === storyId);
    const done = undoHistory.doneIn(this.key);
    return undoHistory.undoneIn(this.key).some(isMove) && !done.slice(done.indexOf(this) + 1).some(isMove);
  }

  /** A story or a task that was deleted since and made again has another number. */
  private renumbered({ intent, back, ...others }: MadeEdit): MadeEdit {
    return { ...others, intent: this.withNumbersNow(intent), back: this.withNumbersNow(back) };
  }

  private withNumbersNow(intent: Intent): Intent {
    const { restoredStories } = this.means;
    const storyId = this.numberNow(intent.storyId);
    if (!('taskId' in intent)) return { ...intent, storyId };
    return { ...intent, storyId, taskId: restoredStories.taskNow(this.key, intent.taskId) };
  }

  /** What waits for its server is changed once it has a number. */
  private numberNow(storyId: number): number {
    return this.means.restoredStories.numberOrPending(this.key, storyId);
  }

  private with(made: Promise<readonly MadeEdit[]>, formerly: readonly StandingRun[]): EditEntry {
    return new EditEntry(this.means, this.key, { storyIds: this.storyIds, made, formerly });
  }

  private changedError(way: UndoWay, changed: readonly MadeEdit[]): Error | undefined {
    return changed.length > 0 ? this.means.changedError(way, idsOf(changed)) : undefined;
  }

  private unmadeError(unmade: readonly MadeEdit[]): Error | undefined {
    return unmade.length > 0 ? this.means.unmadeError(idsOf(unmade)) : undefined;
  }

  /** Which are as they were left, which are not, and which never came to be. */
  private async sorted(asked: readonly MadeEdit[]) {
    const { backlogs } = this.means;
    const areUnmade = await Promise.all(
      asked.map(({ waitingEntries }) => waitingEntries !== undefined && backlogs.areUnmade(waitingEntries)),
    );
    const made = asked.filter((_, index) => !areUnmade[index]);
    const stories = await Promise.all(made.map(({ intent }) => this.storyNow(intent.storyId)));
    const isOpen = ({ intent }: MadeEdit, index: number) => {
      const story = stories[index];
      return !story || isAsLeft(story, intent);
    };
    return {
      open: made.filter(isOpen),
      changed: made.filter((edit, index) => !isOpen(edit, index)),
      unmade: asked.filter((_, index) => areUnmade[index]),
    };
  }

  /**
   * As its server says, since what is shown may be older than what someone else did; as it is shown while a change of it waits
   * or the server cannot be asked. `undefined` when neither can be had: what waits is told by its answer then.
   */
  private async storyNow(storyId: number): Promise<Story | undefined> {
    const { means, key } = this;
    const { backlogs } = means;
    const shown = () => {
      const backlog = backlogs.peek(key);
      return backlog && findStory(backlog, storyId);
    };
    const waits = backlogs.unsent.some(
      ({ project, intent }) => isSameProject(project, key) && intent.storyId === storyId,
    );
    return (waits && shown()) || backlogs.refreshStory(key, storyId).catch(shown);
  }
}

/** What makes up for what took a change back. */
function swapped({ intent, back, ...others }: MadeEdit): MadeEdit {
  return { ...others, intent: back, back: intent };
}

function idsOf(edits: readonly MadeEdit[]): readonly number[] {
  return edits.map(({ intent }) => intent.storyId);
}

/** What putting stories back takes. */
interface PlaceMeans {
  readonly backlogs: {
    submit(key: ProjectKey, intents: readonly Intent[]): Promise<Submission>;
    reload(key: ProjectKey): Promise<void>;
    peek(key: ProjectKey): Backlog | undefined;
  };
  readonly log: Log;
}

/** Where the stories stand whose state these intents change, which may carry them elsewhere. */
export function placesBefore(backlog: Backlog | undefined, intents: readonly Intent[]): readonly StandingRun[] {
  const carried = intents.filter((intent) => intent.kind === 'edit' && intent.edit.state !== undefined);
  if (!backlog || carried.length === 0) return [];
  return formerPositions(
    backlog,
    carried.map(({ storyId }) => storyId),
  );
}

/** Those that a change from one of these places to the other carried over the border of the icebox, where a server puts them as it likes. */
function carriedOver(from: readonly StandingRun[], to: readonly StandingRun[]): readonly number[] {
  const icedIn = (runs: readonly StandingRun[]) =>
    runs.flatMap(({ area, storyIds }) => (area === 'icebox' ? storyIds : []));
  const before = icedIn(from);
  const after = icedIn(to);
  return [...before.filter((id) => !after.includes(id)), ...after.filter((id) => !before.includes(id))];
}

/**
 * Has stories stand where they stood, once their states are what they were; tells those for which there is no such place any
 * more. Rejects when the server refuses.
 */
async function putBack(
  { backlogs, log }: PlaceMeans,
  key: ProjectKey,
  formerly: readonly StandingRun[],
  storyIds: readonly number[],
  isWaiting: boolean,
): Promise<readonly number[]> {
  if (storyIds.length === 0) return [];
  if (!isWaiting) await backlogs.reload(key).catch((thrown: unknown) => log.debug(messageOf(thrown)));
  const backlog = backlogs.peek(key);
  if (!backlog) return [];
  // Whether a server puts a story first or last in the icebox shows only once it has.
  const isCertain = ({ area }: StandingRun) => !isWaiting || area !== 'icebox';
  const { moves, lost } = restoredPlaces(backlog, formerly, storyIds, isCertain);
  const { refused } = moves.length > 0 ? await backlogs.submit(key, moves) : {};
  if (refused) throw refused;
  return lost;
}
