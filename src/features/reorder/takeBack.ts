import type { Backlog } from '../../core/backlog/backlog.ts';
import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import { type ChangedSince, planBack } from './madeMove.ts';
import type { MoveEntry, MoveHistory } from './moveHistory.ts';
import type { PossibleMove } from './movePlan.ts';

/** What taking a move back needs of what is known of projects. */
interface Known {
  withdraw(ids: readonly string[]): Promise<boolean>;
  reload(key: ProjectKey): Promise<void>;
  backlog(key: ProjectKey): Promise<Backlog>;
  peek(key: ProjectKey): Backlog | undefined;
}

interface Needs {
  readonly backlogs: Known;
  readonly history: MoveHistory;
  readonly log: Log;
}

/** Takes a move out of the outbox; `false` when a server has it or may have it, or when an earlier one is lost with it. */
export async function isTakenBack({ backlogs, history }: Needs, entry: MoveEntry): Promise<boolean> {
  const { waiting, entryIds } = entry.submission ?? {};
  if (!waiting || !entryIds || !entry.mayWithdraw || history.hasReplaced(entry)) return false;
  return backlogs.withdraw(entryIds);
}

/** How to move the stories back in the order as the server has it now. */
export async function plannedBack(
  { backlogs, log }: Needs,
  { key, made, submission }: MoveEntry,
): Promise<{ readonly backlog: Backlog; readonly plan: PossibleMove | ChangedSince }> {
  // While the server has not answered the move, what is shown is all that is known.
  if (submission) await backlogs.reload(key).catch((thrown: unknown) => log.debug(messageOf(thrown)));
  const read = await backlogs.backlog(key);
  const backlog = backlogs.peek(key) ?? read;
  return { backlog, plan: planBack(backlog, made) };
}
