import assert from 'node:assert/strict';
import { Refusal } from '../../../../src/service/ground/errors.ts';
import { BodyRoom } from '../../../../src/service/http/bodyRoom.ts';

describe('room for long bodies', () => {
  function entering(room: BodyRoom, entered: string[], name: string, bytes: number): Promise<() => void> {
    const leave = room.enter(bytes);
    leave.then(() => entered.push(name)).catch(() => undefined);
    return leave;
  }

  it('is given in turn, and given back once', async () => {
    const room = new BodyRoom(10, 1_000);
    const entered: string[] = [];
    const first = await entering(room, entered, 'a', 6);
    const second = entering(room, entered, 'b', 6);
    const third = entering(room, entered, 'c', 1);
    await new Promise(setImmediate);
    assert.deepEqual(entered, ['a']);
    first();
    first();
    await Promise.all([second, third]);
    assert.deepEqual(entered, ['a', 'b', 'c']);
    (await second)();
    const fourth = entering(room, entered, 'd', 10);
    await new Promise(setImmediate);
    assert.deepEqual(entered, ['a', 'b', 'c']);
    (await third)();
    await fourth;
  });

  it('is for one alone that is larger than all of it', async () => {
    const room = new BodyRoom(10, 1_000);
    (await room.enter(25))();
    const [small] = await Promise.all([room.enter(1)]);
    const large = room.enter(25);
    small();
    (await large)();
  });

  it('is refused to who waits too long, and others go on', async () => {
    const room = new BodyRoom(10, 50);
    const leave = await room.enter(8);
    const late = room.enter(8);
    const small = room.enter(2);
    await assert.rejects(late, (error) => error instanceof Refusal && error.status === 503);
    (await small)();
    leave();
    (await room.enter(10))();
  });

  it('is half of it at most for several of one caller, and for others in the meantime', async () => {
    const room = new BodyRoom(10, 1_000);
    const entered: string[] = [];
    const enter = (name: string, bytes: number): void => {
      room.enter(bytes, name).then(
        () => entered.push(name),
        () => undefined,
      );
    };
    for (const name of ['a', 'a', 'a', 'b']) enter(name, 3);
    await new Promise(setImmediate);
    assert.deepEqual(entered, ['a', 'b']);
  });
});
