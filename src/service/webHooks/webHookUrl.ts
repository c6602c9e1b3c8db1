import { UsageError } from '../ground/usageError.ts';
import { addressKind } from './addressKind.ts';
import { literalAddress } from './literalAddress.ts';

const LONGEST_URL = 2000;

/** Where a project's activity is posted to; null for nowhere. Which addresses its name leads to is looked at when it is used. */
export function readWebHookUrl(given: string): string | null {
  const trimmed = given.trim();
  if (trimmed === '') return null;
  const url = URL.parse(trimmed);
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.href.length > LONGEST_URL) {
    throw new UsageError('web_hook_url must be an address such as https://ci.example.org/activity, or nothing.');
  }
  const literal = literalAddress(url);
  if (literal !== undefined && addressKind(literal) === 'forbidden') {
    throw new UsageError(`${literal} is no address that web hooks may go to.`);
  }
  url.hash = '';
  return url.href;
}
