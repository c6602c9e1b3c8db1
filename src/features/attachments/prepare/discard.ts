import { messageOf } from '../../../core/errors.ts';
import type { App } from '../../../host/app.ts';
import type { Ready } from './candidate.ts';

/** Removes what was made only to be sent; one that cannot be removed is told of in the log. */
export async function discard({ log }: Pick<App, 'log'>, files: readonly Ready[]): Promise<void> {
  try {
    for (const file of files) await file.discard?.();
  } catch (thrown) {
    log.warn(`a temporary file could not be removed: ${messageOf(thrown)}`);
  }
}
