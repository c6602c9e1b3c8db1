import { fieldIn, fieldsIn, partsIn } from './fixtureServerBody.ts';
import { iterations, listed } from './fixtureServerLists.ts';
import { element, firstStories, type KeptStory } from './fixtureServerStore.ts';
import {
  activityXml,
  attachmentXml,
  errors,
  list,
  membershipXml,
  message,
  noteXml,
  poorProjectXml,
  projectXml,
  storyXml,
  taskXml,
  xml,
} from './fixtureServerXml.ts';

export interface Asked {
  readonly method: string;
  /** Below `/services/v3`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly body: Buffer;
  readonly origin: string;
}

export interface Reply {
  readonly status: number;
  readonly body: string | Buffer;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const ok = (body: string): Reply => ({ status: 200, body: xml(body) });
const notFound: Reply = { status: 404, body: message('Resource not found') };
const refused = (...sentences: readonly string[]): Reply => ({ status: 422, body: errors(...sentences) });

type Answer = (asked: Asked, ids: readonly number[]) => Reply;

/** What the fixture server knows and how it answers each request; its project 7 is full, its project 8 tells little. */
export class FixtureRoutes {
  readonly stories: KeptStory[] = firstStories();
  private nextId = 1000;
  private readonly routes: readonly (readonly [RegExp, Answer])[];

  constructor() {
    const project = String.raw`\/projects\/(\d+)`;
    const story = String.raw`${project}\/stories\/(\d+)`;
    const route = (pattern: string, answer: Answer) => [new RegExp(`^${pattern}$`), answer] as const;
    const onStory = (pattern: string, answer: (asked: Asked, story: KeptStory, id: number) => Reply) =>
      route(pattern, (asked, [projectId, storyId, id = 0]) => {
        const found = projectId === 7 ? this.stories.find((one) => one.id === storyId) : undefined;
        return found ? answer(asked, found, id) : notFound;
      });
    this.routes = [
      route(String.raw`GET \/projects`, () => ok(list('projects', [projectXml('Caf&eacute;'), poorProjectXml]))),
      route(String.raw`POST \/projects`, ({ body }) => ok(this.newProject(body.toString()))),
      route(`GET ${project}`, (_, [id]) =>
        id === 7 || id === 8 ? ok(id === 7 ? projectXml('Caf&eacute;') : poorProjectXml) : notFound,
      ),
      route(String.raw`GET \/memberships`, () => ok(list('memberships', [membershipXml]))),
      route(String.raw`GET ${project}\/memberships`, () => ok(list('memberships', [membershipXml]))),
      route(String.raw`POST ${project}\/memberships`, () => ok(membershipXml)),
      route(String.raw`DELETE ${project}\/memberships\/(\d+)`, () => ok(membershipXml)),
      route(String.raw`GET ${project}\/iterations(?:\/\w+)?`, (asked, [id]) =>
        ok(iterations(asked, id === 7 ? this.stories : [])),
      ),
      route(String.raw`GET ${project}\/stories`, (asked, [id]) => ok(listed(asked, id === 7 ? this.stories : []))),
      route(String.raw`POST ${project}\/stories`, ({ body }) => this.newStory(body.toString())),
      route(String.raw`PUT ${project}\/stories\/deliver_all_finished`, () => ok(list('stories', []))),
      onStory(`GET ${story}`, (_, found) => ok(storyXml(found))),
      onStory(`PUT ${story}`, ({ body }, found) => this.edit(found, body.toString())),
      onStory(`DELETE ${story}`, (_, found) => this.remove(found)),
      onStory(String.raw`POST ${story}\/moves`, (asked, found) => this.move(asked, found)),
      onStory(String.raw`GET ${story}\/notes`, (_, found) => ok(list('notes', found.notes.map(noteXml)))),
      onStory(String.raw`POST ${story}\/notes`, ({ body }, found) =>
        ok(this.note(found, fieldIn(body.toString(), 'text'))),
      ),
      onStory(String.raw`GET ${story}\/tasks`, (_, found) => ok(list('tasks', found.tasks.map(taskXml)))),
      onStory(String.raw`POST ${story}\/tasks`, ({ body }, found) => ok(this.newTask(found, body.toString()))),
      onStory(String.raw`(?:PUT|DELETE) ${story}\/tasks\/(\d+)`, (asked, found, id) => this.task(asked, found, id)),
      onStory(String.raw`POST ${story}\/attachments`, (asked, found) => this.attach(asked, found)),
      onStory(String.raw`GET ${story}\/attachments\/(\d+)`, (_, found, id) =>
        found.files.has(id) ? ok(attachmentXml(found, id, found.files.get(id)?.url)) : notFound,
      ),
      route(String.raw`GET (?:\/projects\/(\d+))?\/activities`, (asked, [id]) => ok(activities(asked, id))),
      route(String.raw`POST \/source_commits`, ({ body }) => this.commit(body.toString())),
      route(String.raw`POST \/github_commits`, () => ok(list('notes', []))),
      route(String.raw`(?:GET|POST) \/tokens\/active`, () => ok('<token><guid>fixture-token</guid><id>1</id></token>')),
    ];
  }

  answer(asked: Asked): Reply {
    for (const [pattern, answer] of this.routes) {
      const found = pattern.exec(`${asked.method} ${asked.path}`);
      if (found)
        return answer(
          asked,
          found.slice(1).map((id) => Number(id ?? Number.NaN)),
        );
    }
    return notFound;
  }

  /** The kept story; fails the test that asks for one that is not there. */
  story(id: number): KeptStory {
    const found = this.stories.find((one) => one.id === id);
    if (!found) throw new Error(`the fixture server has no story ${id}`);
    return found;
  }

  private newProject(body: string): string {
    return `<project><id>9</id>${element('name', fieldIn(body, 'name') ?? '')}<memberships type="array"/></project>`;
  }

  private newStory(body: string): Reply {
    if (!fieldIn(body, 'name')) return refused("Name can't be blank");
    const added: KeptStory = { id: this.nextId++, elements: new Map(), files: new Map(), notes: [], tasks: [] };
    added.elements.set('story_type', '<story_type>feature</story_type>');
    added.elements.set('current_state', '<current_state>unscheduled</current_state>');
    this.stories.push(added);
    return this.edit(added, body);
  }

  private edit(found: KeptStory, body: string): Reply {
    if (found.elements.get('estimate')?.includes('-1') && fieldIn(body, 'current_state') === 'started') {
      return refused('Stories in the started state must be estimated.', 'Think first.');
    }
    for (const [name, value] of fieldsIn(body)) {
      if (value === '') found.elements.delete(name);
      else found.elements.set(name, element(name, value));
    }
    return ok(storyXml(found));
  }

  private remove(found: KeptStory): Reply {
    this.stories.splice(this.stories.indexOf(found), 1);
    return ok(storyXml(found));
  }

  private move({ query, body }: Asked, found: KeptStory): Reply {
    const given = query.size > 0 ? query : new URLSearchParams(body.toString());
    const place = given.get('move[move]');
    const target = this.stories.find(({ id }) => String(id) === given.get('move[target]'));
    if (!target || (place !== 'before' && place !== 'after')) return refused('Target story is missing.');
    this.stories.splice(this.stories.indexOf(found), 1);
    this.stories.splice(this.stories.indexOf(target) + (place === 'after' ? 1 : 0), 0, found);
    return ok(storyXml(found));
  }

  private note(found: KeptStory, words = ''): string {
    const note = { id: this.nextId++, text: words, author: 'Ana Example' };
    found.notes.push(note);
    return noteXml(note);
  }

  private newTask(found: KeptStory, body: string): string {
    const task = { id: this.nextId++, description: fieldIn(body, 'description') ?? '', complete: false };
    return taskXml(task, found.tasks.push(task) - 1);
  }

  private task({ method, body }: Asked, found: KeptStory, id: number): Reply {
    const index = found.tasks.findIndex((task) => task.id === id);
    const task = found.tasks[index];
    if (!task) return notFound;
    if (method === 'DELETE') found.tasks.splice(index, 1);
    task.description = fieldIn(body.toString(), 'description') ?? task.description;
    task.complete = (fieldIn(body.toString(), 'complete') ?? String(task.complete)) === 'true';
    const position = Number(fieldIn(body.toString(), 'position') ?? 0);
    if (position > 0) found.tasks.splice(position - 1, 0, ...found.tasks.splice(index, 1));
    return ok(taskXml(task, index));
  }

  private attach({ body, contentType, origin }: Asked, found: KeptStory): Reply {
    const part = partsIn(body, contentType).find(({ name }) => name === 'Filedata');
    if (!part) return { status: 400, body: message('Filedata is missing.') };
    const id = this.nextId++;
    const filename = part.filename.replace(/%22/g, '"').replace(/^.*[/\\](?=.)/s, '');
    found.files.set(id, { filename, bytes: Buffer.from(part.bytes), url: `${origin}/files/${id}?signature=abc` });
    return ok(`<attachment><id>${id}</id><status>Pending</status></attachment>`);
  }

  private commit(body: string): Reply {
    const words = fieldIn(body, 'message') ?? '';
    const bracket = /\[[^\]]*#\d[^\]]*\]/.exec(words)?.[0] ?? '';
    const named = [...bracket.matchAll(/#(\d+)/g)].map(([, id]) => Number(id));
    const stories = this.stories.filter(({ id }) => named.includes(id));
    const notes = stories.map((story) => {
      if (/fix/i.test(bracket)) story.elements.set('current_state', '<current_state>finished</current_state>');
      return this.note(story, `Commit by ${fieldIn(body, 'author')}\n${fieldIn(body, 'commit_id')}\n${words}`);
    });
    return ok(list('notes', notes));
  }
}

/** Versions count per project: both projects have a version 1 and 2. */
function activities({ query }: Asked, projectId: number | undefined): string {
  const newerThan = Number(query.get('newer_than_version') ?? 0);
  const all = [
    { id: 904, version: 2, project: 8, story: 801 },
    { id: 903, version: 2, project: 7, story: 104 },
    { id: 902, version: 1, project: 8, story: 801 },
    { id: 901, version: 1, project: 7, story: 101 },
  ];
  const asked = all.filter(({ version, project }) => version > newerThan && (!projectId || project === projectId));
  const shown = asked.slice(0, Number(query.get('limit') ?? 10));
  return list(
    'activities',
    shown.map(({ id, version, project, story }) => activityXml(id, version, project, story)),
  );
}
