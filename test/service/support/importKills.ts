import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../../support/eventually.ts';
import type { Seeded } from '../../support/measures/seeded.ts';
import { newProject } from './project.ts';
import { request } from './request.ts';
import { end, runService, type ServiceProcess, serveProcess, serviceCommand } from './serviceProcess.ts';
import { dropDatabaseOf, rowsOfDatabase } from './testDatabase.ts';
import { temporaryFolder, userOf } from './testService.ts';

/** Who imports into what: a request to the service or the command line; a project of its own or one that is there. */
const WAYS = ['request', 'request into a project', 'command', 'command into a project'] as const;
type Way = (typeof WAYS)[number];

const LABELS = 5;
/** Of the time of a whole import: kills hit before its begin, within it, and after its end. */
const LONGEST_LIFE = 1.2;
/** Of the stories of a whole import, the same for kills that are timed by them: the busier the machine, the longer an import takes. */
const LAST_STORY = 1.1;
/** Milliseconds between two looks at how far an import is, after the last of them, and until it is given up to see it there. */
const LOOK_PERIOD = 10;
const LONGEST_DELAY = 60;
const LOOK_PATIENCE = 60_000;
/** Kills after which someone else imports, since nobody makes so many projects in an hour. */
const KILLS_A_USER = 10;
/** Milliseconds in which what was left is swept, on a busy machine. */
const SWEEP_PATIENCE = 120_000;

interface Counts {
  readonly stories: number;
  readonly notes: number;
  readonly tasks: number;
  readonly storyLabels: number;
  readonly importedStories: number;
}

/** A service, and imports of one file into it that are killed with it, or without it from the command line. */
export class ImportKills {
  /** Kills by what became of the import. */
  readonly outcomes = { whole: 0, nothing: 0 };
  private kills = 0;
  private wholes = 0;
  private token = '';
  private duration = 0;
  private readonly chance: Seeded;
  private readonly rows: number;
  private readonly folder: string;
  private service: ServiceProcess;

  private constructor(folder: string, service: ServiceProcess, chance: Seeded, rows: number) {
    this.folder = folder;
    this.service = service;
    this.chance = chance;
    this.rows = rows;
  }

  static async open(chance: Seeded, rows: number): Promise<ImportKills> {
    const folder = await temporaryFolder();
    const kills = new ImportKills(folder, await serveProcess(['--data', folder]), chance, rows);
    await writeFile(kills.path, table(rows));
    await kills.changeUser();
    const begun = performance.now();
    assert.equal(await kills.import('request', 'Whole'), true);
    kills.duration = performance.now() - begun;
    assert.deepEqual(await kills.counts('Whole'), kills.whole);
    kills.wholes += 1;
    return kills;
  }

  get summary(): string {
    const { kills, outcomes, duration, rows } = this;
    return `${kills} kills of imports of ${rows} rows (${Math.round(duration)} ms each): ${outcomes.nothing} left nothing, ${outcomes.whole} were whole`;
  }

  /** Kills one, and looks at what is there after the next start. */
  async killOne(): Promise<void> {
    const way = WAYS[this.kills % WAYS.length] ?? 'request';
    this.kills += 1;
    if (this.kills % KILLS_A_USER === 0) await this.changeUser();
    const name = `Killed ${this.kills}`;
    const isAnswered = await this.killed(way, name);
    // What is there without anyone is of the import alone.
    if (way.startsWith('command')) assert.equal(await this.service.end('SIGTERM'), 0);
    this.service = await serveProcess(['--data', this.folder]);
    await eventually(() => this.assertSwept(), SWEEP_PATIENCE);
    const found = await this.counts(name);
    const isWhole = isAnswered || found.stories > 0;
    assert.deepEqual(found, isWhole ? this.whole : NONE, `${way}, ${name}`);
    this.outcomes[isWhole ? 'whole' : 'nothing'] += 1;
    if (isWhole) this.wholes += 1;
    await this.assertNothingElse();
  }

  /** The same file comes again as if nothing had been. */
  async importOnce(): Promise<void> {
    assert.equal(await this.import('request', 'Last'), true);
    assert.deepEqual(await this.counts('Last'), this.whole);
  }

  async close(): Promise<void> {
    await this.service.end('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
    await dropDatabaseOf(this.folder);
  }

  private get path(): string {
    return join(this.folder, 'many.csv');
  }

  private get whole(): Counts {
    const { rows } = this;
    return { stories: rows, notes: rows, tasks: rows, storyLabels: 2 * rows, importedStories: rows };
  }

  private async changeUser(): Promise<void> {
    const email = `user${this.kills}@example.org`;
    const added = await runService(['user', 'add', '--name', 'Ada', '--email', email, '--data', this.folder]);
    this.token = added.stdout.trim().split('\n').at(-1) ?? '';
  }

  private async killed(way: Way, name: string): Promise<boolean> {
    const target = way.endsWith('into a project') ? await this.project(name) : undefined;
    if (way.startsWith('request')) {
      const answered = this.import(way, name, target);
      answered.catch(() => undefined); // Whoever waits for its end is told.
      await this.moment();
      assert.equal(await this.service.end('SIGKILL'), 'SIGKILL');
      return answered;
    }
    const into = target === undefined ? ['--name', name] : ['--project', String(target)];
    const child = await serviceCommand(['import', this.path, ...into, '--data', this.folder]);
    await this.moment();
    return (await end(child, 'SIGKILL')) === 0;
  }

  /** Waits for a random time, or until a random number of stories was read. */
  private async moment(): Promise<void> {
    if (this.chance.below(2) === 0)
      return void (await wait(this.chance.below(Math.ceil(LONGEST_LIFE * this.duration))));
    const stories = this.chance.below(Math.ceil(LAST_STORY * this.rows));
    const delay = this.chance.below(LONGEST_DELAY);
    const latest = performance.now() + LOOK_PATIENCE;
    for (let isSeen = false; performance.now() < latest; await wait(LOOK_PERIOD)) {
      const [row] = await rowsOfDatabase(this.folder, 'select max("stories") as n from imports');
      if (typeof row?.n === 'undefined' || row.n === null) {
        if (isSeen) return;
        continue;
      }
      isSeen = true;
      if (Number(row.n) >= stories) break;
    }
    await wait(delay);
  }

  private project(name: string): Promise<number> {
    return newProject(userOf(this.service.url, 'Ada', '', this.token), name);
  }

  /** Whether it was answered that it is done. */
  private async import(way: Way, name: string, target?: number): Promise<boolean> {
    const place =
      target === undefined ? `/imports?project_name=${encodeURIComponent(name)}` : `/projects/${target}/imports`;
    const headers = { 'Content-Type': 'text/csv' };
    const body = await readFile(this.path, 'utf8');
    const options = { method: 'POST', token: this.token, body, headers };
    const answer = await request(`${this.service.url}/services/v3${place}`, options).catch(() => undefined);
    if (answer) assert.equal(answer.status, 200, `${way}: ${answer.text}`);
    return answer !== undefined;
  }

  private async assertSwept(): Promise<void> {
    for (const table of ['imports', '"stagedStories"', `projects where "name" = '' or "id" < 0`])
      assert.equal(await this.count(table), 0, table);
  }

  /** All that there is belongs to imports that are whole. */
  private async assertNothingElse(): Promise<void> {
    for (const [table, count] of Object.entries(this.whole))
      assert.equal(await this.count(`"${table}"`), this.wholes * count, table);
    assert.equal(await this.count('labels'), this.wholes * LABELS);
  }

  private async count(table: string): Promise<number> {
    const [row] = await rowsOfDatabase(this.folder, `select count(*) as n from ${table}`);
    return Number(row?.n);
  }

  private async counts(name: string): Promise<Counts> {
    const of = (table: string) =>
      this.count(`"${table}" where "projectId" in (select "id" from projects where "name" = '${name}')`);
    return {
      stories: await of('stories'),
      notes: await of('notes'),
      tasks: await of('tasks'),
      storyLabels: await of('storyLabels'),
      importedStories: await of('importedStories'),
    };
  }
}

const NONE: Counts = { stories: 0, notes: 0, tasks: 0, storyLabels: 0, importedStories: 0 };

/** Each row has a comment, a task, the label that all have and one of few others. */
function table(rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, row) =>
      `${row + 1},Story ${row},"a, l${row % (LABELS - 1)}",unstarted,"Yes (Ada - Jan 5, 2026)",Do,not completed`,
  );
  return ['Id,Title,Labels,Current State,Comment,Task,Task Status', ...lines].join('\n');
}
