import type { MovePlace } from '../core/backlog/ordering.ts';
import { XmlError } from './xmlError.ts';

/** Endpoint 3: where a story goes. */
interface Move {
  readonly place: MovePlace;
  readonly targetId: number;
}

/** The move in the query or form body. Throws `XmlError` when it is not one. */
export function readMove(parameters: URLSearchParams): Move {
  const place = parameters.get('move[move]');
  const target = parameters.get('move[target]') ?? '';
  if (place !== 'before' && place !== 'after') throw new XmlError('"move[move]" must be "before" or "after".');
  if (!/^\d{1,15}$/.test(target)) throw new XmlError('"move[target]" must be the id of a story.');
  return { place, targetId: Number(target) };
}

export function moveParameters({ place, targetId }: Move): URLSearchParams {
  return new URLSearchParams({ 'move[move]': place, 'move[target]': String(targetId) });
}
