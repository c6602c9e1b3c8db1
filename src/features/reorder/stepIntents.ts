import type { Intent } from '../../core/intents/intent.ts';
import type { MoveStep } from './movePlan.ts';

/** What the steps of a move ask of a server, one after the other. */
export function intentsOf(steps: readonly MoveStep[]): readonly Intent[] {
  return steps.flatMap(intentsOfStep);
}

/** First the state, which carries a story over the border of the icebox, then the place. */
export function intentsOfStep({ storyId, state, spot }: MoveStep): readonly Intent[] {
  return [
    ...(state ? [{ kind: 'edit', storyId, edit: { state } } as const] : []),
    ...(spot ? [{ kind: 'move', storyId, ...spot } as const] : []),
  ];
}
