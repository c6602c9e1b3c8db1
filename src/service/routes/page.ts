import { MAX_NUMBER } from '../../core/limits.ts';
import type { PartFacts } from '../../v3/list.ts';
import { badRequest, unprocessable } from '../ground/errors.ts';

/** A whole number of the query, or undefined when it is not given; empty counts as not given. */
export function queryInteger(query: URLSearchParams, name: string): number | undefined {
  const given = query.get(name) ?? '';
  const text = given.length > MAX_NUMBER ? given : given.trim();
  if (text === '') return undefined;
  if (!/^[+-]?\d{1,15}$/.test(text)) throw badRequest(`"${name}" must be a whole number.`);
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

/** The same for a list that begins at its beginning; undefined when neither is given. */
export function readForwardPage(query: URLSearchParams): Page | undefined {
  const page = readPage(query);
  if (page.offset < 0) throw unprocessable('"offset" cannot be negative here.');
  return page.limit === undefined && page.offset === 0 ? undefined : page;
}

/** What a list of a story says of itself where it is not the whole of it. */
export function partFacts(shown: readonly unknown[], total: number, page: Page | undefined): PartFacts | undefined {
  if (page === undefined && shown.length === total) return undefined;
  return { total, ...(page?.limit !== undefined && { limit: page.limit }), ...(page && { offset: page.offset }) };
}
