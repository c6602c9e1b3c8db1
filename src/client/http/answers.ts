import type { Iteration } from '../../core/story/iteration.ts';
import type { Story } from '../../core/story/story.ts';
import type { Element } from '../../v3/element.ts';
import { expectRoot } from '../../v3/fields.ts';
import { readIterationOf } from '../../v3/iteration.ts';
import { expectList } from '../../v3/list.ts';
import { type Chunks, readDocument, readItems } from '../../v3/read.ts';
import { XmlError } from '../../v3/xmlError.ts';
import { GatheredBytes } from './gatheredBytes.ts';
import { StoryReader } from './storyReader.ts';

/** Bytes; a story with all its comments and tasks is far shorter. */
const LONGEST_OF_ONE = 8 * 1024 * 1024;

/** Turns the body of an answer into a value while it arrives. Throws `XmlError`, and what the body throws. */
export type AnswerReader<T> = (body: Chunks) => Promise<T>;

/** The answer is one resource. */
export function one<T>(name: string, read: (element: Element) => T): AnswerReader<T> {
  return async (body) => {
    const root = await readDocument(body);
    expectRoot(root, name);
    return read(root);
  };
}

/** The answer is a list; each item is decoded and its XML dropped as soon as it is complete. */
export function listOf<T>(name: string, item: string, read: (element: Element) => T): AnswerReader<readonly T[]> {
  return async (body) => {
    const items: T[] = [];
    const root = await readItems(body, [item], (element) => items.push(read(element)));
    expectList(root, name);
    return items;
  };
}

/** The answer is a story. */
export async function story(body: Chunks): Promise<Story> {
  const reader = new StoryReader();
  const root = await readItems(body, reader.paths, (element) => reader.read(element));
  expectRoot(root, 'story');
  const whole = reader.read(root);
  if (!whole) throw new XmlError('It is not a story.');
  return whole;
}

/** The answer is a list of stories. */
export async function stories(body: Chunks): Promise<readonly Story[]> {
  const items: Story[] = [];
  const reader = new StoryReader('story');
  const root = await readItems(body, ['story', ...reader.paths], (element) => {
    const whole = reader.read(element);
    if (whole) items.push(whole);
  });
  expectList(root, 'stories');
  return items;
}

/**
 * Stories are decoded before their iteration is complete, so that one long backlog is never held as XML. The first iteration
 * is also told to `onFirst` as soon as it is complete. A story that is in an iteration twice is there where it is first.
 */
export async function iterationList(
  body: Chunks,
  onFirst?: (iteration: Iteration) => void,
): Promise<readonly Iteration[]> {
  const iterations: Iteration[] = [];
  const reader = new StoryReader('iteration/stories/story');
  let known = new Map<number, Story>();
  const root = await readItems(body, ['iteration', 'iteration/stories/story', ...reader.paths], (element) => {
    if (element.name === 'iteration') {
      const iteration = readIterationOf(element, [...known.values()]);
      if (iterations.push(iteration) === 1) onFirst?.(iteration);
      known = new Map();
      return;
    }
    const whole = reader.read(element);
    if (whole && !known.has(whole.id)) known.set(whole.id, whole);
  });
  expectList(root, 'iterations');
  return iterations;
}

/** For answers the document does not show: undefined when there is nothing of the kind in them. */
export function perhaps<T>(read: AnswerReader<T>): AnswerReader<T | undefined> {
  return async (body) => {
    const gathered = new GatheredBytes();
    for await (const chunk of body) {
      gathered.add(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
      if (gathered.length > LONGEST_OF_ONE) throw new XmlError('It is far longer than an answer to a change can be.');
    }
    try {
      return await read([gathered.bytes()]);
    } catch (error) {
      if (error instanceof XmlError) return undefined;
      throw error;
    }
  };
}
