import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceEvent } from '../../../src/service/ground/background.ts';
import { newProject, newStory } from './project.ts';
import { assertStatus, idOf, request, textOf } from './request.ts';
import { ageFiles } from './storedFiles.ts';
import { dropDatabaseOf, setDatabaseAside } from './testDatabase.ts';
import { startTestService, type TestService, type TestUser, temporaryFolder, userOf } from './testService.ts';

export const FILES = 6;

/** A data folder whose attached files are all older than a day, and what a service says that starts on it. */
export class OldData {
  readonly folder: string;
  readonly downloads = new Map<string, string>();
  events: ServiceEvent[] = [];
  private readonly running = new Set<TestService>();
  private putBack: (() => Promise<void>) | undefined;
  private token = '';
  private story = '';

  constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<OldData> {
    const data = new OldData(await temporaryFolder());
    const service = await data.start();
    const ada = await service.user('Ada');
    data.token = ada.token;
    const projectId = await newProject(ada);
    data.story = `/projects/${projectId}/stories/${await newStory(ada, projectId, 'With files')}`;
    for (let count = 0; count < FILES; count += 1) await data.attach(service, `File ${count}`);
    await data.stop(service);
    return data;
  }

  async start(): Promise<TestService> {
    this.events = [];
    const service = await startTestService({ dataFolder: this.folder, log: (event) => void this.events.push(event) });
    this.running.add(service);
    return service;
  }

  /** Its sweep at the start is over when this resolves. */
  async stop(service: TestService): Promise<void> {
    this.running.delete(service);
    await service.stop();
    await ageFiles(this.folder, 2);
  }

  /** Starts a service and stops it, and gives what it warned of. */
  async startOnce(): Promise<readonly string[]> {
    await this.stop(await this.start());
    return this.warnings;
  }

  get warnings(): readonly string[] {
    return this.events
      .filter(({ event }) => event !== 'request')
      .flatMap(({ message }) => (message ? [String(message)] : []));
  }

  told(name: string): ServiceEvent | undefined {
    return this.events.find(({ event }) => event === name);
  }

  ada({ url }: TestService): TestUser {
    return userOf(url, 'Ada', 'ada@example.org', this.token);
  }

  async attach(service: TestService, text: string, ada = this.ada(service), story = this.story): Promise<number> {
    const form = new FormData();
    form.set('Filedata', new Blob([text]), `${text}.txt`);
    return idOf(await ada.post(`${story}/attachments`, form));
  }

  async download(service: TestService, id: number): Promise<string> {
    const answer = await this.ada(service).get(`${this.story}/attachments/${id}`);
    const file = await request(textOf(answer, 'url').replaceAll('&amp;', '&'));
    assertStatus(file, 200);
    return file.text;
  }

  /** All files as they were attached. */
  async assertWhole(service: TestService, count = FILES): Promise<void> {
    for (let id = 1; id <= count; id += 1) assert.match(await this.download(service, id), /^File \d+$/);
  }

  async mark(): Promise<{ readonly database: string; readonly version: number; readonly occurredAt: number | null }> {
    return JSON.parse(await readFile(this.markFile, 'utf8'));
  }

  get markFile(): string {
    return join(this.folder, 'attachments', 'database.json');
  }

  /** A new one takes its place. */
  async replaceDatabase(): Promise<void> {
    this.putBack = await setDatabaseAside(this.folder);
  }

  async putDatabaseBack(): Promise<void> {
    await this.putBack?.();
    this.putBack = undefined;
  }

  async remove(): Promise<void> {
    for (const service of this.running) await this.stop(service);
    await this.putDatabaseBack();
    await rm(this.folder, { recursive: true, force: true });
    await dropDatabaseOf(this.folder);
  }
}
