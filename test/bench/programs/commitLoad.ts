/**
 * `commitLoad ADDRESS CONNECTIONS`: inserts a row and commits again and again for a second and a half, over so many connections to a
 * PostgreSQL, and prints the commits a second: what changes would cost that did nothing else.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';

const WARM_UP = 300;
const MILLISECONDS = 1_200;

const [address = '', connections = ''] = process.argv.slice(2);
const TABLE = 'create table if not exists "commitLoad" (id bigint generated always as identity, name text)';
const INSERT = { name: 'insert', text: 'insert into "commitLoad" (name) values ($1)' };

let commits = 0;
let isOver = false;

async function load(): Promise<number> {
  const clients = Array.from({ length: Number(connections) }, () => new Client({ connectionString: address }));
  await Promise.all(clients.map((client) => client.connect()));
  await clients[0]?.query(TABLE);
  const all = Promise.all(clients.map(commitAgain));
  await wait(WARM_UP);
  const before = commits;
  const begun = performance.now();
  await wait(MILLISECONDS);
  const rate = ((commits - before) * 1000) / (performance.now() - begun);
  isOver = true;
  await all;
  await Promise.all(clients.map((client) => client.end()));
  return rate;
}

async function commitAgain(client: Client): Promise<void> {
  while (!isOver) {
    await client.query({ ...INSERT, values: [`Name ${commits}`] });
    commits += 1;
  }
}

void load().then((rate) => process.stdout.write(`${JSON.stringify(rate)}\n`));
