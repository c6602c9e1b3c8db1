import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Seeded } from '../../support/measures/seeded.ts';
import { end, serviceCommand } from './serviceProcess.ts';
import { rowsOfDatabase } from './testDatabase.ts';

const STORIES = 40;
/** Milliseconds in which an import has begun to write, on a quiet machine. */
const LONGEST_IMPORT = 500;
const WHOLE = { projects: 1, stories: STORIES, notes: 2 * STORIES, tasks: STORIES, attachments: 1 };
type Counts = typeof WHOLE;
const NONE: Counts = { projects: 0, stories: 0, notes: 0, tasks: 0, attachments: 0 };

/** Takes projects in, one after the other, as an administrator would, and is killed now and then before it is done. */
export class KillImporter {
  private readonly folder: string;
  private readonly chance: Seeded;
  private running: Promise<void> = Promise.resolve();
  private made = 0;
  private whole = 0;

  constructor(folder: string, chance: Seeded) {
    this.folder = folder;
    this.chance = chance;
  }

  /** What became of its imports, in a few words. */
  get summary(): string {
    return `${this.whole} of ${this.made} imports were done`;
  }

  /** Begins one more. */
  start(): void {
    const killedAfter = this.chance.chance(2) ? this.chance.below(LONGEST_IMPORT) : undefined;
    this.made += 1;
    this.running = this.import(`Imported ${this.made}`, killedAfter);
    this.running.catch(() => undefined); // Whoever waits for its end is told.
  }

  /** Resolves when nothing is being taken in; throws when what was is there by half. */
  pause(): Promise<void> {
    return this.running;
  }

  private async import(name: string, killedAfter: number | undefined): Promise<void> {
    const source = join(this.folder, 'imports', name);
    const id = 1_000_000 + this.made * 1_000;
    await mkdir(join(source, String(id)), { recursive: true });
    await writeFile(join(source, String(id), 'notes.txt'), name);
    await writeFile(join(source, 'stories.csv'), table(name, id));
    const owner = ['--owner', 'a@example.org', '--attachments', source];
    const child = await serviceCommand([
      'import',
      join(source, 'stories.csv'),
      '--name',
      name,
      ...owner,
      '--data',
      this.folder,
    ]);
    const isLate = new AbortController();
    const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    if (killedAfter !== undefined) {
      await Promise.race([exited, wait(killedAfter, undefined, { signal: isLate.signal }).catch(() => undefined)]);
      isLate.abort();
      await end(child, 'SIGKILL');
    }
    const code = await exited;
    assert.ok(code === 0 || killedAfter !== undefined, `The import of ${name} ended with ${code}.`);
    const held = await this.counts(name);
    if (held.projects > 0) this.whole += 1;
    assert.deepEqual(held, code === 0 || held.projects > 0 ? WHOLE : NONE, name);
  }

  private async counts(name: string): Promise<Counts> {
    const of = (table: string) => `(select count(*) from ${table} where "projectId" = p."id")`;
    const [row] = await rowsOfDatabase(
      this.folder,
      `select ${of('stories')} as s, ${of('notes')} as n, ${of('tasks')} as t, ${of('attachments')} as a
       from projects p where p."name" = '${name}'`,
    );
    if (!row) return NONE;
    return {
      projects: 1,
      stories: Number(row.s),
      notes: Number(row.n),
      tasks: Number(row.t),
      attachments: Number(row.a),
    };
  }
}

function table(name: string, firstId: number): string {
  const comments = '"One (Ada - Jan 5, 2026)","Two (Ada - Jan 6, 2026)"';
  const rows = Array.from(
    { length: STORIES },
    (_, index) => `${firstId + index},${name} ${index},feature,1,unstarted,${comments},Do,not completed`,
  );
  return ['Id,Title,Type,Estimate,Current State,Comment,Comment,Task,Task Status', ...rows].join('\n');
}
