import { fieldsOf, notesOf, type RulesOfKind } from './rulesOfKind.ts';

export const linkRules: RulesOfKind<'link'> = {
  /** A commit on its way is shown by where it stands in the outbox (`withUnsentIntents.ts`). */
  apply: (backlog) => backlog,
  /** Its marker may change the state of each, never the place in the order. */
  touches: ({ stories }) => stories.flatMap(({ storyId }) => [notesOf(storyId), fieldsOf(storyId)]),
  undo: undefined,
  isRepeatable: false,
  showsPlace: true,
  needsStories: ({ stories }) => stories.map(({ storyId }) => storyId),
};
