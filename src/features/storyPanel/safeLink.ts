const SCHEMES = ['http:', 'https:', 'mailto:'];

/** The address as one that may be opened: of the web or a mail address, whole and not relative; else `undefined`. */
export function safeLink(address: string): string | undefined {
  if (address.length > 4000 || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return SCHEMES.includes(protocol) ? href : undefined;
}
