import type { Account } from '../../host/accounts/accounts.ts';
import { serverAddressOf } from './serverAddress.ts';

/** Whether the argument of a command, `{ builtIn: true }` or `{ baseUrl }`, means this account. */
export function isNamed(account: Account, { baseUrl, builtIn }: Readonly<Record<string, unknown>>): boolean {
  if (builtIn === true) return account.kind === 'builtIn';
  return typeof baseUrl === 'string' && account.baseUrl === serverAddressOf(baseUrl)?.baseUrl;
}
