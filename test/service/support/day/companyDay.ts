import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { Seeded } from '../../../support/measures/seeded.ts';
import { addMember, newProject } from '../project.ts';
import { type Answer, assertStatus, idOf, texts } from '../request.ts';
import { type ServiceProcess, serveProcess } from '../serviceProcess.ts';
import { TcpGate } from '../tcpGate.ts';
import { databaseOf, dropDatabaseOf, rowsOfDatabase } from '../testDatabase.ts';
import { startTestService, type TestUser, temporaryFolder } from '../testService.ts';
import { DayCaller } from './dayCaller.ts';
import { DayTimes } from './dayTimes.ts';
import { DayWindow } from './dayWindow.ts';
import { DayWriter } from './dayWriter.ts';

export interface DayOptions {
  readonly seed: number;
  /** Seconds of work. */
  readonly length: number;
  readonly projects: number;
  readonly windows: number;
  /** Changes a second of all together. */
  readonly changes: number;
  /** Of the service, on the same data. */
  readonly processes: number;
  /** Milliseconds after which a window asks again. */
  readonly pace: number;
  /** Stories of one import. */
  readonly imported: number;
}

/** Windows that one person has open. */
const WINDOWS_EACH = 3;
/** Projects that one window follows. */
const FOLLOWED = 2;
/** Milliseconds for which the database is out of reach. */
const AWAY = 2_000;
/** Parts of the day after which a process is killed, and after which the database is away. */
const [KILLED_AT, AWAY_AT] = [0.35, 0.65];
/** Parts of the day between imports. */
const IMPORT_EVERY = 0.2;

/** A company at work on one service: windows that follow its projects, people who write, and what goes wrong on a bad day. */
export class CompanyDay {
  readonly times = new DayTimes();
  private readonly options: DayOptions;
  private readonly folder: string;
  private gate: TcpGate | undefined;
  private people: readonly TestUser[] = [];
  private projects: readonly number[] = [];
  private windows: readonly DayWindow[] = [];
  private writers: readonly DayWriter[] = [];
  private processes: readonly ServiceProcess[] = [];
  private readonly imports: { readonly person: number; readonly path: string }[] = [];
  private memory: readonly string[] = [];
  private readonly gone = new AbortController();
  private wrong: Promise<void> = Promise.resolve();
  private isOver = false;

  private constructor(options: DayOptions, folder: string) {
    this.options = options;
    this.folder = folder;
  }

  static async begin(options: DayOptions): Promise<CompanyDay> {
    const day = new CompanyDay(options, await temporaryFolder());
    try {
      await day.prepare();
    } catch (thrown) {
      await day.close();
      throw thrown;
    }
    return day;
  }

  /** All of it. Throws where something is lost, there twice, or not told in order. */
  async run(): Promise<void> {
    const { length, pace, changes } = this.options;
    await Promise.all(this.windows.map((window) => window.open()));
    let isQuiet = false;
    const isOver = () => this.isOver;
    const changing = Promise.all([
      ...this.writers.map((writer) => writer.work((1000 * this.writers.length) / changes, isOver)),
      this.importNowAndThen(),
    ]).then(() => {
      isQuiet = true;
    });
    const ended = Promise.all([changing, ...this.windows.map((window) => window.follow(pace, () => isQuiet))]);
    this.wrong = this.goWrong();
    await Promise.race([ended, this.wrong]);
    await Promise.race([ended, wait(length * 1000 * (1 - AWAY_AT))]);
    this.isOver = true;
    this.memory = this.processes.map(({ child }) => memoryOf(child.pid));
    await ended;
    await this.assertAll();
  }

  /** What was measured, as a table. */
  get summary(): string {
    return `${this.times.table}\nmemory at the end, at most: ${this.memory.join('; ')}`;
  }

  async close(): Promise<void> {
    this.isOver = true;
    this.gone.abort();
    await this.wrong.catch(() => undefined); // It may be about to start a process; what went wrong by itself was told by `run`.
    await Promise.all(this.processes.map(({ end }) => end('SIGKILL')));
    await this.gate?.close();
    await dropDatabaseOf(this.folder);
    await rm(this.folder, { recursive: true, force: true });
  }

  /** People, their projects, and who sees which. */
  private async prepare(): Promise<void> {
    const { projects, windows, changes, processes } = this.options;
    const service = await startTestService({ dataFolder: this.folder });
    try {
      const count = Math.max(projects, Math.ceil(windows / WINDOWS_EACH));
      const people: TestUser[] = [];
      while (people.length < count) people.push(await service.user(`Person ${people.length}`));
      this.people = people;
      const owners = people.slice(0, projects);
      this.projects = await Promise.all(owners.map((owner, index) => newProject(owner, `Project ${index}`)));
      for (const [index, project] of this.projects.entries())
        for (const one of people.filter((_, at) => at !== index && this.seen(at).includes(project)))
          await addMember(owners[index] as TestUser, project, one, 'Member');
    } finally {
      await service.stop();
    }
    const { database } = await databaseOf(this.folder);
    if (database !== undefined) {
      const { hostname: host, port } = new URL(database);
      this.gate = await TcpGate.before({ host, port: Number(port) });
    }
    this.processes = await Promise.all(Array.from({ length: processes }, () => this.serve()));
    this.windows = Array.from({ length: windows }, (_, index) => {
      const person = Math.floor(index / WINDOWS_EACH) % this.people.length;
      return new DayWindow(this.callerOf(person, index), this.chanceOf(index), this.seen(person).slice(0, FOLLOWED));
    });
    // Each writes about once a second.
    this.writers = Array.from({ length: changes }, (_, index) => {
      const person = index % this.people.length;
      const [project = 0] = this.seen(person);
      return new DayWriter(`w${index}`, this.callerOf(person, index), this.chanceOf(-1 - index), project);
    });
  }

  /** The projects that a person is in: their own, and others in a row. */
  private seen(person: number): readonly number[] {
    const { length } = this.projects;
    return Array.from({ length: FOLLOWED }, (_, step) => this.projects[(person + step) % length] ?? 0);
  }

  private callerOf(person: number, at: number): DayCaller {
    const addresses = () => this.processes.map(({ url }) => url);
    return new DayCaller(addresses, this.people[person]?.token ?? '', this.times, this.gone.signal, at);
  }

  private chanceOf(index: number): Seeded {
    return new Seeded(this.options.seed + index);
  }

  private async serve(): Promise<ServiceProcess> {
    const { database } = await databaseOf(this.folder);
    if (database === undefined || !this.gate) return serveProcess(['--data', this.folder]);
    const address = new URL(database);
    address.port = String(this.gate.port);
    return serveProcess(['--data', this.folder, '--database', address.href]);
  }

  /** Kills a process, which comes up again; later takes the database away for a moment. */
  private async goWrong(): Promise<void> {
    const length = this.options.length * 1000;
    const { signal } = this.gone;
    await wait(length * KILLED_AT, undefined, { signal });
    const killed = this.processes.at(-1);
    await killed?.end('SIGKILL');
    const again = await this.serve();
    this.processes = this.processes.map((one) => (one === killed ? again : one));
    await wait(length * (AWAY_AT - KILLED_AT), undefined, { signal });
    this.gate?.shut();
    await wait(AWAY, undefined, { signal });
    this.gate?.open();
  }

  private async importNowAndThen(): Promise<void> {
    const { length, imported } = this.options;
    for (let index = 0; !this.isOver; index += 1) {
      const name = `Imported ${index}`;
      const rows = Array.from({ length: imported }, (_, row) => `${row + 1},${name} row ${row},unstarted`);
      const body = ['Id,Title,Current State', ...rows].join('\n');
      const options = { method: 'POST', body, headers: { 'Content-Type': 'text/csv' } };
      const person = index % this.people.length;
      const caller = this.callerOf(person, index);
      const path = `/imports?project_name=${encodeURIComponent(name)}`;
      const answer = await caller.ask('import', path, options).catch(() => undefined);
      if (answer) {
        assertStatus(answer, 200);
        this.imports.push({ person, path: `/projects/${idOf(answer)}/stories` });
      }
      await wait(length * 1000 * IMPORT_EVERY);
    }
  }

  private async assertAll(): Promise<void> {
    const rows = await rowsOfDatabase(this.folder, VERSIONS);
    for (const project of this.projects) {
      const all = rows.filter((row) => Number(row.project) === project).map(({ version }) => Number(version));
      for (const window of this.windows) window.assertSaw(project, all);
    }
    const readers = this.people.map((_, person) => this.callerOf(person, person));
    const read =
      (person: number) =>
      (path: string): Promise<Answer> =>
        (readers[person] as DayCaller).read('story', path);
    for (const [index, writer] of this.writers.entries()) await writer.assertKept(read(index % this.people.length));
    for (const { person, path } of this.imports) {
      const answer = await read(person)(path);
      assert.equal(texts(answer, 'story_type').length, this.options.imported, path);
    }
  }
}

const VERSIONS = `select "projectId" as project, version from activities order by version`;

/** Resident memory of a process, now and at most, in whole megabytes; nothing where the system does not tell. */
function memoryOf(pid: number | undefined): string {
  if (process.platform !== 'linux' || pid === undefined) return 'not told';
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const [now, most] = ['VmRSS', 'VmHWM'].map((name) => {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1];
    return Math.round(Number(kilobytes) / 1024);
  });
  return `${now} MB, ${most} MB`;
}
