import type { MovePlace } from '../../../../src/core/backlog/ordering.ts';
import type { Intent } from '../../../../src/core/intents/intent.ts';
import type { StoryEdit } from '../../../../src/core/story/story.ts';
import { account } from '../../../support/replica/client.ts';
import { isWishedFor } from './intents.ts';
import { DAY_MS } from './schedule.ts';
import type { SimWindow } from './simWindow.ts';
import { strangerActs, strangerWrites } from './strangers.ts';
import type { World } from './world.ts';

type Event = (world: World, window: SimWindow, projectId: number) => void;

/** How often each happens, against the others. */
const events: readonly (readonly [number, Event])[] = [
  [24, stranger],
  [16, refresh],
  [3, readMoreDone],
  [2, paint],
  [3, readProjects],
  [5, write],
  [16, want],
  [4, look],
  [4, killOrOpen],
  [3, badNetwork],
  [2, badDisk],
  [1, sleep],
  [1, setClock],
  [2, freeze],
  [1, signOutOrIn],
];

const all = events.flatMap(([often, event]) => Array.from({ length: often }, () => event));

export function doSomething(world: World): void {
  const window = world.chance.of(world.windows);
  const event = world.chance.of(all);
  if (window && event) event(world, window, 1 + world.chance.below(2));
}

function stranger({ server, chance, trace }: World, _window: SimWindow, projectId: number): void {
  trace.say(`a stranger ${strangerActs(server, chance, projectId)}`);
}

function refresh(world: World, window: SimWindow, projectId: number): void {
  if (!showsStories(world, window)) return;
  const isAskedFor = world.chance.chance(4);
  world.trace.say(`${window.name} refreshes ${projectId}${isAskedFor ? ', asked to' : ''}`);
  world.start(window.refresh(projectId, { isAskedFor }));
}

function readMoreDone(world: World, window: SimWindow, projectId: number): void {
  if (!showsStories(world, window)) return;
  world.trace.say(`${window.name} reads more done of ${projectId}`);
  world.start(window.readMoreDone(projectId));
}

function paint(world: World, window: SimWindow, projectId: number): void {
  if (showsStories(world, window)) world.start(window.paint(projectId));
}

function readProjects(world: World, window: SimWindow): void {
  if (showsStories(world, window)) world.start(window.readProjects());
}

function write(world: World, window: SimWindow, projectId: number): void {
  const storyId = world.chance.of(world.server.storyIds(projectId));
  if (!isUsable(world, window) || storyId === undefined) return;
  const { chance, trace, server } = world;
  server.written.add(storyId);
  if ((server.writtenDirectly.get(storyId) ?? window.name) !== window.name) return;
  server.writtenDirectly.set(storyId, window.name);
  if (chance.chance(3)) {
    const targetId = chance.of(server.storyIds(projectId)) ?? storyId;
    const place: MovePlace = chance.chance(2) ? 'before' : 'after';
    trace.say(`${window.name} moves ${storyId} ${place} ${targetId}`);
    world.start(window.write(projectId, (tracker) => tracker.moveStory({ projectId, storyId }, place, targetId)));
  } else {
    const edit = anEdit(world, projectId, storyId);
    trace.say(`${window.name} edits ${storyId}: ${JSON.stringify(edit)}`);
    world.start(window.write(projectId, (tracker) => tracker.updateStory({ projectId, storyId }, edit)));
  }
}

function want(world: World, window: SimWindow, projectId: number): void {
  const intents = world.intents.some(projectId, window.client.backlog(projectId), world.outboxOf(window));
  if (!isUsable(world, window) || intents.length === 0) return;
  const { chance, schedule, trace, hasClocks, hasFreezes } = world;
  trace.say(`${window.name} wants ${JSON.stringify(intents)}`);
  world.start(window.want(projectId, intents));
  // While it is under way.
  if (hasClocks && chance.chance(3))
    schedule.after(chance.below(2000), () => (chance.chance(2) ? sleep : setClock)(world));
  if (hasFreezes && chance.chance(3)) schedule.after(chance.below(1000), () => freeze(world, window));
  for (const intent of intents) {
    if (chance.chance(2)) schedule.after(chance.below(1500), () => disturb(world, projectId, intent));
  }
}

/** A stranger writes to the same place at about the same time. */
function disturb({ server, chance, trace, schedule, isHealed }: World, projectId: number, intent: Intent): void {
  if (isHealed) return;
  server.now = schedule.now;
  const what = strangerWrites(server, chance, projectId, intent);
  if (what) trace.say(`a stranger ${what}`);
}

function look(world: World, window: SimWindow): void {
  if (window.isDead) return;
  world.trace.say(`someone looks at ${window.name}`);
  for (const one of world.windows) {
    const isFocused = one === window;
    if (!one.isDead) one.tell({ isFocused, isActive: isFocused });
  }
}

function anEdit({ chance, server }: World, projectId: number, storyId: number): StoryEdit {
  const isOpen = server.listOf(projectId, storyId) === 'open';
  switch (chance.below(isOpen ? 4 : 2)) {
    case 0:
      return isWishedFor(server, projectId, storyId) ? { estimate: 3 } : { name: `Mine ${chance.below(1000)}` };
    case 1:
      return { estimate: chance.below(8) };
    case 2:
      return { state: 'unscheduled' };
    default:
      return { state: chance.of(['started', 'finished', 'accepted']) ?? 'started' };
  }
}

function killOrOpen(world: World, window: SimWindow): void {
  if (!window.isDead && world.chance.chance(2)) {
    window.kill('at once');
  } else {
    world.trace.say(`${window.name} opens`);
    world.open(world.windows.indexOf(window));
  }
}

function badNetwork(world: World): void {
  const { network, schedule, chance, trace } = world;
  const until = schedule.now + chance.below(90_000);
  const what = chance.of(['offline', 'busy', 'denied'] as const) ?? 'offline';
  trace.say(`the network is ${what} for ${until - schedule.now} ms`);
  if (what === 'offline') network.offlineUntil = until;
  else if (what === 'busy') network.busyUntil = until;
  else {
    world.wasTurnedAway = true;
    network.deniedUntil = until;
  }
}

function badDisk(world: World, window: SimWindow): void {
  if (!world.hasDiskFaults) return;
  const { disk, trace, chance, schedule } = world;
  const what = chance.of(['held by another program', 'full', 'damaged', 'made newer'] as const) ?? 'full';
  trace.say(`the file is ${what}`);
  if (what === 'held by another program') {
    disk.hold();
    schedule.after(chance.below(5000), () => disk.release());
  } else if (what === 'full') {
    if (!window.isDead && window.file.isKept) disk.fill(window.file);
  } else {
    world.restartAll(what === 'made newer', () => (what === 'damaged' ? disk.corrupt() : disk.becomeNewer()));
  }
}

function sleep({ schedule, chance, trace, isHealed }: World): void {
  if (isHealed) return;
  const ms = chance.below(chance.chance(3) ? 30 * 3_600_000 : 600_000);
  trace.say(`the machine sleeps for ${ms} ms`);
  schedule.jump(ms);
}

function setClock(world: World): void {
  if (!world.hasClocks || world.isHealed) return;
  const { chance, trace } = world;
  const ms = chance.below(chance.chance(2) ? 3 * DAY_MS : 600_000);
  world.ahead += chance.chance(2) ? ms : -ms;
  trace.say(`the clock is ${world.ahead} ms ahead`);
}

function freeze({ hasFreezes, isHealed, chance }: World, window: SimWindow): void {
  if (hasFreezes && !isHealed && !window.isDead) window.freeze(chance.below(chance.chance(3) ? 10_000 : 90_000));
}

function signOutOrIn(world: World): void {
  world.isSignedIn = !world.isSignedIn;
  world.trace.say(world.isSignedIn ? 'someone signs in' : 'someone signs out');
  const accounts = world.isSignedIn ? [account] : [];
  for (const window of world.windows) if (!window.isDead) window.tell({ accounts });
  if (world.isSignedIn) return;
  for (const window of world.windows) if (!window.isDead) world.start(window.forget());
}

function isUsable(world: World, window: SimWindow): boolean {
  return world.isSignedIn && !window.isDead;
}

function showsStories(world: World, window: SimWindow): boolean {
  return window.hasViews && isUsable(world, window);
}
