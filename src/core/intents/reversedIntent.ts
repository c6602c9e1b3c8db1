import type { Story, StoryEdit } from '../story/story.ts';
import { editedStory } from './editedStory.ts';
import { type Intent, withLabels } from './intent.ts';

/** What makes a story again what it is now, after the intent; `undefined` for what cannot be taken back. */
export function reversedIntent(story: Story, intent: Intent): Intent | undefined {
  const { storyId } = intent;
  switch (intent.kind) {
    case 'edit':
      return { kind: 'edit', storyId, edit: fieldsBefore(story, intent.edit) };
    case 'labels': {
      const after = withLabels(story.labels, intent.change);
      const change = {
        add: story.labels.filter((label) => !after.includes(label)),
        remove: after.filter((label) => !story.labels.includes(label)),
      };
      return { kind: 'labels', storyId, change, known: after };
    }
    case 'task':
      return { ...intent, complete: !intent.complete };
    default:
      return undefined;
  }
}

/** Whether a story is as an intent left it, so that taking it back undoes nobody else's work. */
export function isAsLeft(story: Story, intent: Intent): boolean {
  if (intent.kind === 'labels') return withLabels(story.labels, intent.change) === story.labels;
  if (intent.kind === 'task') {
    return story.tasks.some(({ id, complete }) => id === intent.taskId && complete === intent.complete);
  }
  if (intent.kind !== 'edit') return true;
  const [now, left]: readonly Fields[] = [{ ...story }, { ...editedStory(story, intent.edit) }];
  return Object.keys(intent.edit).every((name) => sameValue(now?.[name], left?.[name]));
}

type Fields = Readonly<Record<string, unknown>>;

/** The values of the edited fields; `null` for those that the story has not. */
function fieldsBefore(story: Story, edit: StoryEdit): StoryEdit {
  const before: Fields = { ...story, ticket: story.ticket && withoutUrl(story.ticket) };
  return Object.fromEntries(Object.keys(edit).map((name) => [name, valueBefore(name, before[name])]));
}

/** A story that has no estimate yet says so with a negative one, which is no estimate to send. */
function valueBefore(name: string, value: unknown): unknown {
  return value === undefined || (name === 'estimate' && Number(value) < 0) ? null : value;
}

function withoutUrl({ url: _url, ...ticket }: NonNullable<Story['ticket']>) {
  return ticket;
}

/** Tickets are the same by their ids; servers fill in the rest. An estimate that is not there is none. */
function sameValue(now: unknown, left: unknown): boolean {
  return plain(now) === plain(left);
}

function plain(value: unknown): string {
  if (typeof value === 'number' && value < 0) return '';
  const { externalId } = Object(value) as { readonly externalId?: unknown };
  return value === undefined ? '' : JSON.stringify(externalId ?? value);
}
