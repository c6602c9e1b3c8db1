import { isIP } from 'node:net';

/** The IP address that stands in the place of a name, in the URL parser's spelling; undefined where there is a name. */
export function literalAddress({ hostname }: URL): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? undefined : bare;
}
