/**
 * The address as one that may be opened: http or https only, since it comes from a server; a relative one is below the
 * story's page. `undefined` when there is none.
 */
export function openableAddress(address: string | undefined, page: string | undefined): string | undefined {
  if (!address || !URL.canParse(address, page)) return undefined;
  const url = new URL(address, page);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined;
}
