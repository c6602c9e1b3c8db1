import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { Seeded } from '../../../support/measures/seeded.ts';
import { assertStatus, texts } from '../request.ts';
import type { DayCaller } from './dayCaller.ts';

/** As many activities as the service tells at once (api-v3.md). */
const AT_ONCE = 100;

/** What a window saw of a project: the versions of its activities, from the first that came after it was opened. */
interface Followed {
  readonly since: number;
  readonly versions: number[];
}

/** A window of the editor that follows some projects: it asks what is new, and reads what changed. */
export class DayWindow {
  private readonly caller: DayCaller;
  private readonly chance: Seeded;
  private readonly projects: readonly number[];
  private readonly followed = new Map<number, Followed>();

  constructor(caller: DayCaller, chance: Seeded, projects: readonly number[]) {
    this.caller = caller;
    this.chance = chance;
    this.projects = projects;
  }

  /** Reads all of its projects for the first time. */
  async open(): Promise<void> {
    for (const project of this.projects) {
      const newest = await this.caller.read('activities', `/projects/${project}/activities?limit=1`);
      this.followed.set(project, { since: Math.max(0, ...versionsIn(newest)), versions: [] });
      assertStatus(await this.caller.read('backlog', `/projects/${project}/iterations/current_backlog`), 200);
    }
  }

  /** Follows until it is told to stop, asking about each project once in so many milliseconds. */
  async follow(pace: number, isOver: () => boolean): Promise<void> {
    await wait(this.chance.below(pace));
    while (!isOver()) {
      for (const project of this.projects) await this.look(project);
      await wait(pace);
    }
    for (const project of this.projects) await this.look(project);
  }

  /** That it saw each of these once, in order, and nothing else. */
  assertSaw(project: number, all: readonly number[]): void {
    const followed = this.followed.get(project);
    if (!followed) return;
    const { since, versions } = followed;
    const expected = all.filter((version) => version > since);
    assert.deepEqual(versions, expected, `project ${project} since version ${since}`);
  }

  private async look(project: number): Promise<void> {
    const followed = this.followed.get(project);
    assert.ok(followed);
    const last = followed.versions.at(-1) ?? followed.since;
    const query = `newer_than_version=${last}&limit=${AT_ONCE}`;
    const answer = await this.caller.read('activities', `/projects/${project}/activities?${query}`);
    assertStatus(answer, 200);
    const versions = versionsIn(answer).toReversed();
    assert.ok(versions.length < AT_ONCE, `more happened in project ${project} at once than a window is told`);
    followed.versions.push(...versions);
    const storyId = /<story>\s*<id type="integer">(\d+)/.exec(answer.text)?.[1];
    if (storyId !== undefined) await this.caller.read('story', `/projects/${project}/stories/${storyId}`);
  }
}

function versionsIn(answer: Parameters<typeof texts>[0]): readonly number[] {
  return texts(answer, 'version').map(Number);
}
