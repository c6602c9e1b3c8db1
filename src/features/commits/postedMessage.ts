import { isRevert } from '../../core/marker/commitMessage.ts';
import { storyEffects, withMarker, withoutMarker } from '../../core/marker/marker.ts';

/**
 * A commit's message as it is posted: without the stories whose projects do not want it, and where it takes another one
 * back, without the verb of the marker in the subject that it quotes, since taking a mend back mends nothing.
 */
export function postedMessage(message: string, unwanted: readonly number[] = []): string {
  const kept = withoutMarker(message, unwanted, { commentChar: '' }).text;
  if (!isRevert(message)) return kept;
  const [subject = '', ...rest] = kept.split('\n');
  const ids = [...storyEffects(subject).keys()];
  return [withMarker(subject, ids, { verb: '', commentChar: '' }).text, ...rest].join('\n');
}
