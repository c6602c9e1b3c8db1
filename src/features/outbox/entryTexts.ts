import { stateWord, typeWord } from '../../core/backlog/stateWords.ts';
import { fieldNames } from '../../core/fieldNames.ts';
import type { Intent, IntentKind, LabelChange } from '../../core/intents/intent.ts';
import type { OutboxEntry } from '../../core/outbox/outbox.ts';
import type { StoryEdit } from '../../core/story/story.ts';
import { fieldWords } from '../../core/story/storyFields.ts';
import { shortHash, visibleLine } from '../../core/text.ts';

/** The part of VS Code that translates, and its language, so that texts can be made without a window too. */
interface Translating {
  readonly env: { readonly language: string };
  readonly l10n: { t(message: string, ...args: readonly (string | number)[]): string };
}

/** What a story is called; `undefined` for one that nobody here knows. */
type NameOf = (storyId: number) => string | undefined;

/** Characters of a name or a comment in a row. */
const LENGTH = 60;

type Translate = Translating['l10n']['t'];

/** What texts are made with: the translation, and how each story is called in them. */
interface Words {
  readonly t: Translate;
  readonly named: (storyId: number) => string;
}

/** What entries are to do and where they stand, in the names that people gave. */
export function entryTexts(vscode: Translating) {
  const { t } = vscode.l10n;
  const age = (milliseconds: number) => ageText(t, milliseconds);
  return {
    /** What is to be done, and to which stories. */
    intent<K extends IntentKind>(intent: Intent<K>, nameOf: NameOf): string {
      const words = wordsFor(t, nameOf);
      return INTENTS[intent.kind](intent, words.named(intent.storyId), words);
    },

    /** Which commit is on which stories. */
    linked(hash: string, storyIds: readonly number[], nameOf: NameOf): string {
      return t('Linked {0} to {1}', shortHash(hash), storyIds.map(wordsFor(t, nameOf).named).join(', '));
    },

    age,

    /** Where an entry stands, since when, when it is tried again, and why, in the server's words where it gave some. */
    state({ state, problem, addedAt, nextAt = 0 }: OutboxEntry, now: number): string {
      const since = age(now - addedAt);
      if (state === 'sending') return t('sending · {0}', since);
      return [
        state === 'failed' ? t('failed · {0}', since) : t('waiting · {0}', since),
        ...(nextAt > now ? [t('next attempt at {0}', timeOfDay(nextAt, vscode.env.language))] : []),
        ...(problem ? [problem.message] : []),
      ].join(' · ');
    },
  };
}

function wordsFor(t: Translate, nameOf: NameOf): Words {
  const named = (storyId: number) => {
    const name = visibleLine(nameOf(storyId) ?? '', LENGTH);
    return name === '' ? `#${storyId}` : t('“{0}”', name);
  };
  return { t, named };
}

/** What an intent of each kind is to do to a story that is called so. */
const INTENTS: { readonly [K in IntentKind]: (intent: Intent<K>, story: string, words: Words) => string } = {
  edit: (intent, story, { t }) => editText(t, intent.edit, story),
  move: ({ place, targetId }, story, { t, named }) =>
    place === 'before'
      ? t('Move {0} before {1}', story, named(targetId))
      : t('Move {0} after {1}', story, named(targetId)),
  labels: ({ change }, story, { t }) => labelsText(t, change, story),
  task: ({ complete }, story, { t }) =>
    complete ? t('Complete a task of {0}', story) : t('Reopen a task of {0}', story),
  newTask: ({ description }, story, { t }) => t('Add a task to {0}: {1}', story, visibleLine(description, LENGTH)),
  editTask: ({ description }, story, { t }) =>
    t('Change a task of {0} to: {1}', story, visibleLine(description, LENGTH)),
  moveTask: ({ position }, story, { t }) => t('Move a task of {0} to place {1}', story, position),
  deleteTask: (_, story, { t }) => t('Delete a task of {0}', story),
  deleteStory: (_, story, { t }) => t('Delete {0}', story),
  moveToProject: (_, story, { t }) => t('Move {0} to another project', story),
  newStory: ({ story: { type, name } }, _, { t }) =>
    type === undefined
      ? t('New story “{0}”', visibleLine(name, LENGTH))
      : t('New {0} “{1}”', typeWord(type), visibleLine(name, LENGTH)),
  comment: ({ text }, story, { t }) => t('Comment on {0}: {1}', story, visibleLine(text, LENGTH)),
  link: ({ stories, commit }, _, { t, named }) =>
    t('Link {0} to {1}', shortHash(commit.commitId), stories.map(({ storyId }) => named(storyId)).join(', ')),
};

function editText(t: Translate, wanted: StoryEdit, story: string): string {
  const { state, name, estimate, ownedBy, ticket } = wanted;
  if (state !== undefined) return t('Change {0} to {1}', story, stateWord(state));
  if (typeof estimate === 'number') return t('Estimate {0} at {1}', story, estimate);
  if (estimate === null) return t('Remove the estimate from {0}', story);
  if (ownedBy !== undefined)
    return ownedBy === null ? t('Unassign {0}', story) : t('Assign {0} to {1}', story, ownedBy);
  if (ticket !== undefined)
    return ticket === null
      ? t('Unlink the ticket from {0}', story)
      : t('Link {0} to ticket {1}', story, ticket.externalId);
  if (name !== undefined) return t('Rename {0} to “{1}”', story, visibleLine(name, LENGTH));
  const [field] = fieldNames(wanted);
  return field ? t('Change the {1} of {0}', story, fieldWords()[field]) : t('Edit {0}', story);
}

function labelsText(t: Translate, { add, remove }: LabelChange, story: string): string {
  const [added, removed] = [add, remove].map((some) => visibleLine(some.join(', '), LENGTH));
  if (!removed) return t('Add label {1} to {0}', story, added ?? '');
  return added
    ? t('Add label {1} to {0} and remove {2}', story, added, removed)
    : t('Remove label {1} from {0}', story, removed);
}

function ageText(t: Translate, milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return t('just now');
  if (minutes < 60) return t('{0} min ago', minutes);
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? t('{0} h ago', hours) : t('{0} days ago', Math.floor(hours / 24));
}

/** By the clock of this machine. */
function timeOfDay(time: number, language: string): string {
  return new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(time);
}
