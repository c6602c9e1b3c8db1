import { userInfo } from 'node:os';
import type { Service } from '../call/service.ts';
import type { Tx } from '../store/database.ts';
import { dropUnusedTokens, mintToken, revokeToken } from '../store/people/tokens.ts';
import { addUser, type UserRow, userByEmail } from '../store/people/users.ts';
import { demoUser, joinDemo, refuseUsed, seedDemo } from './seedDemo.ts';

const WEEK = 7 * 24 * 60 * 60 * 1000;

interface Started {
  readonly token: string | undefined;
  /** Takes back what was meant for this run only. */
  end(): Promise<void>;
}

/**
 * Makes the data and the token that a start asks for. Tokens are kept as hashes, so each start makes a new one; the demo's stay good
 * until they were not used for a week, the embedded one until its service stops.
 */
export async function prepareStart(
  service: Service,
  { demo = false, embedded = false }: { readonly demo?: boolean; readonly embedded?: boolean },
  now: number,
): Promise<Started> {
  if (!demo && !embedded) return { token: undefined, end: async () => undefined };
  const { database } = service;
  if (demo) {
    if (!embedded) await refuseUsed(database);
    await seedDemo(service, now);
  }
  const token = await database.write(async (tx) => {
    await dropUnusedTokens(tx, 'demo', now - WEEK);
    await dropUnusedTokens(tx, 'embedded', now - WEEK);
    if (!embedded) return mintToken(tx, (await demoUser(tx, now)).id, 'demo', now);
    const user = await localUser(tx, now);
    if (demo) await joinDemo(tx, user);
    return mintToken(tx, user.id, 'embedded', now);
  });
  const end = async (): Promise<void> => {
    if (embedded) await database.write((tx) => revokeToken(tx, token));
  };
  return { token, end };
}

const EMAIL = 'you@localhost';

/** The person at this machine, who has no account elsewhere. Made at the first start. */
async function localUser(tx: Tx, now: number): Promise<UserRow> {
  return (await userByEmail(tx, EMAIL)) ?? addUser(tx, { name: systemName(), email: EMAIL }, now);
}

function systemName(): string {
  try {
    return userInfo().username || 'You';
  } catch {
    // Containers may run as a user without a name.
    return 'You';
  }
}
