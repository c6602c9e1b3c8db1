import type { Story } from '../../../src/core/story/story.ts';
import type { Seeded } from '../../support/measures/seeded.ts';
import type { Held } from './killWriter.ts';
import type { KnownProject, KnownStory } from './knownProject.ts';
import { assertStatus, idOf } from './request.ts';
import type { TestUser } from './testService.ts';
import type { ToldOutside } from './toldOutside.ts';

/** Ada, by way of one process. */
export interface Teller extends TestUser {
  /** Where that process takes replies to mails. */
  readonly replies: string;
}

/** One write, and how to know what became of it. */
export interface Operation {
  /** Throws a `TypeError` when the connection broke, so that nobody knows. */
  send(user: Teller, others: readonly Teller[]): Promise<void>;
  isSeenIn(held: Held): boolean;
  /** To be called once it is known to be done. */
  remember(): void;
}

/** Who writes, where, and under a name that is used once. */
export interface Writing {
  readonly project: KnownProject;
  readonly projects: readonly KnownProject[];
  readonly writer: string;
  readonly chance: Seeded;
  readonly label: string;
  readonly outside: ToldOutside;
}

/** Undefined when there is nothing yet to do it to. */
type Maker = (writing: Writing) => Operation | undefined;

const create = (writing: Writing): Operation => creation(writing, true);

const createToDelete: Maker = (writing) => creation(writing, false);

function creation({ project, writer, label }: Writing, isPlanned: boolean): Operation {
  let id = 0;
  const state = isPlanned ? 'unstarted' : 'unscheduled';
  const body = `<story><name>${label}</name><story_type>chore</story_type><current_state>${state}</current_state></story>`;
  return {
    send: async (user) => {
      id = idOf(await user.post(`/projects/${project.id}/stories`, body));
    },
    isSeenIn: (held) => {
      id = storyIn(held, project, label)?.id ?? 0;
      return id > 0;
    },
    remember: () =>
      project.add({ name: label, id, writer, isPlanned, description: '', isAssigned: false, notes: [], files: [] }),
  };
}

const remove: Maker = ({ project, writer, chance }) => {
  const story = chance.of(ownStories(project, writer).filter(({ isPlanned }) => !isPlanned));
  return (
    story && {
      send: async (user) => assertStatus(await user.delete(path(project, story)), 200),
      isSeenIn: (held) => storyIn(held, project, story.name) === undefined,
      remember: () => {
        project.stories.delete(story.name);
        project.tell(`deleted "${story.name}"`);
      },
    }
  );
};

const move: Maker = ({ project, writer, chance }) => {
  const order = project.orderOf(writer);
  const [name = '', target = ''] = [chance.of(order), chance.of(order)];
  const [story, next] = [project.stories.get(name), project.stories.get(target)];
  if (!story || !next || story === next) return undefined;
  const place = chance.chance(2) ? 'before' : 'after';
  const moved = withMoved(order, name, place, target);
  const isVisible = moved.join() !== order.join();
  const text = `moved "${name}" ${place} "${target}"`;
  // Where others stand between, it may have been moved although its writer's own stories stand as before.
  if (!isVisible) project.mayTell(text);
  return {
    send: async (user) => {
      const query = `move[move]=${place}&move[target]=${next.id}`;
      assertStatus(await user.post(`${path(project, story)}/moves?${query}`), 200);
    },
    isSeenIn: (held) => isVisible && ownOrder(held, project, order).join() === moved.join(),
    remember: () => {
      project.orders.set(writer, moved);
      if (isVisible) project.tell(text);
    },
  };
};

const update: Maker = ({ project, writer, chance, label }) => {
  const story = chance.of(ownStories(project, writer));
  return (
    story && {
      send: async (user) => {
        const body = `<story><description>${label}</description></story>`;
        assertStatus(await user.put(path(project, story), body), 200);
      },
      isSeenIn: (held) => storyIn(held, project, story.name)?.description === label,
      remember: () => {
        story.description = label;
        project.tell(`edited "${story.name}"`);
      },
    }
  );
};

const comment: Maker = ({ project, chance, label }) => {
  const story = chance.of(plannedStories(project));
  return (
    story && {
      send: async (user) => {
        assertStatus(await user.post(`${path(project, story)}/notes`, `<note><text>${label}</text></note>`), 200);
      },
      isSeenIn: (held) => textsOf(held, project, story).includes(label),
      remember: () => addNote(project, story, label),
    }
  );
};

/** Brings about a mail; each story is given once. */
const assign: Maker = ({ project, writer, chance }) => {
  const story = chance.of(ownStories(project, writer).filter(({ isPlanned, isAssigned }) => isPlanned && !isAssigned));
  return (
    story && {
      send: async (user) => {
        assertStatus(await user.put(path(project, story), '<story><owned_by>Bea</owned_by></story>'), 200);
      },
      isSeenIn: (held) => storyIn(held, project, story.name)?.ownedBy === 'Bea',
      remember: () => {
        story.isAssigned = true;
        project.tell(`made Bea the owner of "${story.name}"`);
      },
    }
  );
};

/** Answers a mail that has come. */
const answer: Maker = ({ project, chance, label, outside }) => {
  const told = [...project.stories.values()].filter(({ id }) => outside.replyTo(id) !== undefined);
  const story = chance.of(told);
  const to = story && outside.replyTo(story.id);
  if (!story || to === undefined) return undefined;
  return {
    send: ({ replies }) => outside.answer(replies, to, label),
    isSeenIn: (held) => textsOf(held, project, story).includes(label),
    remember: () => addNote(project, story, label, 'Bea'),
  };
};

/** Two stories, often of two projects; now and then told twice at once, as by a hook and by a person. */
const linkCommit: Maker = ({ projects, chance, label }) => {
  const stories = projects.flatMap((project) => plannedStories(project).map((story) => ({ project, story })));
  const linked = [...new Set([chance.of(stories), chance.of(stories)])].filter((one) => one !== undefined);
  const [first] = linked;
  if (!first) return undefined;
  const message = `[${linked.map(({ story }) => `#${story.id}`).join(' ')}]`;
  const text = `Commit by Ada\n${label}\n\n${message}`;
  const body = `<source_commit><message>${message}</message><author>Ada</author><commit_id>${label}</commit_id></source_commit>`;
  const times = chance.chance(3) ? 2 : 1;
  return {
    send: async (user, others) => {
      const tellers = [user, ...others, user].slice(0, times);
      const answers = await Promise.allSettled(tellers.map((teller) => teller.post('/source_commits', body)));
      const failed = answers.filter((answer) => answer.status === 'rejected');
      for (const answer of answers) if (answer.status === 'fulfilled') assertStatus(answer.value, 200);
      if (failed.length === answers.length) throw failed[0]?.reason;
    },
    isSeenIn: (held) => textsOf(held, first.project, first.story).includes(text),
    remember: () => {
      for (const { project, story } of linked) {
        if (!story.notes.some(isCommit)) project.tell(`started "${story.name}"`);
        addNote(project, story, text);
      }
    },
  };
};

/** From some bytes to more than the service gathers before it writes. */
const SIZES = [20, 3_000, 300_000, 2_500_000];

const upload: Maker = ({ project, writer, chance, label }) => {
  const story = chance.of(ownStories(project, writer));
  const filename = `${label}_${chance.of(SIZES)}`;
  return (
    story && {
      send: async (user) => {
        const form = new FormData();
        form.set('Filedata', new Blob([new Uint8Array(bytesOf(filename))]), filename);
        assertStatus(await user.post(`${path(project, story)}/attachments`, form), 200);
      },
      isSeenIn: (held) => filesOf(held, project, story).includes(filename),
      remember: () => {
        story.files.push(filename);
        project.tell(`added attachment "${filename}" to "${story.name}"`);
      },
    }
  );
};

/** What a file of this name holds. */
export function bytesOf(filename: string): Buffer {
  return Buffer.alloc(Number(filename.split('_')[1]), filename);
}

export const operations: readonly [(writing: Writing) => Operation, ...Maker[]] = [
  ...([create, create, move, move, move, update, update, comment] as const),
  ...([linkCommit, linkCommit, upload, upload, createToDelete, remove, assign, answer] as const),
];

function addNote(project: KnownProject, story: KnownStory, text: string, by = 'Ada'): void {
  story.notes.push(text);
  project.tell(`added comment: "${text.replace(/\s+/g, ' ')}" to "${story.name}"`, by);
}

function isCommit(text: string): boolean {
  return text.startsWith('Commit by ');
}

function path(project: KnownProject, { id }: KnownStory): string {
  return `/projects/${project.id}/stories/${id}`;
}

function ownStories(project: KnownProject, writer: string): readonly KnownStory[] {
  return [...project.stories.values()].filter((story) => story.writer === writer);
}

function plannedStories(project: KnownProject): readonly KnownStory[] {
  return [...project.stories.values()].filter(({ isPlanned }) => isPlanned);
}

function storyIn(held: Held, { id }: KnownProject, name: string): Story | undefined {
  return held.get(id)?.find((story) => story.name === name);
}

function textsOf(held: Held, project: KnownProject, { name }: KnownStory): readonly string[] {
  return storyIn(held, project, name)?.notes.map(({ text }) => text) ?? [];
}

function filesOf(held: Held, project: KnownProject, { name }: KnownStory): readonly string[] {
  return storyIn(held, project, name)?.attachments.map(({ filename }) => filename) ?? [];
}

function ownOrder(held: Held, { id }: KnownProject, names: readonly string[]): readonly string[] {
  return (held.get(id) ?? []).map(({ name }) => name).filter((name) => names.includes(name));
}

function withMoved(
  order: readonly string[],
  name: string,
  place: 'before' | 'after',
  target: string,
): readonly string[] {
  const others = order.filter((each) => each !== name);
  const at = others.indexOf(target) + (place === 'after' ? 1 : 0);
  return [...others.slice(0, at), name, ...others.slice(at)];
}
