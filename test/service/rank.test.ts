import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { Database, Tx } from '../../src/service/store/database.ts';
import { addProject } from '../../src/service/store/projects/projects.ts';
import { openSqlite } from '../../src/service/store/sqlite/openSqlite.ts';
import { rankAtEnd, rankAtTop, rankNextTo } from '../../src/service/store/stories/places.ts';
import { insertStory } from '../../src/service/store/stories/storyRows.ts';
import { temporaryFolder } from './support/testService.ts';

describe('ranks', () => {
  let folder: string;
  let database: Database;

  before(async () => {
    folder = await temporaryFolder();
    database = await openSqlite(join(folder, 'ranks.db'));
  });
  after(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A list in the store beside the order it should have. */
  class Model {
    readonly order: number[] = [];
    readonly tx: Tx;
    readonly projectId: number;

    constructor(tx: Tx, projectId: number) {
      this.tx = tx;
      this.projectId = projectId;
    }

    get list() {
      return { projectId: this.projectId, inIcebox: 0 };
    }

    async add(place: 'top' | 'end'): Promise<void> {
      const rank = place === 'top' ? await rankAtTop(this.tx, this.list) : await rankAtEnd(this.tx, this.list);
      const { id } = await insertStory(this.tx, { ...blank, ...this.list, rank });
      if (place === 'top') this.order.unshift(id);
      else this.order.push(id);
    }

    async move(from: number, side: 'before' | 'after', to: number): Promise<void> {
      const [story, target] = [this.order[from % this.order.length], this.order[to % this.order.length]];
      if (story === undefined || target === undefined || story === target) return;
      const placed = await this.tx
        .selectFrom('stories')
        .select(['id', 'rank'])
        .where('id', '=', target)
        .executeTakeFirstOrThrow();
      const rank = await rankNextTo(this.tx, this.list, story, side, placed);
      if (rank !== undefined) await this.tx.updateTable('stories').set({ rank }).where('id', '=', story).execute();
      this.order.splice(this.order.indexOf(story), 1);
      this.order.splice(this.order.indexOf(target) + (side === 'after' ? 1 : 0), 0, story);
    }

    rows() {
      const query = this.tx.selectFrom('stories').select(['id', 'rank']).where('projectId', '=', this.projectId);
      return query.orderBy('rank').execute();
    }
  }

  const blank = { type: 'bug', state: 'unstarted', name: 'Story', createdAt: 0, updatedAt: 0 };

  function withModel<T>(work: (model: Model) => Promise<T>): Promise<T> {
    return database.write(async (tx) => work(new Model(tx, (await addProject(tx, 'Ranks', {}, 0)).id)));
  }

  it('keep the order that was asked for, whatever moves come', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), place: fc.constantFrom('top' as const, 'end' as const) }),
      fc.record({
        kind: fc.constant('move' as const),
        from: fc.nat(20),
        to: fc.nat(20),
        side: fc.constantFrom('before' as const, 'after' as const),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        await withModel(async (model) => {
          for (const each of steps) {
            if (each.kind === 'add') await model.add(each.place);
            else await model.move(each.from, each.side, each.to);
          }
          assert.deepEqual(
            (await model.rows()).map(({ id }) => id),
            model.order,
          );
        });
      }),
      { numRuns: 100 },
    );
  });

  it('stay bounded, and few stories are touched, when everything goes to one spot', async () => {
    const strategies: Record<string, (round: number, last: number) => ['before' | 'after', number]> = {
      'after the first': () => ['after', 0],
      'before the last': () => ['before', 200],
      'between the last two placed': (round, last) => [round % 2 ? 'before' : 'after', last],
    };
    for (const [name, strategy] of Object.entries(strategies)) {
      await withModel(async (model) => {
        for (let index = 0; index <= 200; index += 1) await model.add('end');
        const before = await totalChanges(model.tx);
        const rounds = 1_500;
        let last = 0;
        for (let round = 0; round < rounds; round += 1) {
          const [side, target] = strategy(round, Math.max(0, model.order.indexOf(last)));
          const from = (target + 90 + (round % 20)) % 201;
          last = model.order[from] ?? 0;
          await model.move(from, side, target);
        }
        const perMove = ((await totalChanges(model.tx)) - before) / rounds;
        const rows = await model.rows();
        assert.deepEqual(
          rows.map(({ id }) => id),
          model.order,
          name,
        );
        assert.ok(Math.max(...rows.map(({ rank }) => rank.length)) <= 32, name);
        assert.ok(perMove < 8, `${name}: ${perMove} rows written for each move`);
      });
    }
  });
});

async function totalChanges(tx: Tx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(tx);
  return rows[0]?.count ?? 0;
}
