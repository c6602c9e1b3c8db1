import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { StoreUnavailable } from '../../src/service/ground/errors.ts';
import { type EndpointName, endpoints } from '../../src/v3/endpoints.ts';
import { eventually } from '../support/eventually.ts';
import { heapInUse } from './support/heapInUse.ts';
import { newIntegration, newProject, newStory } from './support/project.ts';
import { rawHead } from './support/raw.ts';
import { assertRefused, assertStatus, idOf, textOf } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

/** Bytes of a body just below those that are counted while it is under way, and of a query. */
const [LENGTH, QUERY_LENGTH] = [60_000, 12_000];
/** Bytes that a request may keep while it waits, what it had from the beginning included; commits are kept until all are linked. */
const MOST_KEPT = 30_000;
const MOST_KEPT_QUERY = 7 * QUERY_LENGTH;
const MOST_KEPT_COMMITS = 3.5 * LENGTH;
/** Requests at once: some with each body, and no fewer than these. */
const [AT_ONCE, LEAST] = [4, 60];

/** What each endpoint that reads a body looks for in it. */
const ROOTS: Readonly<Partial<Record<EndpointName, string>>> = {
  createProject: 'project',
  addMembership: 'membership',
  updateProject: 'project',
  updateMembership: 'membership',
  addIntegration: 'integration',
  updateIntegration: 'integration',
  createStory: 'story',
  updateStory: 'story',
  addNote: 'note',
  addTask: 'task',
  updateTask: 'task',
  postSourceCommit: 'source_commit',
};
/** The first three take a file, of which nothing is kept in memory, and the last no body. */
const WITHOUT: readonly EndpointName[] = [
  'uploadAttachment',
  'importNewProject',
  'importStories',
  'deliverAllFinished',
];

/** As many as there is room for. */
function filled(begin: string, part: (index: number) => string, end: string): string {
  const parts: string[] = [];
  for (let length = begin.length + end.length; ; ) {
    const next = part(parts.length);
    length += next.length;
    if (length > LENGTH) return begin + parts.join('') + end;
    parts.push(next);
  }
}

const inBase36 = (index: number): string => index.toString(36);
const some = (most: number, part: (index: number) => string) => (index: number) =>
  index < most ? part(index) : part(index).padEnd(LENGTH, ' ');

/** Bodies of a resource of which as much as can be is made. */
function bodiesOf(root: string, needed: string): readonly string[] {
  const xml = (part: (index: number) => string) => filled(`<${root}>${needed}`, part, `</${root}>`);
  const attributes = Array.from({ length: 32 }, (_, index) => `${'abcdefgh'[index % 8]}${index}=""`).join(' ');
  return [
    xml(() => '<a/>'),
    xml((index) => `<a${inBase36(index)}/>`),
    xml(() => '<id>1</id>'),
    xml(some(200, (index) => `<a${index}_id/>`)),
    xml(() => `<a_id ${attributes}/>`),
    xml(some(200, () => `<a_id ${attributes}/>`)),
    xml(() => `${'<a>'.repeat(20)}${'</a>'.repeat(20)}`),
    filled(`<${root}>${needed}<notes>`, () => '<note><id>1</id><text>a</text></note>', `</notes></${root}>`),
    filled(`<${root}>${needed}<memberships>`, () => '<membership/>', `</memberships></${root}>`),
    filled(`<${root}>${needed}<labels>`, (index) => `${inBase36(index)},`, `</labels></${root}>`),
    filled(`<${root}>${needed}<labels>`, () => 'a,', `</labels></${root}>`),
    filled(`<${root}>${needed}<point_scale>`, () => '1,', `</point_scale></${root}>`),
    filled(`${root}[name]=a`, (index) => `&${root}[${inBase36(index)}]=`, ''),
    filled(
      `${root}[name]=a`,
      some(4_000, (index) => `&${inBase36(index)}=`),
      '',
    ),
    filled(
      `${root}[name]=a`,
      some(4_000, () => `&${root}[labels][]=a`),
      '',
    ),
    filled(`{"${root}":{"name":"a"`, (index) => `,"${inBase36(index)}":1`, '}}'),
    filled(`{"${root}":{"name":"a","x_id":[1`, () => ',[]', ']}}'),
    filled(
      `{"${root}":{"name":"a"},"a":[1`,
      some(3_000, () => ',[]'),
      ']}',
    ),
  ];
}

/** What makes a body one that is done. */
const NEEDED: Readonly<Record<string, string>> = {
  project: '<name>A</name>',
  membership: '<role>Viewer</role><person><email>bea@example.org</email></person>',
  story: '<name>A</name>',
  integration: '<name>A</name>',
  note: '<text>A</text>',
  task: '<description>A</description>',
  source_commit: '<commit_id>1</commit_id><message>[#STORY] A</message><author>A</author>',
};

const PARAMETERS = some(4_000, (index) => `&${inBase36(index)}=`);
const NAMES = Array.from({ length: 198 }, (_, index) => `#${900_000 + index}`).join(' ');

const commits = (part: (index: number) => string) => filled('{"commits":[{"id":"1","message":"[#1]"}', part, ']}');

/** Bodies of endpoints that look for something else than a resource. */
const OTHERS: Readonly<Partial<Record<EndpointName, readonly string[]>>> = {
  moveStory: [filled('move[move]=after&move[target]=1', PARAMETERS, '')],
  postActiveToken: [filled('username=a%40example.org&password=b', PARAMETERS, '')],
  postHostedCommits: [
    commits(some(1_900, (index) => `,{"id":"${inBase36(index)}","message":"[#${index}]"}`)),
    commits(some(9, (index) => `,{"id":"${index}","message":"[${NAMES}]"}`)),
    commits(some(1_900, () => ',{"id":"1","message":"a","added":[1,1,1]}')),
  ],
};

describe('bodies of requests that wait for the store', () => {
  let service: TestService;
  let ada: TestUser;
  let ids: Readonly<Record<string, number>>;
  let waiting = 0;

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada');
    const projectId = await newProject(ada);
    const storyId = await newStory(ada, projectId, 'Buoys');
    const task = await ada.post(
      `/projects/${projectId}/stories/${storyId}/tasks`,
      '<task><description>a</description></task>',
    );
    ids = {
      ...{ projectId, storyId, taskId: idOf(task) },
      membershipId: idOf(await ada.get(`/projects/${projectId}/memberships`)),
      integrationId: await newIntegration(ada, projectId),
    };
    const wish = requestTo('createStory', '<story><name>A</name></story>');
    const many = Array.from({ length: 100 }, () => wish);
    await assertKept('createStory', many, Number.POSITIVE_INFINITY); // What is made once is made now.
  });
  after(() => service.stop());

  /** Lets no change begin, as when others are in the way, and counts those that wait, until what comes back is called: then they fail. */
  function holdWrites(): () => void {
    const { database } = service.running;
    const { write } = database;
    let fail: (error: Error) => void = () => undefined;
    const never = new Promise<never>((_, reject) => {
      fail = reject;
    });
    never.catch(() => undefined);
    waiting = 0;
    database.write = () => {
      waiting += 1;
      return never;
    };
    return () => {
      database.write = write;
      fail(new StoreUnavailable('This is a test.'));
    };
  }

  /** The bytes of a request. */
  function requestTo(name: EndpointName, text: string, query = ''): Buffer {
    const body = text.replaceAll('STORY', String(ids.storyId));
    const { method, path } = endpoints[name];
    const target = `/services/v3${path.replace(/:(\w+)/g, (_, key: string) => String(ids[key]))}?token=${ada.token}`;
    const head = ['Host: localhost', `X-ServiceToken: ${ada.token}`, `Content-Length: ${Buffer.byteLength(body)}`];
    return Buffer.from(rawHead(`${method} ${target}${query} HTTP/1.1`, ...head) + body);
  }

  /** Each of these requests keeps no more bytes than `most`, on average, while those wait that were taken in. */
  async function assertKept(name: EndpointName, requests: readonly Buffer[], most: number): Promise<void> {
    const { hostname, port } = new URL(service.url);
    const sockets: Socket[] = [];
    let answered = 0;
    for (const _ of requests) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.once('data', () => (answered += 1)).on('error', () => undefined);
      sockets.push(socket);
    }
    const goOn = holdWrites();
    const before = heapInUse();
    try {
      for (const [index, socket] of sockets.entries()) socket.write(requests[index] ?? '');
      // Attempts to sign in are counted together; what the service writes by itself is counted, too.
      const least = name === 'postActiveToken' ? 1 : requests.length;
      await eventually(() => assert.ok(waiting + answered >= least, `${waiting} wait, ${answered} are answered`));
      assertStatus(await ada.get('/projects'), 200);
      await eventually(() => {
        const kept = (heapInUse() - before) / requests.length;
        assert.ok(kept <= most, `${Math.round(kept)} bytes each`);
      }, 3_000);
    } finally {
      goOn();
      for (const socket of sockets) socket.destroy();
    }
  }

  it('are tried for every endpoint that takes one', () => {
    const names = Object.entries(endpoints).flatMap(([name, { method }]) =>
      method === 'POST' || method === 'PUT' ? [name] : [],
    );
    assert.deepEqual([...Object.keys(ROOTS), ...Object.keys(OTHERS), ...WITHOUT].sort(), names.sort());
  });

  const wishes = Object.entries(ROOTS).map(([name, root]) => [name, bodiesOf(root, NEEDED[root] ?? '')] as const);
  for (const [name, bodies] of [...wishes, ...Object.entries(OTHERS)] as [EndpointName, readonly string[]][]) {
    it(`keep little more than is needed of them: ${name}`, async () => {
      const most = name === 'postHostedCommits' ? MOST_KEPT_COMMITS : MOST_KEPT;
      const copies = { length: Math.max(AT_ONCE, Math.ceil(LEAST / bodies.length)) };
      const requests = bodies.flatMap((body) => Array.from(copies, () => requestTo(name, body)));
      await assertKept(name, requests, most);
    });
  }

  it('keep little of a query', async () => {
    const parameters = (count: number) => {
      const names = Array.from({ length: count }, (_, index) => inBase36(index));
      return `&${names.join('&')}`.padEnd(QUERY_LENGTH, 'a');
    };
    assertRefused(await ada.get(`/projects?${parameters(1_001)}`), 400, /at most 1,000/);
    const requests = Array.from({ length: 20 }, () =>
      requestTo('createStory', '<story><name>A</name></story>', parameters(990)),
    );
    await assertKept('createStory', requests, MOST_KEPT_QUERY);
  });

  it('are refused before all is made of them that could be, and taken in when they are those of a whole story', async () => {
    const story = `/projects/${ids.projectId}/stories/${ids.storyId}`;
    const fields = (count: number, field: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => field(index)).join('');
    assertRefused(await ada.put(story, `<story>${fields(256, (at) => `<f${at}_id/>`)}</story>`), 400, /too many elem/);
    assertRefused(
      await ada.put(story, `story[name]=a${fields(256, (at) => `&story[f${at}_id]=`)}`),
      400,
      /too many fields/,
    );
    const wide = Object.fromEntries(Array.from({ length: 256 }, (_, at) => [`f${at}_id`, 1]));
    assertRefused(await ada.put(story, JSON.stringify({ story: wide })), 400, /too many fields/);
    const notes = '<note><id type="integer">1</id><text>a</text><author>A</author></note>'.repeat(1_000);
    const tasks = '<task><id>1</id><description>a</description><complete>true</complete></task>'.repeat(1_000);
    const files = '<attachment><id>1</id><filename>a</filename></attachment>'.repeat(500);
    const whole = `${fields(30, (at) => `<f${at}_id/>`)}<notes type="array">${notes}</notes><tasks>${tasks}</tasks>`;
    const body = `<story>${whole}<attachments>${files}</attachments><name>Whole</name></story>`;
    assert.equal(textOf(await ada.put(story, body), 'name'), 'Whole');
  });
});
