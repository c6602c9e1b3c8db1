import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTracker, type HttpTracker } from '../../../../src/client/tracker/httpTracker.ts';
import type { TrackerError, TrackerErrorKind } from '../../../../src/core/errors.ts';
import { UNESTIMATED } from '../../../../src/core/story/story.ts';
import { FixtureServer } from '../../../support/servers/fixtureServer.ts';
import { silentLog } from '../../../support/silentLog.ts';
import { trackerMethods } from '../../../support/trackers/trackerMethods.ts';

const inProject = (storyId: number) => ({ projectId: 7, storyId });
const idsOf = (stories: readonly { readonly id: number }[]) => stories.map(({ id }) => id);

describe('the client against a server that is not ours', () => {
  let server: FixtureServer;
  let tracker: HttpTracker;
  let folder: string;
  const called = new Set<string>();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-'));
  });
  after(() => rm(folder, { recursive: true }));

  beforeEach(async () => {
    server = await FixtureServer.start();
    const token = async () => 'fixture-token';
    tracker = noticed(createTracker({ baseUrl: server.url, token, log: silentLog }), called);
  });
  afterEach(async () => {
    await tracker.close();
    await server.stop();
  });

  const assertFails = async (work: Promise<unknown>, kind: TrackerErrorKind, message: RegExp) =>
    assert.rejects(work, (error: TrackerError) => {
      assert.equal(error.kind, kind, error.message);
      assert.match(error.message, message);
      return true;
    });

  it('reads a project with entities, untyped booleans and a role and elements that nobody knows', async () => {
    const [full, poor] = await tracker.listProjects();
    assert.equal(full?.name, 'Café');
    assert.equal(full?.allowAttachments, true);
    assert.equal(full?.public, false);
    assert.deepEqual(full?.pointScale, [0, 1, 2, 3, 5, 8]);
    assert.deepEqual(full?.labels, ['api', 'café']);
    assert.equal(full?.lastActivityAt?.time, Date.UTC(2010, 0, 16, 23, 39, 10));
    assert.equal(full?.memberships[0]?.role, 'Captain');
    assert.equal(full?.integrations[0]?.fieldName, 'jira_id');
    assert.equal(poor?.allowAttachments, false);
    assert.deepEqual(poor?.memberships, []);
    assert.equal((await tracker.getProject(8)).name, 'Bare');
  });

  it('reads iterations with unknown states and types as they came', async () => {
    const [current, next] = await tracker.currentBacklog(7);
    assert.deepEqual(
      current?.stories.map(({ type, state, name }) => [type, state, name]),
      [
        ['feature', 'started', 'Café テスト <menu>'],
        ['bug', 'on_hold', '007'],
        ['epic', 'unstarted', 'Move house'],
      ],
    );
    assert.equal(current?.start?.time, Date.UTC(2011, 6, 4, 4));
    assert.deepEqual(next?.finish, { text: '2011/08/01 00:00:00 XQT' });
    assert.deepEqual(idsOf(next?.stories ?? []), [104, 105, 106, 107]);
  });

  it('takes an empty list in its old form for an empty list', async () => {
    assert.deepEqual(await tracker.listIterations(8, 'done', { limit: 5, offset: -5 }), []);
    assert.deepEqual(await tracker.listStories(8, {}), []);
    assert.deepEqual(await tracker.deliverAllFinished(7), []);
    assert.deepEqual(await tracker.listNotes(inProject(104)), []);
  });

  it('keeps a date whose zone it does not know as text', async () => {
    const [done] = await tracker.listIterations(7, 'done', { limit: 1, offset: -1 });
    const [story] = done?.stories ?? [];
    assert.deepEqual(story?.createdAt, { text: '2010/11/30 08:00:00 XQT' });
    assert.equal(story?.acceptedAt?.time, Date.UTC(2011, 6, 4, 22));
  });

  it('reads a full story, and one with next to nothing', async () => {
    const rich = await tracker.getStory(inProject(101));
    assert.equal(rich.description, 'Two lines:\nrésumé & more');
    assert.equal(rich.requestedBy, 'Zoë Example');
    assert.equal(rich.createdAt?.time, Date.UTC(2010, 11, 1, 14, 30));
    assert.equal(rich.updatedAt?.time, Date.UTC(2011, 6, 1, 13, 30));
    assert.equal(rich.ticket?.externalId, '007');
    assert.deepEqual(
      rich.attachments.map(({ filename, url }) => [filename, url]),
      [
        ['menu.txt', undefined],
        ['trap.html', undefined],
      ],
    );
    assert.equal(rich.tasks[0]?.complete, true);
    const bare = await tracker.getStory(inProject(102));
    assert.deepEqual([bare.name, bare.estimate, bare.labels, bare.notes], ['007', undefined, [], []]);
  });

  it('lists the icebox by filter and a page by limit and offset', async () => {
    const icebox = await tracker.listStories(7, { filter: 'state:unscheduled' });
    assert.deepEqual(
      icebox.map(({ id, name, estimate }) => [id, name, estimate]),
      [
        [111, 'Sell by the slice', UNESTIMATED],
        [112, 'true', undefined],
      ],
    );
    assert.deepEqual(idsOf(await tracker.listStories(7, { limit: 2, offset: 1 })), [101, 102]);
  });

  it('moves a story before and after another', async () => {
    await tracker.moveStory(inProject(106), 'before', 104);
    assert.deepEqual(server.order, [100, 101, 102, 103, 106, 104, 105, 107, 111, 112]);
    const moved = await tracker.moveStory(inProject(104), 'after', 107);
    assert.equal(moved.name, 'Bake bread');
    assert.deepEqual(server.order, [100, 101, 102, 103, 106, 105, 107, 104, 111, 112]);
    const { query, headers, body } = server.requests.at(-1) ?? assert.fail('nothing was asked');
    assert.deepEqual([...query].sort(), [
      ['move[move]', 'after'],
      ['move[target]', '107'],
    ]);
    assert.equal(headers['content-length'], '0');
    assert.equal(body.length, 0);
  });

  it('creates, changes and deletes a story', async () => {
    const made = await tracker.createStory(7, { name: 'Fish & <chips>', labels: ['a', 'b'], estimate: 2 });
    assert.deepEqual([made.name, made.labels, made.estimate], ['Fish & <chips>', ['a', 'b'], 2]);
    const edited = await tracker.updateStory(inProject(made.id), { labels: [], state: 'started', ownedBy: 'Ana' });
    assert.deepEqual([edited.labels, edited.state, edited.ownedBy], [[], 'started', 'Ana']);
    const { value, tag } = await tracker.getTaggedStory(inProject(made.id));
    assert.deepEqual([value.id, tag], [made.id, undefined]);
    assert.equal((await tracker.moveToProject(inProject(made.id), 8)).id, made.id);
    assert.equal((await tracker.deleteStory(inProject(made.id)))?.id, made.id);
    await assertFails(
      tracker.getStory(inProject(made.id)),
      'notFound',
      /does not have this, or it is in a project you do not belong to/,
    );
  });

  it('takes an empty answer to a change or a deletion for done, and a page of something else not', async () => {
    const { id } = await tracker.addTask(inProject(104), 'knead');
    for (const status of [200, 204]) {
      server.reply(/PUT .*\/tasks\//, { status, body: '' });
      assert.equal((await tracker.updateTask(inProject(104), id, { complete: true })).description, 'knead');
      server.reply(/DELETE .*\/tasks\//, { status, body: '' });
      assert.equal(await tracker.removeTask(inProject(104), id), undefined);
      server.reply(/DELETE .*\/stories\//, { status, body: ' \n' });
      assert.equal(await tracker.deleteStory(inProject(104)), undefined);
    }
    for (const body of ['<!DOCTYPE html><p>Sign in', '<message>Moved</message>', '{}']) {
      server.reply(/DELETE .*/, { status: 200, body }, 2);
      await assertFails(tracker.deleteStory(inProject(104)), 'protocol', /./);
      await assertFails(tracker.removeTask(inProject(104), id), 'protocol', /./);
    }
  });

  it('links a ticket under the name of the integration', async () => {
    const ticket = { prefix: 'jira', externalId: '42', integrationId: 3 };
    const linked = await tracker.updateStory(inProject(104), { ticket });
    assert.equal(linked.ticket?.externalId, '42');
    assert.match(server.routes.story(104).elements.get('jira_id') ?? '', />42</);
  });

  it('comments and keeps tasks', async () => {
    assert.equal((await tracker.addNote(inProject(104), 'Ça va?\n<ok>')).text, 'Ça va?\n<ok>');
    assert.equal((await tracker.listNotes(inProject(104)))[0]?.text, 'Ça va?\n<ok>');
    const { id } = await tracker.addTask(inProject(104), 'knead');
    assert.equal((await tracker.updateTask(inProject(104), id, { complete: true })).complete, true);
    assert.deepEqual(
      (await tracker.listTasks(inProject(104))).map(({ description, complete }) => [description, complete]),
      [['knead', true]],
    );
    assert.deepEqual(await tracker.getTaggedTask(inProject(104), id), {
      value: (await tracker.listTasks(inProject(104)))[0],
    });
    await assertFails(tracker.getTaggedTask(inProject(104), id + 1), 'notFound', /./);
    const edited = await tracker.updateTask(inProject(104), id, { description: 'fold' }, { ifMatch: '"ignored"' });
    assert.equal(edited.description, 'fold');
    await tracker.removeTask(inProject(104), id);
    assert.deepEqual(await tracker.listTasks(inProject(104)), []);
  });

  it('attaches a file with an awkward name, every byte of it', async () => {
    const bytes = Buffer.from('--boundary\r\n\0\r\n\r\n--'.repeat(5000));
    const path = join(folder, 'bytes.bin');
    await writeFile(path, bytes);
    const filename = 'a "quoted" é.bin';
    const { id } = await tracker.uploadAttachment(inProject(104), { kind: 'file', path, filename });
    const kept = server.routes.story(104).files.get(id);
    assert.equal(kept?.filename, filename);
    assert.ok(kept.bytes.equals(bytes));
    const { url } = await tracker.getAttachment(inProject(104), id);
    const downloaded = await fetch(url ?? '');
    assert.ok(Buffer.from(await downloaded.arrayBuffer()).equals(bytes));
  });

  it('copes with attachments that have no address', async () => {
    const attachment = await tracker.getAttachment(inProject(101), 31);
    assert.deepEqual([attachment.filename, attachment.url], ['menu.txt', undefined]);
  });

  it('reads activity whose versions count per project', async () => {
    const all = await tracker.listActivities({ limit: 100 });
    assert.deepEqual(
      all.map(({ id, version, projectId }) => [id, version, projectId]),
      [
        [904, 2, 8],
        [903, 2, 7],
        [902, 1, 8],
        [901, 1, 7],
      ],
    );
    const [latest, ...others] = await tracker.listActivities({ projectId: 7, newerThanVersion: 1 });
    assert.deepEqual(others, []);
    assert.equal(latest?.eventType, 'story_teleport');
    assert.deepEqual(latest?.stories[0]?.cleared, ['ownedBy']);
  });

  it('links a commit to the stories its marker names', async () => {
    const commit = { commitId: 'abc123', message: 'Knead longer [fixes #104 #105]', author: 'Ana Example' };
    assert.equal((await tracker.postSourceCommit(commit)).length, 2);
    assert.equal((await tracker.getStory(inProject(105))).state, 'finished');
    assert.deepEqual(await tracker.postSourceCommit({ ...commit, message: 'no story' }), []);
    assert.deepEqual(await tracker.postHostedCommits('{"commits":[]}'), []);
    assert.equal(server.requests.at(-1)?.query.get('token'), 'fixture-token');
  });

  it('creates a project and reads and changes its members', async () => {
    assert.equal((await tracker.createProject({ name: 'New', noOwner: true })).name, 'New');
    assert.match(server.requests.at(-1)?.body.toString() ?? '', /<no_owner type="boolean">true<\/no_owner>/);
    assert.equal((await tracker.listMyMemberships())[0]?.person.name, 'Ana Example');
    assert.equal((await tracker.listMemberships(7))[0]?.person.name, 'Ana Example');
    assert.equal((await tracker.listMyMemberships())[0]?.person.name, 'Ana Example');
    const person = { email: 'b@example.test', name: 'B' };
    assert.equal((await tracker.addMembership(7, { role: 'Member', person })).id, 5);
    assert.equal((await tracker.removeMembership(7, 5)).id, 5);
    assert.equal((await tracker.tryRemoveMembership(7, 5)).id, 5, 'which it takes for the same');
  });

  it('says that there are no settings of projects where a server has none', async () => {
    const edit = { name: 'New' };
    const asked = [
      () => tracker.getProjectSettings(7),
      () => tracker.updateProject(7, edit),
      () => tracker.planAfterEdit(7, edit),
      () => tracker.updateMembership(7, 5, 'Viewer'),
      () => tracker.giveNameTo(7, 5, { name: 'Ben' }),
      () => tracker.addIntegration(7, edit),
      () => tracker.updateIntegration(7, 3, edit),
      () => tracker.removeIntegration(7, 3),
    ];
    for (const ask of asked) await assertFails(ask(), 'notFound', /./);
  });

  it('gets a token for name and password', async () => {
    assert.equal(await tracker.activeToken({ username: 'ana', password: 'secret' }), 'fixture-token');
    await assertFails(tracker.activeToken({ username: 'ana', password: 'wrong' }), 'unauthorized', /./);
  });

  it('sends the token in the header asked for', async () => {
    await tracker.listProjects();
    assert.equal(server.requests.at(-1)?.headers['x-servicetoken'], 'fixture-token');
    const older = createTracker({
      baseUrl: server.url,
      token: async () => 'fixture-token',
      tokenHeader: 'X-TrackerToken',
      log: silentLog,
    });
    await older.listProjects();
    await older.close();
    assert.equal(server.requests.at(-1)?.headers['x-trackertoken'], 'fixture-token');
    assert.equal(server.requests.at(-1)?.headers['x-servicetoken'], undefined);
  });

  it('turns each kind of error into a sentence', async () => {
    const unestimated = tracker.updateStory(inProject(111), { state: 'started' });
    await assertFails(unestimated, 'refused', /^Stories in the started state must be estimated\. Think first\.$/);
    await assertFails(tracker.moveStory(inProject(104), 'before', 1), 'refused', /^Target story is missing\.$/);
    await assertFails(
      tracker.getStory(inProject(1)),
      'notFound',
      /does not have this, or it is in a project you do not belong to/,
    );
    server.reply(/GET \/projects$/, { status: 200, type: 'text/html', body: '<!DOCTYPE html><p>Welcome' });
    await assertFails(tracker.listProjects(), 'protocol', /\w/);
    server.token = 'another';
    await assertFails(tracker.listProjects(), 'unauthorized', /Sign in again/);
  });

  it('does not repeat an upload that was cut off', async () => {
    const path = join(folder, 'large.bin');
    await writeFile(path, Buffer.alloc(3_000_000));
    server.cut(/attachments/, 1_000_000);
    const upload = tracker.uploadAttachment(inProject(104), { kind: 'file', path, filename: 'large.bin' });
    await assertFails(upload, 'unreachable', /interrupted/);
    assert.equal(server.requests.length, 0);
    assert.equal(server.routes.story(104).files.size, 0);
  });

  it('says so where it neither imports nor exports, and leaves no file', async () => {
    const path = join(folder, 'stories.csv');
    await writeFile(path, 'Id,Title');
    await assertFails(tracker.importStories(path, { projectName: 'New' }), 'notFound', /./);
    await assertFails(tracker.importProgress(1), 'notFound', /./);
    await assertFails(tracker.importedIds(7, ['1']), 'notFound', /./);
    await assertFails(tracker.renumberedStories(), 'notFound', /./);
    await assertFails(tracker.exportProject(7, 'csv', join(folder, 'exported.csv')), 'notFound', /./);
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('exported')),
      [],
    );
  });

  it('has been asked with every call of the port by these tests', () => {
    const missing = trackerMethods.filter((method) => !called.has(method));
    assert.deepEqual(missing, []);
  });
});

/** The same tracker, with the names of the calls made kept in `called`. */
function noticed(tracker: HttpTracker, called: Set<string>): HttpTracker {
  return new Proxy(tracker, {
    get(target, name) {
      called.add(String(name));
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
