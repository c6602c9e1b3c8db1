import assert from 'node:assert/strict';
import type { Backlog } from '../../../src/core/backlog.ts';
import { PendingGuesses } from '../../../src/host/pendingGuesses.ts';

const key = { accountId: 'home', projectId: 7 };
const project = { id: 7, name: 'Bakery', pointScale: [], labels: [], memberships: [], integrations: [] };
const read: Backlog = { project, iterations: [], icebox: [], done: [] };
const named = (name: string) => (backlog: Backlog) => ({ ...backlog, project: { ...project, name } });

describe('PendingGuesses', () => {
  let log: string[];
  let guesses: PendingGuesses;
  const shown = () => guesses.applied(key, read).project.name;

  beforeEach(() => {
    log = [];
    guesses = new PendingGuesses(
      () => log.push(`shows ${shown()}`),
      async () => {
        guesses.beforeReading(key)();
        log.push('reads again');
      },
    );
  });

  it('shows a change at once and reads again when it was answered', async () => {
    assert.equal(await guesses.add(key, named('Butchery'), async () => 5), 5);
    assert.deepEqual(log, ['shows Butchery', 'reads again']);
    assert.equal(shown(), 'Bakery');
  });

  it('takes a refused change back and passes the refusal on', async () => {
    const refused = guesses.add(key, named('Butchery'), () => Promise.reject(new Error('No.')));
    await assert.rejects(refused, /No\./);
    assert.deepEqual(log, ['shows Butchery', 'shows Bakery', 'reads again']);
  });

  it('sends one at a time, in order, and goes on after a refusal', async () => {
    const sent: string[] = [];
    const first = guesses.add(key, named('A'), async () => {
      sent.push('a');
      throw new Error('No.');
    });
    const second = guesses.add(key, named('B'), async () => sent.push('b'));
    assert.deepEqual([shown(), sent], ['B', []]);
    await assert.rejects(first);
    await second;
    assert.deepEqual(sent, ['a', 'b']);
    assert.equal(log.filter((line) => line === 'reads again').length, 1);
  });

  it('sends the next change although the project could not be read after the one before', async () => {
    let isDown = true;
    guesses = new PendingGuesses(
      () => undefined,
      async () => {
        if (isDown) throw new Error('The server is down.');
      },
    );
    assert.equal(await guesses.add(key, named('A'), async () => 'first'), 'first');
    isDown = false;
    assert.equal(await guesses.add(key, named('B'), async () => 'second'), 'second');
  });

  it('keeps a change on top of what was read before it was answered', async () => {
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const changing = guesses.add(key, named('Butchery'), () => answered);
    guesses.beforeReading(key)();
    assert.equal(shown(), 'Butchery');
    answer();
    await changing;
    assert.equal(shown(), 'Bakery');
  });
});
