import { isRevert } from '../../core/marker/commitMessage.ts';
import { storyEffects } from '../../core/marker/markerSyntax.ts';
import { withMarker } from '../../core/marker/withMarker.ts';
import { withoutMarker } from '../../core/marker/withoutMarker.ts';

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
