import { isRevert } from '../../core/commitSubject.ts';
import { storyEffects, withMarker, withoutMarker } from '../../core/marker.ts';

/**
 * A new commit's message as it is posted: without the stories whose projects do not want it, and where it takes another one
 * back, without the verb of the marker that it quotes, since taking a mend back mends nothing.
 */
export function postedMessage(message: string, unwanted: readonly number[]): string {
  const kept = withoutMarker(message, unwanted, { commentChar: '' }).text;
  if (!isRevert(message)) return kept;
  return withMarker(kept, [...storyEffects(kept).keys()], { verb: '', commentChar: '' }).text;
}
