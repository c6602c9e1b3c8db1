import { TrackerError } from '../../core/errors.ts';
import type { Intent } from '../../core/intents/intent.ts';
import type { Iteration } from '../../core/story/iteration.ts';
import type { NewStory, Note, Story, StoryEdit, Task } from '../../core/story/story.ts';
import { replacedCharacters } from '../../v3/assumptions.ts';

/** A field's value for telling whether two are the same: servers trim texts, sort labels and leave out what is empty. */
function comparable(name: string, value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return plain(value);
  if (name === 'estimate') return Number(value) < 0 ? '' : String(value);
  if (Array.isArray(value)) return JSON.stringify(value.map((one) => plain(String(one)).toLowerCase()).toSorted());
  const { externalId, time, text } = Object(value) as Readonly<Record<string, unknown>>;
  return String(externalId ?? time ?? text ?? JSON.stringify(value));
}

function plain(text: string): string {
  return replacedCharacters(text).replaceAll(/\r\n?/g, '\n').trim();
}

/** The values that a story has in the fields of an edit. */
export function fieldsOf(story: Story, edit: StoryEdit): Readonly<Record<string, string>> {
  const values: Readonly<Record<string, unknown>> = { ...story };
  return Object.fromEntries(Object.keys(edit).map((name) => [name, comparable(name, values[name])]));
}

/**
 * Whether a story is as an edit wants it, which may have been done without our being told.
 * @throws TrackerError `refused` when it is neither so nor as it was `before`: someone else changed it in the meantime.
 */
export function isEdited(story: Story, edit: StoryEdit, before: Readonly<Record<string, string>> | undefined): boolean {
  const [now, wanted] = [Object.entries(fieldsOf(story, edit)), Object.entries(edit)];
  const open = now.filter(([name, value]) =>
    wanted.some(([one, to]) => one === name && comparable(name, to) !== value),
  );
  const [foreign] = open.filter(([name, value]) => before !== undefined && before[name] !== value);
  if (foreign) {
    const [name, value] = foreign;
    throw new TrackerError('refused', `Someone else changed story #${story.id}. Its ${name} is now “${value}”.`);
  }
  return open.length === 0;
}

/** The comment that came of ours: of its text, and not among those that were there before it was first sent. */
export function noteOfOurs(notes: readonly Note[], text: string, before: readonly number[] = []): Note | undefined {
  return notes.find((note) => !before.includes(note.id) && plain(note.text) === plain(text));
}

/** As `noteOfOurs`, of a new task. */
export function taskOfOurs(tasks: readonly Task[], description: string, before: readonly number[] = []) {
  return tasks.find((task) => !before.includes(task.id) && plain(task.description) === plain(description));
}

/** Whether a story may be what came of a new one: of its name, and of its type where it says one. */
export function isAlike({ name, type }: Story, wanted: NewStory): boolean {
  return plain(name) === plain(wanted.name) && (wanted.type === undefined || type === wanted.type);
}

/** Whether a story stands right before or after another in one of these lists. */
export function isPlaced(
  { iterations, icebox }: { readonly iterations: readonly Iteration[]; readonly icebox: readonly Story[] },
  { storyId, place, targetId }: Intent<'move'>,
): boolean {
  const lists = [iterations.flatMap(({ stories }) => stories), icebox];
  return lists.some((stories) => {
    const ids = stories.map(({ id }) => id);
    const at = ids.indexOf(targetId);
    return at >= 0 && ids[place === 'before' ? at - 1 : at + 1] === storyId;
  });
}
