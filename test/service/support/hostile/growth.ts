import { MAX_LABELS_OF_STORY, MAX_LINE, MAX_TEXT } from '../../../../src/core/limits.ts';
import type { Caller, HostileRequest } from './assaults.ts';
import { multipartBody, rootBody } from './hostileBodies.ts';
import { isEndpoint, targetNames, targetOf } from './hostileTargets.ts';
import { type Outcome, send } from './hostileWays.ts';
import type { HostileWorld } from './hostileWorld.ts';
import type { ReadNames, TargetName } from './readNames.ts';

/** Texts for an element, the longest first; `index` makes each another one. */
const candidates: readonly ((index: number) => string)[] = [
  (index) => `${index} `.padEnd(MAX_TEXT, 'a'),
  (index) => `${index} `.padEnd(5_000, 'a'),
  (index) => Array.from({ length: MAX_LABELS_OF_STORY }, (_, at) => `${index} ${at} `.padEnd(MAX_LINE, 'a')).join(),
  (index) => `${index} `.padEnd(MAX_LINE, 'a'),
];
const AT_ONCE = 8;
/** Refusals, one after the other, after which there is no more room. */
const REFUSALS = 10;
const CALLER: Caller = 'member';

/** What makes something new, with as much in it as is accepted. */
interface Grower {
  readonly name: TargetName;
  request(index: number): Promise<HostileRequest>;
}

export interface Grown {
  readonly requests: number;
  readonly refused: number;
  /** Sentences about answers that should not have been. */
  readonly wrongs: readonly string[];
}

/**
 * Says the same again and again wherever something can be added: until it is refused, or `most` times. What is sent is found out by
 * trying the longest text that each element takes.
 */
export async function grow(
  world: HostileWorld,
  names: Readonly<Record<TargetName, ReadNames>>,
  most: number,
): Promise<Grown> {
  const total = { requests: 0, refused: 0, wrongs: [] as string[] };
  const adding = targetNames.filter((name) => isEndpoint(name) && targetOf(name, world.bigIds).method === 'POST');
  for (const name of adding.filter((each) => names[each].root !== undefined || names[each].isUpload)) {
    const grower = await growerOf(world, name, names[name]);
    let [sent, refusals] = [0, 0];
    const work = async (): Promise<void> => {
      while (sent < most && refusals < REFUSALS) {
        sent += 1;
        const { status, head } = await ask(world, await grower.request(sent));
        total.requests += 1;
        refusals = status === 200 ? 0 : refusals + 1;
        if (status !== 200) total.refused += 1;
        const isBusy = status === 503 && /^retry-after: \d+\r$/im.test(head);
        if (status >= 500 && !isBusy) total.wrongs.push(`${status}: ${name}, the ${sent}th of its kind`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }
  return total;
}

async function growerOf(world: HostileWorld, name: TargetName, names: ReadNames): Promise<Grower> {
  const { root, elements, isUpload } = names;
  const ids = await world.idsFor(name);
  const { token } = world.credentialsOf(CALLER);
  const plain = { ...targetOf(name, ids), headers: [['X-ServiceToken', token]] as const };
  const withBody = ({ type, bytes }: ReturnType<typeof multipartBody>): HostileRequest => ({
    ...plain,
    headers: [...plain.headers, ['Content-Type', type]],
    body: bytes,
  });
  if (isUpload || root === undefined) {
    return { name, request: async (index) => withBody(multipartBody('bytes', { text: `${index} `.padEnd(MAX_TEXT) })) };
  }
  const document = (texts: ReadonlyMap<string, string>) =>
    rootBody('XML', { root, elements, texts, storyId: ids.storyId });
  const longest = new Map<string, (index: number) => string>();
  for (const element of elements) {
    for (const candidate of candidates) {
      const { status } = await ask(world, withBody(document(new Map([[element, candidate(0)]]))));
      if (status !== 200) continue;
      longest.set(element, candidate);
      break;
    }
  }
  const request = async (index: number): Promise<HostileRequest> => {
    const texts = new Map([...longest].map(([element, text]) => [element, text(index)]));
    return withBody(document(texts));
  };
  return { name, request };
}

function ask(world: HostileWorld, request: HostileRequest): Promise<Outcome> {
  return send(world.process.url, request, 'whole', 0).catch(() => ({ status: 0, head: '', took: 0 }));
}
