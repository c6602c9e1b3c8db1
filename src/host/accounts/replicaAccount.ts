import type { ReplicaAccount } from '../../core/replica/replica.ts';
import { builtInSettings } from '../shell/settings.ts';
import type { Account } from './account.ts';

/** The built-in service's port changes with every start; what it serves is told by where its data is. */
export function replicaAccount({ id, baseUrl }: Account): ReplicaAccount {
  return { accountId: id, address: baseUrl ?? `builtIn:${builtInSettings().dataFolder}` };
}
