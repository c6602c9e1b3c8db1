import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../../ground/errors.ts';
import type { Database, Tx } from '../../store/database.ts';
import { deleteProject } from '../../store/projects/projects.ts';
import {
  addImport,
  changeImport,
  deadImports,
  endedImports,
  endImport,
  type ImportRow,
  importById,
  newImportId,
  removeAddedUsers,
  removeSomeStories,
  removeStaged,
} from '../../store/stagedImports.ts';
import { forgetUnusedLabels } from '../../store/stories/labels.ts';

/** The import was silent for so long that what it had made was removed, as after a machine slept. */
export class GivenUp extends UsageError {
  constructor() {
    super('This import made no progress for too long and was given up. Nothing was imported. Import the file again.');
  }
}

/** What an import has made so far, in tables and a project that nobody sees; gone again unless it is done. */
export class Staging {
  readonly id: number;
  private readonly database: Database;
  private readonly pace: Pace;
  private part = 0;

  private constructor(database: Database, id: number, clock: PaceClock) {
    this.database = database;
    this.id = id;
    this.pace = new Pace(database, clock);
  }

  /** `clock` tells how long steps take, and pauses between them. */
  static async begin(
    database: Database,
    wanted: { readonly id?: number; readonly userId?: number },
    clock = realClock,
  ): Promise<Staging> {
    await sweepImports(database, Date.now());
    const id = wanted.id ?? newImportId();
    await database.write(async (tx) => {
      if (await importById(tx, id)) throw new UsageError('Another import has this number. Use another one.');
      await addImport(tx, id, wanted.userId ?? null, Date.now());
    });
    return new Staging(database, id, clock);
  }

  /** The number of the project that holds what a project that is there is to get. */
  get hiddenProject(): number {
    return -this.id;
  }

  /** How many stories the next step is to write. */
  get rows(): number {
    return this.pace.rows;
  }

  /** How much of the file was read. */
  noteProgress(part: number): void {
    this.part = part;
  }

  /** Does one step, and then leaves the store to those who wait for it. Throws `GivenUp` where the import was taken for dead. */
  async step<T>(stories: number, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.pace.step(async (tx) => {
      await this.touch(tx, stories);
      return work(tx);
    });
  }

  async touch(tx: Tx, stories: number): Promise<void> {
    const isThere = await changeImport(tx, this.id, { touchedAt: Date.now(), part: this.part, stories });
    if (!isThere) throw new GivenUp();
  }

  /** Removes all that was made. */
  async discard(): Promise<void> {
    const row = await this.database.read((tx) => importById(tx, this.id));
    if (row) await discardImport(this.database, row);
    else await this.tidy();
  }

  /** Removes the rows that were needed only until the import was done. */
  async tidy(): Promise<void> {
    await removeRows(this.database, this.id);
  }
}

/** Removes what killed imports have left, some rows at a time, so that others can write in between. */
export async function sweepImports(database: Database, now: number): Promise<void> {
  for (const row of await database.read((tx) => deadImports(tx, now))) await discardImport(database, row);
  for (const id of await database.read(endedImports)) await removeRows(database, id);
}

async function discardImport(database: Database, row: ImportRow): Promise<void> {
  const { id, projectId } = row;
  if (projectId !== null) await removeAll(database, (tx, most) => removeSomeStories(tx, projectId, most));
  await removeRows(database, id);
  await database.write(async (tx) => {
    if (projectId !== null) {
      await forgetUnusedLabels(tx, projectId);
      await deleteProject(tx, projectId);
    }
    await removeAddedUsers(tx, row);
    await endImport(tx, id);
  });
}

function removeRows(database: Database, importId: number): Promise<void> {
  return removeAll(database, (tx, most) => removeStaged(tx, importId, most));
}

/** `remove` tells whether there may be more than so many. */
async function removeAll(database: Database, remove: (tx: Tx, most: number) => Promise<boolean>): Promise<void> {
  const pace = new Pace(database);
  while (await pace.step((tx) => remove(tx, pace.rows)));
}

/** Milliseconds that the work of a step is to take, without its commit, where it keeps all others from the store and from the thread. */
const STORE_STEP_MS = 15;
/** The same where it locks rows that nobody else wants, and most of it is waiting for the server. */
const ROWS_STEP_MS = 60;
/** Both powers of two, as all sizes between them: few sizes make few different statements. */
const FEWEST_ROWS = 32;
const MOST_ROWS = 128;
/** Of the time of a step: whatever happens, others have as much for themselves after it, and a multiple on a busy machine. */
const LEAST_PAUSE_PART = 1;
const LONGEST_PAUSE_PART = 4;
/** Milliseconds by which a pause ends late where others have work for the thread or the processors. */
const LATE_MS = 4;
/** Milliseconds of a pause. */
const LONGEST_PAUSE_MS = 200;
/** Milliseconds for which a step waits at most for others, so that a store that is never idle does not hold it up for ever. */
const STORE_PATIENCE_MS = 500;
/** The same where others wait for rows of their own, as all who change one project do. */
const ROWS_PATIENCE_MS = 100;
const LOOK_PERIOD_MS = 2;

interface PaceClock {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

const realClock: PaceClock = { now: () => performance.now(), sleep };

/**
 * Long work on the store in steps of one transaction each, which take about the same time however fast the machine is, and after which those
 * who wait for the store have it first. Pauses that end late tell that the machine is busy: then they grow, so that the work is done in what
 * others leave.
 */
class Pace {
  /** How many rows the next step is to write. */
  rows = FEWEST_ROWS;
  private readonly database: Database;
  private readonly clock: PaceClock;
  private readonly budget: number;
  private readonly patience: number;
  private pausePart = LEAST_PAUSE_PART;

  constructor(database: Database, clock = realClock) {
    this.database = database;
    this.clock = clock;
    this.budget = database.locksRows ? ROWS_STEP_MS : STORE_STEP_MS;
    this.patience = database.locksRows ? ROWS_PATIENCE_MS : STORE_PATIENCE_MS;
  }

  async step<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const { now } = this.clock;
    let begun = 0;
    let worked = 0;
    const made = await this.database.write(async (tx) => {
      begun = now();
      const done = await work(tx);
      worked = now() - begun;
      return done;
    });
    this.fit(worked);
    await this.giveWay(now() - begun);
    return made;
  }

  /** A commit takes about the same for few rows as for many: where the disk is slow, steps are not made smaller for it. */
  private fit(worked: number): void {
    if (worked > this.budget) this.rows = Math.max(FEWEST_ROWS, this.rows / 2);
    else if (worked < this.budget / 3) this.rows = Math.min(MOST_ROWS, this.rows * 2);
  }

  private async giveWay(spent: number): Promise<void> {
    const { now, sleep: pause } = this.clock;
    const begun = now();
    const wanted = Math.min(this.pausePart * spent, LONGEST_PAUSE_MS);
    await pause(wanted);
    const isLate = now() - begun - wanted > LATE_MS;
    this.pausePart = isLate
      ? Math.min(LONGEST_PAUSE_PART, this.pausePart * 2)
      : Math.max(LEAST_PAUSE_PART, this.pausePart / 2);
    const latest = now() + this.patience;
    while (this.isAwaited && now() < latest) await pause(LOOK_PERIOD_MS);
  }

  private get isAwaited(): boolean {
    return this.database.pools().some(({ kind, waiting }) => kind === 'write' && waiting > 0);
  }
}
