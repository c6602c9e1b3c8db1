import type { Iteration } from '../core/story/iteration.ts';
import type { Story } from '../core/story/story.ts';
import {
  arrayElement,
  dateElement,
  type Element,
  floatElement,
  integerElement,
  listDocument,
  parent,
} from './element.ts';
import { date, decimal, id, integer, present } from './fields.ts';
import { type Item, type LongElement, lazily } from './longDocument.ts';

/** An iteration whose stories were read before it was complete. */
export function readIterationOf(element: Element, stories: readonly Story[]): Iteration {
  const own = id(element);
  return present({
    id: own,
    number: integer(element, 'number') ?? own,
    start: date(element, 'start'),
    finish: date(element, 'finish'),
    teamStrength: decimal(element, 'team_strength'),
    stories,
  });
}

function ownElements(iteration: Omit<Iteration, 'stories'>): readonly (Element | undefined)[] {
  return [
    integerElement('id', iteration.id),
    integerElement('number', iteration.number),
    dateElement('start', iteration.start),
    dateElement('finish', iteration.finish),
    floatElement('team_strength', iteration.teamStrength),
  ];
}

const STORIES = arrayElement('stories', []);

/** An iteration with what stands for its stories. */
export interface ListedIteration<S> extends Omit<Iteration, 'stories'> {
  readonly stories: readonly S[];
}

/** A document of iterations, for as many stories as there may be; `item` writes one. To be written once. */
export function longIterations<S>(iterations: Iterable<ListedIteration<S>>, item: (story: S) => Item): LongElement {
  return {
    start: arrayElement('iterations', []),
    empty: listDocument('iterations', []),
    items: lazily(iterations, (each) => longIteration(each, item)),
  };
}

function longIteration<S>(iteration: ListedIteration<S>, item: (story: S) => Item): LongElement {
  const stories = { start: STORIES, items: lazily(iteration.stories, item) };
  return { start: parent('iteration', ownElements(iteration)), items: [stories] };
}
