import { UsageError } from '../ground/usageError.ts';
import { publicUrlOf } from '../http/publicUrl.ts';

/** The address that `--public-url` names, without a slash at the end; throws `UsageError` for anything else than scheme, host and path. */
export function readPublicUrl(text: string): string {
  const url = publicUrlOf(text);
  if (!url) throw new UsageError('--public-url must be an address such as https://example.org/tracker.');
  return url.href;
}
