import { badRequest, notFound } from '../refusal.ts';

export interface Target {
  /** Below the base path. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Takes a request target apart. Queries may hold raw brackets and be empty after the `?` (protocol.md). */
export function readTarget(target: string, basePath: string): Target {
  if (!target.startsWith('/')) throw badRequest('The request target has to be a path.');
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  if (!path.startsWith(`${basePath}/`)) throw notFound('There is nothing at this address.');
  return { path: path.slice(basePath.length), query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)) };
}
