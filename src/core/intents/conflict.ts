import { fieldNames } from '../fieldNames.ts';
import type { Story } from '../story/story.ts';
import { FIELD_WORDS, fieldText } from '../story/storyFields.ts';
import { asServersKeep } from '../text.ts';
import { valuesIn } from './edit.ts';
import type { Intent } from './intent.ts';

/** Something of which a person and someone else have made different things, in the words of each. */
interface ConflictingText {
  /** What people call it in the middle of a sentence. */
  readonly what: string;
  readonly mine: string;
  /** Absent where it is gone. */
  readonly theirs?: string;
}

export interface Conflict {
  /** None where both have come to the same. */
  readonly texts: readonly ConflictingText[];
  /** What makes it as the person wants it, on top of what is there now. */
  readonly keepMine: Intent;
}

/** What an intent would overwrite in a story as it is now; `undefined` for kinds that overwrite nothing. */
export function conflictWith(story: Story, intent: Intent): Conflict | undefined {
  if (intent.kind === 'editTask') return conflictWithTask(story, intent);
  if (intent.kind !== 'edit') return undefined;
  const { kind, storyId, edit } = intent;
  const texts = fieldNames(edit).flatMap((field) => {
    const [mine, theirs] = [fieldText(edit[field]), fieldText(story[field])];
    return asServersKeep(mine) === asServersKeep(theirs) ? [] : [{ what: FIELD_WORDS[field], mine, theirs }];
  });
  return { texts, keepMine: { kind, storyId, edit, known: valuesIn(story, edit) } };
}

/** A task that is gone is made anew, so that what was typed is not lost. */
function conflictWithTask(story: Story, intent: Intent<'editTask'>): Conflict {
  const { storyId, taskId, description: mine } = intent;
  const task = story.tasks.find(({ id }) => id === taskId);
  if (!task) return { texts: [{ what: 'task', mine }], keepMine: { kind: 'newTask', storyId, description: mine } };
  const theirs = task.description;
  const texts = asServersKeep(mine) === asServersKeep(theirs) ? [] : [{ what: 'task', mine, theirs }];
  return { texts, keepMine: { ...intent, known: theirs } };
}
