import type { Dispatcher } from 'undici';

type Options = Omit<Dispatcher.RequestOptions, 'origin' | 'path'>;

/** Asks over connections of our own, never over undici's global ones. */
export function requestOn(dispatcher: Dispatcher, url: URL, options: Options): Promise<Dispatcher.ResponseData> {
  return dispatcher.request({ ...options, origin: url.origin, path: `${url.pathname}${url.search}` });
}
