import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** Milliseconds for the first of two questions to each name server, the second may take twice that. */
const PATIENCE = { timeout: 1_200, tries: 2 };
/** Milliseconds for which addresses of one family wait for those of the other. */
const OTHER_FAMILY = 100;
/** These say that a name has no such address, or that there is no name server; all else is trouble with one. */
const UNKNOWN = new Set(['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']);

/**
 * Asks name servers, those of the system unless others are named, without a thread that waits for them. None when they do not know
 * the name. Throws when they give no answer.
 */
export async function dnsAddresses(name: string, servers?: readonly string[]): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver(PATIENCE);
  if (servers) resolver.setServers([...servers]);
  let late: NodeJS.Timeout | undefined;
  const ask = async (question: Promise<string[]>, family: 4 | 6): Promise<readonly LookupAddress[]> => {
    const addresses = await question;
    late ??= setTimeout(() => resolver.cancel(), OTHER_FAMILY);
    return addresses.map((address) => ({ address, family }));
  };
  const answers = await Promise.allSettled([ask(resolver.resolve4(name), 4), ask(resolver.resolve6(name), 6)]);
  clearTimeout(late);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const trouble = answers.find((answer) => answer.status === 'rejected' && !UNKNOWN.has(answer.reason?.code));
  if (found.length === 0 && trouble?.status === 'rejected') throw trouble.reason;
  return found;
}
