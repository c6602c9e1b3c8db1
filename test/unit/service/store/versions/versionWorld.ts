import { Seeded } from '../../../../support/measures/seeded.ts';

/**
 * What happens to a change on its way. Up to `send` it is the process that goes on, with a round trip for each step; from then on it is
 * the database, whatever becomes of the process.
 */
type Step = 'work' | 'lock' | 'take' | 'send' | 'flush' | 'show' | 'unlock' | 'acknowledge';

/** The ways in which versions could be given. */
export const FORMS = {
  /** The lock is taken by the last statement, sent with the commit. */
  withCommit: ['work', 'send', 'lock', 'take', 'flush', 'show', 'unlock', 'acknowledge'],
  /** The lock is taken when the activity is recorded. */
  whileWorking: ['lock', 'take', 'work', 'send', 'flush', 'show', 'unlock', 'acknowledge'],
  /** A sequence of the database, without a lock. */
  withoutLock: ['take', 'work', 'send', 'flush', 'show', 'acknowledge'],
  /** The lock is not held until the change can be seen. */
  unlockedEarly: ['work', 'send', 'lock', 'take', 'flush', 'unlock', 'show', 'acknowledge'],
  /** The change can be seen before it is on disk, so that the lock is not held for that. */
  shownEarly: ['work', 'send', 'lock', 'take', 'show', 'unlock', 'flush', 'acknowledge'],
} as const satisfies Readonly<Record<string, readonly Step[]>>;

export type Form = keyof typeof FORMS;
export type Fault = 'skipped' | 'twice' | 'older than acknowledged' | 'lost' | 'held up';

interface Change {
  readonly process: number;
  /** How many of its steps are done. */
  done: number;
  version: number;
  isFlushed: boolean;
  isShown: boolean;
  isAcknowledged: boolean;
}

interface Reader {
  cursor: number;
  readonly seen: Change[];
}

const PROCESSES = 3;
const CHANGES = 12;

/** Processes that change things at the same time in one database, and readers who follow by versions, while any of them fails. */
export class VersionWorld {
  private readonly steps: readonly Step[];
  private readonly random: Seeded;
  private readonly faults = new Set<Fault>();
  /** Those that the database holds, or may yet. */
  private changes: Change[] = [];
  private readonly readers: readonly Reader[] = [0, 1].map(() => ({ cursor: 0, seen: [] }));
  private readonly frozen = new Set<number>();
  private begun = 0;
  private sequence = 0;
  private holder: Change | undefined;

  constructor(form: Form, seed: number) {
    this.steps = FORMS[form];
    this.random = new Seeded(seed);
  }

  /** What goes wrong by the end. */
  run(): ReadonlySet<Fault> {
    while (this.begun < CHANGES || this.random.below(40) !== 0) this.happen();
    while (this.changes.some((change) => this.advance(change)));
    if (this.changes.some((change) => !this.isOver(change) && !this.isFrozen(change))) this.faults.add('held up');
    for (const reader of this.readers) {
      this.read(reader);
      this.judge(reader);
    }
    return this.faults;
  }

  private happen(): void {
    const what = this.random.below(100);
    const process = this.random.below(PROCESSES);
    if (what < 10 && this.begun < CHANGES) this.begin(process);
    else if (what < 12) this.kill(process);
    else if (what < 13) this.frozen.add(process);
    else if (what < 14) this.crash();
    else if (what < 35) this.read(this.readers[what % 2]);
    else {
      const change = this.random.of(this.changes);
      if (change) this.advance(change);
    }
  }

  private begin(process: number): void {
    if (this.frozen.has(process)) return;
    this.begun += 1;
    const nothing = { isFlushed: false, isShown: false, isAcknowledged: false };
    this.changes.push({ process, done: 0, version: 0, ...nothing });
  }

  /** Whether it went a step further. */
  private advance(change: Change): boolean {
    const step = this.steps[change.done];
    if (step === undefined || this.isFrozen(change)) return false;
    if (step === 'lock' && this.holder !== undefined) return false;
    change.done += 1;
    if (step === 'lock') this.holder = change;
    if (step === 'unlock') this.holder = undefined;
    if (step === 'take') change.version = this.nextVersion();
    if (step === 'flush') change.isFlushed = true;
    if (step === 'show') change.isShown = true;
    if (step === 'acknowledge') change.isAcknowledged = !this.frozen.has(change.process);
    return true;
  }

  /** Under a lock it follows what was committed, and comes back where its change is not. */
  private nextVersion(): number {
    this.sequence += 1;
    if (!this.steps.includes('lock')) return this.sequence;
    return 1 + Math.max(0, ...this.changes.filter(({ isShown }) => isShown).map(({ version }) => version));
  }

  private kill(process: number): void {
    this.frozen.delete(process);
    this.drop((change) => change.process === process && !this.isSent(change));
  }

  /** The server: what is not on disk is gone, and the rest is there when it is back. */
  private crash(): void {
    if (this.changes.some(({ isAcknowledged, isFlushed }) => isAcknowledged && !isFlushed)) this.faults.add('lost');
    this.drop(({ isFlushed }) => !isFlushed);
    this.holder = undefined;
    for (const change of this.changes) {
      change.isShown = true;
      change.done = this.steps.length;
    }
  }

  private drop(isGone: (change: Change) => boolean): void {
    if (this.holder && isGone(this.holder)) this.holder = undefined;
    this.changes = this.changes.filter((change) => !isGone(change));
  }

  private read(reader: Reader | undefined): void {
    if (!reader) return;
    if (this.changes.some(({ isAcknowledged, isShown }) => isAcknowledged && !isShown)) {
      this.faults.add('older than acknowledged');
    }
    const news = this.changes.filter(({ isShown, version }) => isShown && version > reader.cursor);
    reader.seen.push(...news.sort((one, two) => one.version - two.version));
    reader.cursor = reader.seen.at(-1)?.version ?? 0;
  }

  private judge({ seen }: Reader): void {
    if (this.changes.some((change) => change.isShown && !seen.includes(change))) this.faults.add('skipped');
    if (new Set(seen.map(({ version }) => version)).size < seen.length) this.faults.add('twice');
    if (seen.some((change) => !this.changes.includes(change))) this.faults.add('lost');
  }

  private isSent({ done }: Change): boolean {
    return done > this.steps.indexOf('send');
  }

  private isFrozen(change: Change): boolean {
    return this.frozen.has(change.process) && !this.isSent(change);
  }

  private isOver({ done }: Change): boolean {
    return done === this.steps.length;
  }
}
