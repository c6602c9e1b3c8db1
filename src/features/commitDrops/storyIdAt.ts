import { lastNumber, storyIdInLink, storyIdOnServer } from '../../core/story/storyAddress.ts';
import type { Account } from '../../host/accounts/account.ts';
import type { App } from '../../host/app.ts';

type Needs = Pick<App, 'accounts' | 'backlogs'>;

/** The story whose page or link it is: as its server named the page, or on a server that one is signed in to. Asks no server. */
export async function storyIdAt({ accounts, backlogs }: Needs, address: string): Promise<number | undefined> {
  const linked = storyIdInLink(address);
  if (linked !== undefined) return linked;
  const id = lastNumber(address);
  if (id === undefined) return undefined;
  if (backlogs.peekStory(id)?.story.url === address) return id;
  for (const account of await accounts.list()) {
    const baseUrl = await addressOf(accounts, account, address);
    const found = baseUrl === undefined ? undefined : storyIdOnServer(address, baseUrl);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The built-in service, which has another port each time, is looked at only for addresses on this machine. */
async function addressOf(
  accounts: Needs['accounts'],
  { kind, baseUrl }: Account,
  address: string,
): Promise<string | undefined> {
  if (kind !== 'builtIn') return baseUrl;
  return /^https?:\/\/(?:127\.0\.0\.1|localhost)[:/]/i.test(address)
    ? (await accounts.builtInAccess()).baseUrl
    : undefined;
}
