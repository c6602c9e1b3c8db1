import { TrackerError } from '../../core/errors.ts';
import { fieldNames } from '../../core/fieldNames.ts';
import { visibleLine } from '../../core/shownText.ts';
import type { Story, StoryEdit } from '../../core/story/story.ts';
import { comparableField, FIELD_WORDS, fieldText } from '../../core/story/storyFields.ts';
import { asServersKeep, haveSameBlanks } from '../../core/text.ts';

type Fields = Readonly<Record<string, string>>;

/** The values that a story, or what was seen of it, has in the fields of an edit. A field that is absent there is empty. */
export function fieldsOf(story: Story | StoryEdit, edit: StoryEdit): Fields {
  const values: Readonly<Record<string, unknown>> = { ...story };
  return Object.fromEntries(Object.keys(edit).map((name) => [name, comparableField(name, values[name])]));
}

/**
 * Whether a story is as an edit wants it, which may have been done without our being told.
 * @throws TrackerError `conflict` when it is neither so nor as it was `before`: it was changed elsewhere, by whomever.
 */
export function isEdited(story: Story, edit: StoryEdit, before: Fields | undefined): boolean {
  const [now, wanted] = [fieldsOf(story, edit), fieldsOf(edit, edit)];
  const open = Object.keys(edit).filter((name) => now[name] !== wanted[name]);
  const foreign = open.find((name) => before !== undefined && before[name] !== now[name]);
  if (foreign !== undefined) throw new TrackerError('conflict', changedSentence(story, foreign));
  return open.length === 0;
}

/**
 * Whether all that a story lacks of an edit is blanks at the beginning of a text. Many servers keep none; they are sent all the same where
 * the edit brings them, compared to what was `seen` before.
 */
export function lacksBlanks(story: Story, edit: StoryEdit, seen: StoryEdit = {}): boolean {
  const [now, had]: readonly Readonly<Record<string, unknown>>[] = [{ ...story }, { ...seen }];
  return Object.entries(edit).some(([name, text]) => {
    if (typeof text !== 'string') return false;
    const [is, was] = [now?.[name] ?? '', had?.[name]].map((value) => (typeof value === 'string' ? value : undefined));
    if (is === undefined || asServersKeep(is) !== asServersKeep(text) || haveSameBlanks(is, text)) return false;
    return was === undefined || !haveSameBlanks(was, text);
  });
}

/** Characters of a value that are quoted. */
const QUOTED = 80;

export function quoted(text: string): string {
  return `“${visibleLine(text, QUOTED)}”`;
}

function changedSentence(story: Story, name: string): string {
  const field = fieldNames(FIELD_WORDS).find((one) => one === name);
  const verb = field === 'labels' ? 'were' : 'was';
  const said = `The ${field ? FIELD_WORDS[field] : name} of story #${story.id} ${verb} changed elsewhere.`;
  const value = field ? fieldText(story[field]) : '';
  if (field === 'labels') return `${said} ${value === '' ? 'There are none now.' : `They are ${quoted(value)} now.`}`;
  if (value !== '') return `${said} It is ${quoted(value)} now.`;
  return `${said} ${field === 'name' || field === 'description' ? 'It is empty now.' : 'There is none now.'}`;
}
