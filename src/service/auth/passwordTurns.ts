import { Refusal } from '../ground/errors.ts';
import { networkOf, wideNetworkOf } from '../http/clientAddress.ts';
import { CallerGone } from '../http/reply.ts';

/** Who has a password compared. */
interface Asker {
  /** IP address. */
  readonly address: string;
  /** Whether nobody is left to take the answer. */
  readonly isGone: () => boolean;
}

interface Waiting {
  readonly isGone: () => boolean;
  readonly begin: () => void;
  readonly cut: () => void;
}

/** The place of one who asks, from before the attempt is counted until it is answered. */
export interface Place {
  /** Does the work when its turn comes. Throws `CallerGone` instead, when the caller has gone by then, and what the work throws. */
  readonly take: <T>(work: () => Promise<T>) => Promise<T>;
  readonly leave: () => void;
}

/** Places of one sender: as many as may fail before any of its attempts has to wait. */
const MOST_OF_SENDER = 5;

/**
 * Turns at deriving keys from passwords, of which one is derived at a time. Those of the service itself come first. Others are taken
 * network by network, and in each sender by sender: who asks once waits for one of each that wait already, however many others ask.
 */
export class PasswordTurns {
  private readonly own: Waiting[] = [];
  private readonly networks = new Map<string, Map<string, Waiting[]>>();
  private readonly places = new Map<string, Set<Asker>>();
  private isBusy = false;

  /** Does work of the service itself, before all others that wait. */
  first<T>(work: () => Promise<T>): Promise<T> {
    return this.take(work, (waiting) => this.own.push(waiting), stays);
  }

  /** Throws `Refusal` 503 where as many of the same sender wait as may. Those that have gone take no place from it. */
  enter(asker: Asker): Place {
    const sender = networkOf(asker.address);
    const places = this.places.get(sender) ?? new Set();
    for (const other of places) if (other.isGone()) places.delete(other);
    if (places.size >= MOST_OF_SENDER) throw crowded();
    this.places.set(sender, places.add(asker));
    return {
      take: (work) => this.take(work, (waiting) => this.lineOf(asker.address, sender).push(waiting), asker.isGone),
      leave: () => {
        places.delete(asker);
        if (places.size === 0 && this.places.get(sender) === places) this.places.delete(sender);
      },
    };
  }

  private async take<T>(work: () => Promise<T>, wait: (waiting: Waiting) => void, isGone: () => boolean): Promise<T> {
    if (this.isBusy) {
      await new Promise<void>((begin, reject) => {
        wait({ isGone, begin, cut: () => reject(new CallerGone()) });
      });
    }
    this.isBusy = true;
    try {
      return await work();
    } finally {
      const next = this.own.shift() ?? this.nextOfOthers();
      if (next) next.begin();
      else this.isBusy = false;
    }
  }

  private lineOf(address: string, sender: string): Waiting[] {
    const network = wideNetworkOf(address);
    const senders = this.networks.get(network) ?? new Map<string, Waiting[]>();
    const line = senders.get(sender) ?? [];
    this.networks.set(network, senders.set(sender, line));
    return line;
  }

  private nextOfOthers(): Waiting | undefined {
    for (const [network, senders] of this.networks) {
      const next = nextOf(senders);
      this.networks.delete(network);
      if (senders.size > 0) this.networks.set(network, senders);
      if (next) return next;
    }
    return undefined;
  }
}

/** The first of the sender whose turn it is. Those who have gone are cut out. */
function nextOf(senders: Map<string, Waiting[]>): Waiting | undefined {
  for (const [sender, line] of senders) {
    senders.delete(sender);
    for (let next = line.shift(); next; next = line.shift()) {
      if (next.isGone()) {
        next.cut();
        continue;
      }
      if (line.length > 0) senders.set(sender, line);
      return next;
    }
  }
  return undefined;
}

function stays(): boolean {
  return false;
}

function crowded(): Refusal {
  const sentence = 'Too many sign-ins from your network are waiting. This one was not tried. Try again in a moment.';
  return new Refusal(503, sentence, { 'Retry-After': '2' });
}
