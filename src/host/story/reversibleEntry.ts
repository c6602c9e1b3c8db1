import { kindOf } from '../../core/errors.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { EntryAbout, EntryValue } from './entryValues.ts';
import type { UndoEntry, UndoHistory, UndoWay } from './undoHistory.ts';

/** What came of doing something: `done` is what there is to take back, `left` what was not done and may be another time. */
export interface Deed<From, To> {
  readonly done?: To;
  readonly left?: From;
  /** Why not all was done. */
  readonly problem?: unknown;
}

/** Does something; with a way, to take something back or to do it again, and then it tells the person what was done. */
type Doing<From, To> = (from: From, way?: UndoWay) => Promise<Deed<From, To>>;

/** Something that can be done, and how what it begins with is written down. */
export interface Step<From, To> {
  readonly go: Doing<From, To>;
  toValue(from: From): EntryValue;
}

/** Two things that make up for each other, such as deleting stories and making them anew. */
interface Reversible<From, To> {
  readonly step: Step<From, To>;
  readonly back: Step<To, From>;
}

/** Something whose opposite is not the same change the other way round. What it leaves behind is what its opposite begins with. */
class ReversibleEntry<From, To> implements UndoEntry {
  readonly kind = 'edit';
  readonly key: ProjectKey;
  readonly storyIds: readonly number[];
  private readonly from: Promise<From>;
  private readonly means: Reversible<From, To>;
  private value: EntryValue | undefined;

  constructor({ key, storyIds }: EntryAbout, from: Promise<From>, means: Reversible<From, To>) {
    this.key = key;
    this.storyIds = storyIds;
    this.from = from;
    this.means = means;
    const know = (known: From) => {
      this.value = means.step.toValue(known);
    };
    from.then(know, () => undefined);
  }

  toValue(): EntryValue | undefined {
    return this.value;
  }

  retrace(way: UndoWay) {
    const { step, back } = this.means;
    const deed = this.from.then((from) => step.go(from, way)).catch(endedDeed);
    const inverse = new ReversibleEntry(this, resultOf(deed), { step: back, back: step });
    const outcome = deed.then(({ done, left, problem }) => ({
      problem,
      ...(done !== undefined && { inverse }),
      ...(left !== undefined && { left: new ReversibleEntry(this, Promise.resolve(left), this.means) }),
    }));
    return { inverse, outcome };
  }
}

/** Nothing came of what can never be done. Rejects where it may be done another time. */
function endedDeed(thrown: unknown): Deed<never, never> {
  if (mayBeDoneLater(thrown)) throw thrown;
  return { problem: thrown };
}

/**
 * Whether what was kept from being done may be possible another time. What is gone or has been changed by someone else stays so, and
 * would keep everything before it from being taken back.
 */
export function mayBeDoneLater(problem: unknown): boolean {
  const kind = kindOf(problem);
  return problem !== undefined && kind !== 'notFound' && kind !== 'conflict';
}

/** What was done, which is asked for only where something was. */
function resultOf<To>(deed: Promise<Deed<unknown, To>>): Promise<To> {
  const result = deed.then(({ done, problem }) => {
    if (done === undefined) throw problem ?? new Error('Nothing was done.');
    return done;
  });
  result.catch(() => undefined);
  return result;
}

/**
 * Waits for something that was begun, and that can be taken back from the moment on in which it is shown. `undefined` where
 * nothing came of it. @throws what kept it from being done, or from being done completely.
 */
export async function doReversibly<From, To>(
  history: Pick<UndoHistory, 'add' | 'noteKnown' | 'remove'>,
  about: EntryAbout,
  deed: Promise<Deed<unknown, To>>,
  { undo, redo }: { readonly undo: Step<To, From>; readonly redo: Step<From, To> },
): Promise<To | undefined> {
  const entry = new ReversibleEntry(about, resultOf(deed), { step: undo, back: redo });
  history.add(entry);
  const { done, problem } = await deed.catch((thrown: unknown): Deed<unknown, To> => ({ problem: thrown }));
  if (done === undefined) history.remove(entry);
  else history.noteKnown();
  if (problem !== undefined) throw problem;
  return done;
}

/** The entry that does `step` to these, as it was in an earlier window. */
export function reversibleAgain<From, To>(
  about: EntryAbout,
  from: From,
  step: Step<From, To>,
  back: Step<To, From>,
): UndoEntry {
  return new ReversibleEntry(about, Promise.resolve(from), { step, back });
}
