import type { Backlog } from '../../core/backlog/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import type { Intent } from '../../core/intents/intent.ts';
import type { Log } from '../../core/log.ts';
import { formerPositions, restoredPlaces, type StandingRun } from '../../core/moves/formerPositions.ts';
import type { Submission } from '../../core/outbox/outbox.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';

/** What putting stories back takes. */
export interface PlaceMeans {
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
export function carriedOver(from: readonly StandingRun[], to: readonly StandingRun[]): readonly number[] {
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
export async function putBack(
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
