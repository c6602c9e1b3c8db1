import { badRequest, unprocessable } from '../refusal.ts';

/** A whole number of the query, or undefined when it is not given; empty counts as not given. */
export function queryInteger(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)?.trim() ?? '';
  if (text === '') return undefined;
  if (!/^[+-]?\d{1,15}$/.test(text)) throw badRequest(`"${name}" has to be a whole number.`);
  return Number(text);
}

export interface Page {
  readonly limit: number | undefined;
  readonly offset: number;
}

/** `limit` and `offset` of a list; only lists that count from their end take a negative offset. */
export function readPage(query: URLSearchParams): Page {
  const limit = queryInteger(query, 'limit');
  if (limit !== undefined && limit < 0) throw unprocessable('"limit" cannot be negative.');
  return { limit, offset: queryInteger(query, 'offset') ?? 0 };
}
