import { UsageError } from '../ground/usageError.ts';
import type { WebHookChange } from '../store/projects/webHook.ts';
import { readWebHookUrl } from '../webHooks/webHookUrl.ts';
import { holdsSecrets, readWebHookSecret, readWebHookUrlFile } from './webHookInput.ts';

/** Set by the command line only (api-v3.md, Events: in the project settings). */
export const WEB_HOOK_URL = 'web_hook_url';

interface Given {
  readonly 'web-hook-url-file'?: string | undefined;
  readonly 'web-hook-secret-stdin': boolean;
}

/** What a command says of the web hook, `typed` in the command itself or in a file; undefined when nothing. */
export async function webHookChange(typed: string | undefined, given: Given): Promise<WebHookChange | undefined> {
  const { 'web-hook-url-file': file, 'web-hook-secret-stdin': hasSecret } = given;
  if (file === '-' && hasSecret) throw new UsageError('Standard input holds the address or the secret, not both.');
  if (file !== undefined && typed !== undefined) {
    throw new UsageError(`Give ${WEB_HOOK_URL} or --web-hook-url-file, not both.`);
  }
  const url = file === undefined ? typed : await readWebHookUrlFile(file);
  if (url === undefined && !hasSecret) return undefined;
  return {
    ...(url !== undefined && { url: readWebHookUrl(url) }),
    ...(hasSecret && { secret: await readWebHookSecret() }),
  };
}

const SHOWN =
  '\nOther users of this machine could read that address while this command ran. --web-hook-url-file keeps it from them.';

/** Names the server only: the rest of an address may be what opens it. */
export function toldOfWebHook(change: WebHookChange | undefined, typed: string | undefined): string {
  if (change?.url === undefined) return '';
  if (change.url === null) return ' Its activity is posted nowhere.';
  const isShown = typed !== undefined && holdsSecrets(change.url);
  return ` Its activity goes to ${new URL(change.url).origin}.${isShown ? SHOWN : ''}`;
}
