import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Story } from '../../../src/core/story/story.ts';
import { readText } from '../../../src/v3/read.ts';
import { readStories } from '../../support/v3/lists.ts';
import type { Held } from './killWriter.ts';
import type { KnownProject } from './knownProject.ts';
import { assertStatus, textOf } from './request.ts';
import { rowsOfDatabase } from './testDatabase.ts';
import type { TestUser } from './testService.ts';
import { bytesOf } from './writeOperations.ts';

/** The data of a service, seen over HTTP and beneath it. */
export class HeldData {
  private readonly folder: string;
  /** Up to which activities were seen to follow on each other. */
  private version = 0;
  private readonly told = new Map<number, string[]>();
  private readonly downloaded = new Set<number>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * The stories of the projects in their order, as they stay: a write that was cut off in the middle of its commit holds its
   * project until it is there, so one more is waited for that changes nothing.
   */
  async stories(user: TestUser, projects: readonly KnownProject[]): Promise<Held> {
    const held = new Map<number, readonly Story[]>();
    for (const { id } of projects) {
      await user.put(`/projects/${id}/stories/deliver_all_finished`);
      const answer = await user.get(`/projects/${id}/stories`);
      assertStatus(answer, 200);
      held.set(id, readStories(readText(answer.text)));
    }
    return held;
  }

  async assertHeld(user: TestUser, projects: readonly KnownProject[], held: Held): Promise<void> {
    await this.readActivities();
    for (const project of projects) {
      const stories = held.get(project.id) ?? [];
      project.assertHeld(stories);
      project.assertTold(this.told.get(project.id) ?? []);
      await this.assertRanks(project.id, stories);
      await this.assertFiles(user, project.id, stories);
    }
  }

  /** Names of the files that attachments have, sorted. */
  async storedNames(): Promise<readonly string[]> {
    const rows = await rowsOfDatabase(this.folder, 'select "storedAs" from attachments');
    return rows.map(({ storedAs }) => String(storedAs)).sort();
  }

  /** Versions follow one on the other, over the whole service. */
  private async readActivities(): Promise<void> {
    const rows = await rowsOfDatabase(
      this.folder,
      `select "version", "projectId", "description" from activities where "version" > ${this.version} order by "id"`,
    );
    const versions = rows.map(({ version }) => Number(version));
    assert.deepEqual(
      versions,
      versions.map((_, index) => this.version + 1 + index),
    );
    this.version += versions.length;
    for (const { projectId, description } of rows) {
      const told = this.told.get(Number(projectId)) ?? [];
      told.push(String(description));
      this.told.set(Number(projectId), told);
    }
  }

  /** Each of the two lists of a project has every rank once, and what is answered follows them. */
  private async assertRanks(projectId: number, stories: readonly Story[]): Promise<void> {
    const rows = await rowsOfDatabase(
      this.folder,
      `select "id", "inIcebox", "rank" from stories where "projectId" = ${projectId}`,
    );
    const placed = rows.map(({ id, inIcebox, rank }) => ({ id: Number(id), place: `${inIcebox} ${rank}` }));
    assert.equal(new Set(placed.map(({ place }) => place)).size, placed.length);
    placed.sort((one, other) => (one.place < other.place ? -1 : 1));
    assert.deepEqual(
      stories.map(({ id }) => id),
      placed.map(({ id }) => id),
    );
  }

  private async assertFiles(user: TestUser, projectId: number, stories: readonly Story[]): Promise<void> {
    const rows = await rowsOfDatabase(
      this.folder,
      `select "storedAs", "size" from attachments where "projectId" = ${projectId}`,
    );
    for (const { storedAs, size } of rows) {
      assert.equal((await stat(join(this.folder, 'attachments', String(storedAs)))).size, Number(size));
    }
    for (const { id, attachments } of stories) {
      for (const attachment of attachments) {
        if (this.downloaded.has(attachment.id)) continue;
        this.downloaded.add(attachment.id);
        const path = `/projects/${projectId}/stories/${id}/attachments/${attachment.id}`;
        const url = textOf(await user.get(path), 'url').replaceAll('&amp;', '&');
        const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
        assert.ok(bytes.equals(bytesOf(attachment.filename)), attachment.filename);
      }
    }
  }
}
