import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from '../../support/eventually.ts';
import type { Seeded } from '../../support/measures/seeded.ts';
import { HeldData } from './heldData.ts';
import { KillImporter } from './killImporter.ts';
import { KillWriter } from './killWriter.ts';
import { KnownProject } from './knownProject.ts';
import { newProject } from './project.ts';
import { assertStatus } from './request.ts';
import { killAtStart, runService, type ServiceProcess, serveProcess } from './serviceProcess.ts';
import { ageFiles, incomingFiles, storedFiles } from './storedFiles.ts';
import { dropDatabaseOf } from './testDatabase.ts';
import { temporaryFolder, userOf } from './testService.ts';
import { ToldOutside } from './toldOutside.ts';
import type { Teller } from './writeOperations.ts';

export interface KillWorldOptions {
  readonly chance: Seeded;
  /** The program `quickService.ts`, bundled so that it starts sooner. */
  readonly program: string;
  /** On the same data; with several, one of them is killed at a time. */
  readonly processes: number;
}

const WRITERS_PER_PROCESS = 3;
const PROJECTS = 2;
/** Rounds after which others are written to, so that what is looked at stays small. */
const ROUNDS_PER_PROJECT = 25;
/** Rounds of which one, on average, brings an import. */
const IMPORT_EVERY = 4;
/** Milliseconds after which a kill hits, at most; now and then later, so that mails come that can be answered. */
const LONGEST_LIFE = 350;
const LATE_LIFE = 1_500;
const LONGEST_START = 500;
/** Kills of a round. */
const MOST_KILLS = 2;
/** Milliseconds in which a process that is left alone answers some writes. */
const PATIENCE = 60_000;
/** Milliseconds until others take over what a process that was killed was sending. */
const LEASE = '1000';

/** Processes of the service on one store, many who write to them, and someone who kills them. */
export class KillWorld {
  kills = 0;
  answered = 0;
  private makers = 0;
  private readonly chance: Seeded;
  private readonly program: string;
  private readonly folder: string;
  private readonly token: string;
  private readonly data: HeldData;
  private readonly outside: ToldOutside;
  private readonly importer: KillImporter;
  private readonly writers: KillWriter[][] = [];
  private processes: ServiceProcess[] = [];
  private projects: readonly KnownProject[] = [];

  private constructor(
    { chance, program, processes }: KillWorldOptions,
    folder: string,
    token: string,
    outside: ToldOutside,
  ) {
    this.chance = chance;
    this.program = program;
    this.folder = folder;
    this.token = token;
    this.data = new HeldData(folder);
    this.outside = outside;
    this.importer = new KillImporter(folder, chance);
    for (let index = 0; index < processes; index += 1) this.writers.push(this.newWriters(index));
  }

  static async open(options: KillWorldOptions): Promise<KillWorld> {
    const folder = await temporaryFolder();
    const token = await KillWorld.added(folder, 'Ada', 'a@example.org');
    await KillWorld.added(folder, 'Bea', 'b@example.org');
    const world = new KillWorld(options, folder, token, await ToldOutside.open(folder));
    world.processes = await Promise.all(world.writers.map(() => world.serve()));
    return world;
  }

  /** Adds a user and gives their token. */
  private static async added(folder: string, name: string, email: string): Promise<string> {
    const added = await runService(['user', 'add', '--name', name, '--email', email, '--data', folder]);
    return added.stdout.trim().split('\n').at(-1) ?? '';
  }

  /** What happened, in a few words. */
  get summary(): string {
    const { kills, answered, outside, importer } = this;
    return `${kills} kills, ${answered} writes answered; ${outside.summary}; ${importer.summary}`;
  }

  /** Kills while everyone writes, and looks after each kill at all that was answered. */
  async run(kills: number): Promise<void> {
    for (let round = 0; this.kills < kills; round += 1) {
      if (round % ROUNDS_PER_PROJECT === 0) await this.changeProjects();
      for (const index of this.processes.keys()) this.startWriters(index);
      if (this.chance.chance(IMPORT_EVERY)) this.importer.start();
      if (this.kills + MOST_KILLS >= kills) await this.untilEnoughAnswered(kills);
      await this.untilKill();
      await this.killOne();
      await Promise.all([...this.writers.flat(), this.importer].map((one) => one.pause()));
      await this.assertKept();
    }
    await this.outside.assertTold(this.projects);
    await this.assertSwept();
  }

  async close(): Promise<void> {
    await Promise.all(this.processes.map(({ end }) => end('SIGKILL')));
    await this.importer.pause().catch(() => undefined); // It writes to the folder; what went wrong before is what is told.
    await this.outside.close();
    await rm(this.folder, { recursive: true, force: true });
    await dropDatabaseOf(this.folder);
  }

  private newWriters(process: number): KillWriter[] {
    const names = Array.from({ length: WRITERS_PER_PROCESS }, (_, writer) => `w${process}${writer}`);
    return names.map((name) => new KillWriter(name, this.chance, this.outside, () => this.noteAnswer()));
  }

  private noteAnswer(): void {
    this.answered += 1;
  }

  private serve(): Promise<ServiceProcess> {
    return serveProcess(this.args, this.program);
  }

  private get args(): readonly string[] {
    return ['--data', this.folder, '--smtp', String(this.outside.mailPort), '--lease', LEASE];
  }

  private userAt(index: number): Teller {
    const { url = '', replies = '' } = this.processes[index] ?? {};
    return { ...userOf(url, 'Ada', '', this.token), replies };
  }

  private startWriters(index: number): void {
    const others = [...this.processes.keys()].filter((other) => other !== index).map((other) => this.userAt(other));
    for (const writer of this.writers[index] ?? []) writer.start(this.projects, this.userAt(index), others);
  }

  /** A moment like any other, every other time with something answered before it. */
  private async untilKill(): Promise<void> {
    const before = this.answered;
    if (this.chance.chance(2)) await eventually(() => assert.ok(this.answered > before));
    await wait(this.chance.below(this.chance.chance(6) ? LATE_LIFE : LONGEST_LIFE));
  }

  /** Before the last round: a machine that is busy may have had few writes in the lives before. */
  private async untilEnoughAnswered(kills: number): Promise<void> {
    await eventually(() => assert.ok(this.answered > kills, `${this.answered} writes were answered`), PATIENCE);
  }

  /** Kills a process while the others go on, now and then once more before it has come up again. */
  private async killOne(): Promise<void> {
    const index = this.chance.below(this.processes.length);
    assert.equal(await this.processes[index]?.end('SIGKILL'), 'SIGKILL');
    this.kills += 1;
    if (this.chance.chance(6)) {
      await killAtStart(this.args, this.program, this.chance.below(LONGEST_START));
      this.kills += 1;
    }
    this.processes[index] = await this.serve();
  }

  private async assertKept(): Promise<void> {
    const user = this.userAt(this.chance.below(this.processes.length));
    const held = await this.data.stories(user, this.projects);
    for (const writer of this.writers.flat()) writer.settle(held);
    await this.data.assertHeld(user, this.projects, held);
  }

  private async changeProjects(): Promise<void> {
    if (this.projects.length > 0) {
      await this.outside.assertTold(this.projects);
      await this.assertSwept();
    }
    const projects: KnownProject[] = [];
    while (projects.length < PROJECTS) projects.push(await this.newProject());
    this.projects = projects;
  }

  /** With Bea in it, whose activity is told outside. It is made by someone new, since nobody makes so many in an hour. */
  private async newProject(): Promise<KnownProject> {
    this.makers += 1;
    const { url = '' } = this.processes[0] ?? {};
    const token = await KillWorld.added(this.folder, 'Maker', `maker${this.makers}@example.org`);
    const maker = userOf(url, 'Maker', '', token);
    const id = await newProject(maker);
    for (const [email, role] of Object.entries({ 'a@example.org': 'Owner', 'b@example.org': 'Member' })) {
      const membership = `<membership><role>${role}</role><person><email>${email}</email></person></membership>`;
      assertStatus(await maker.post(`/projects/${id}/memberships`, membership), 200);
    }
    await this.outside.hook(id);
    return new KnownProject(id);
  }

  /** Makes all files look old: after the next start there are those that an attachment names, and no others. */
  private async assertSwept(): Promise<void> {
    await ageFiles(this.folder, 2);
    assert.equal(await this.processes[0]?.end('SIGTERM'), 0);
    this.processes[0] = await this.serve();
    const named = await this.data.storedNames();
    await eventually(async () => {
      assert.deepEqual(await storedFiles(this.folder), named);
      assert.deepEqual(await incomingFiles(this.folder), []);
    });
  }
}
