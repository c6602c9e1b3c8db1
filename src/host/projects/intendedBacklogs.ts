import type { Backlog } from '../../core/backlog/backlog.ts';
import { showsPlace } from '../../core/intents/intentRules.ts';
import { type UnsentIntent, withUnsentIntents } from '../../core/outbox/withUnsentIntents.ts';
import { keyText, type ProjectKey } from '../tree/nodes.ts';

interface Intended {
  readonly backlog: Backlog;
  readonly unsent: readonly UnsentIntent[];
  readonly result: Backlog;
}

/** Backlogs with what is unsent on them, made once for as long as neither becomes another: they are asked for far more often. */
export class IntendedBacklogs {
  private readonly made = new Map<string, Intended>();

  withUnsent(key: ProjectKey, backlog: Backlog, unsent: readonly UnsentIntent[]): Backlog {
    const text = keyText(key);
    const last = this.made.get(text);
    if (last?.backlog === backlog && areSame(last.unsent, unsent)) return last.result;
    const result = withUnsentIntents(backlog, unsent);
    if (unsent.length > 0) this.made.set(text, { backlog, unsent, result });
    else this.made.delete(text);
    return result;
  }
}

function areSame(ones: readonly UnsentIntent[], others: readonly UnsentIntent[]): boolean {
  return ones.length === others.length && ones.every((one, index) => isSame(one, others[index]));
}

/** What a draft looks like as an entry of the outbox, unless its place shows, as in the number of a new comment. */
function isSameDraft({ intent }: UnsentIntent, entry: UnsentIntent): boolean {
  return !showsPlace(intent) && JSON.stringify(intent) === JSON.stringify(entry.intent);
}

/** Entries come anew with each telling; what they are to do never changes. A commit shows how far it is. */
function isSame(one: UnsentIntent, other: UnsentIntent | undefined): boolean {
  if (one === other || other === undefined) return one === other;
  if (!one.problem !== !other.problem) return false;
  if (one.id === undefined) return isSameDraft(one, other);
  if (one.id !== other.id) return false;
  return one.intent.kind !== 'link' || (one.state === other.state && one.problem?.message === other.problem?.message);
}
