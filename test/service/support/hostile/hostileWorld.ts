import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { invitationPath } from '../../../../src/service/auth/invitations.ts';
import { PREFERENCES_PATH } from '../../../../src/service/call/mails.ts';
import { signedIds } from '../../../../src/service/mail/replyAddress.ts';
import { newToken, tokenHash } from '../../../../src/service/store/people/tokens.ts';
import { PrivateAuthority } from '../../../support/servers/privateAuthority.ts';
import { newProject, newStory } from '../project.ts';
import { idOf, request, textOf, texts } from '../request.ts';
import { runService, type ServiceProcess, serveProcess } from '../serviceProcess.ts';
import { dropDatabaseOf, rowsOfDatabase, runOnDatabase } from '../testDatabase.ts';
import { type TestUser, temporaryFolder, userOf } from '../testService.ts';
import type { Caller, Credentials } from './assaults.ts';
import { isEndpoint, type ParamIds, targetOf } from './hostileTargets.ts';
import type { TargetName } from './readNames.ts';

/** MiB of heap for the service. */
const HEAP = 512;
const PASSWORD = 'correct horse';
const DAY = 86_400_000;
/** Assaults after which others are aimed at, so that one story does not take all that a story can have. */
const TURN = 150;
const BIG_TEXT = 100_000;
const USUAL_STORIES = 200;
const USUAL_TEXT = 100;
const AT_ONCE = 8;
/** Milliseconds that a service has to stop, whatever hangs on it. */
const STOP_PATIENCE = 60_000;

type Role = Exclude<Caller, 'stranger'> | 'watcher' | 'victim';

interface WorldIds extends ParamIds {
  /** An integration whose tickets have their numbers in `other_id`. */
  readonly ticketsId: number;
}

/** A service in a process of its own, users in every role, and something that is there for each path. */
export class HostileWorld {
  readonly process: ServiceProcess;
  /** What the service logged as its own mistakes. */
  readonly mistakes: string[] = [];
  /** A project with long lists. */
  bigIds: ParamIds;
  private readonly folder: string;
  private readonly users: Readonly<Record<Role, TestUser>>;
  private readonly trust: Trust | undefined;
  private readonly sessions: ReadonlyMap<string, string>;
  private ids: WorldIds;
  private turns = 0;
  private addresses = 0;

  private constructor(
    folder: string,
    process: ServiceProcess,
    users: Readonly<Record<Role, TestUser>>,
    ids: WorldIds,
    { trust, sessions }: { readonly trust: Trust | undefined; readonly sessions: ReadonlyMap<string, string> },
  ) {
    this.folder = folder;
    this.process = process;
    this.users = users;
    this.ids = ids;
    this.bigIds = ids;
    this.trust = trust;
    this.sessions = sessions;
    globalThis.process.once('exit', () => process.child.kill('SIGKILL'));
    process.child.stdout.on('data', (chunk: Buffer) => {
      for (const line of chunk.toString().split('\n')) if (line.includes('"event":"error"')) this.mistakes.push(line);
    });
  }

  /** `isSecure`: all callers speak TLS. */
  static async open(isSecure: boolean): Promise<HostileWorld> {
    const trust = isSecure ? new Trust() : undefined;
    const folder = await temporaryFolder();
    const names = ['owner', 'member', 'viewer', 'watcher', 'victim'] as const satisfies Role[];
    const tokens = new Map<Role, string>();
    for (const name of names) {
      const args = ['--name', name, '--email', `${name}@example.org`, '--password-stdin', '--data', folder];
      const added = await runService(['user', 'add', ...args], PASSWORD);
      assert.equal(added.code, 0, added.stderr);
      tokens.set(name, added.stdout.trim().split('\n').at(-1) ?? '');
    }
    const args = ['--data', folder, '--trust-proxy', '127.0.0.1', ...(trust?.files ?? [])];
    const process = await serveProcess(args, undefined, {
      NODE_OPTIONS: `--max-old-space-size=${HEAP}`,
    });
    const user = (name: Role) => userOf(process.url, name, `${name}@example.org`, tokens.get(name) ?? '');
    const users = {
      owner: user('owner'),
      member: user('member'),
      viewer: user('viewer'),
      watcher: user('watcher'),
      victim: user('victim'),
    };
    const ids = await newIds(folder, process.url, users);
    return new HostileWorld(folder, process, users, ids, { trust, sessions: await newSessions(folder) });
  }

  get pid(): number {
    return this.process.child.pid ?? 0;
  }

  /** Something small that only the watcher can see. */
  async watched(): Promise<{ readonly url: string; readonly token: string }> {
    const { watcher } = this.users;
    const projectId = await newProject(watcher, 'Quiet');
    const storyId = await newStory(watcher, projectId, 'Small');
    return {
      url: `${this.process.url}/services/v3/projects/${projectId}/stories/${storyId}`,
      token: watcher.token,
    };
  }

  credentialsOf(caller: Caller): Credentials {
    const { token, email } =
      caller === 'stranger' ? { token: 'nobody', email: 'nobody@example.org' } : this.users[caller];
    this.addresses += 1;
    const address = [10, this.addresses >> 16, (this.addresses >> 8) & 0xff, this.addresses & 0xff].join('.');
    const cookie = `${this.trust ? '__Host-' : ''}story-tracker=${this.sessions.get(caller) ?? 'nobody'}`;
    return { token, cookie, basic: `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`, address };
  }

  /** What an assault is aimed at: what others are aimed at too, or something that may go. */
  async idsFor(name: TargetName): Promise<ParamIds> {
    this.turns += 1;
    if (this.turns % TURN === 0) this.ids = await withNewStory(this.users.owner, this.ids);
    const isHarmless = name !== 'updateMembership' && targetOf(name, this.ids).method !== 'DELETE';
    if (!isEndpoint(name) || isHarmless) return this.ids;
    return withVictims(this.users.owner, this.ids);
  }

  /** Reads and writes as a team of users of the extension does: lists of some hundred stories, each after a change. */
  async useAsUsual(): Promise<void> {
    const { watcher } = this.users;
    const projectId = await newProject(watcher, 'Usual');
    const path = `/projects/${projectId}`;
    const write = async (index: number): Promise<unknown> =>
      newStory(
        watcher,
        projectId,
        `Story ${index}`,
        `<description>${'Word by word. '.repeat(USUAL_TEXT)}</description>`,
      );
    for (let index = 0; index < USUAL_STORIES; index += 1) {
      const reads = ['/stories', '/iterations', '/activities'].map((list) => watcher.get(path + list));
      await Promise.all([write(index), ...reads]);
    }
  }

  /** Fills a project with stories of texts as long as they may be. */
  async fillBig(stories: number): Promise<number> {
    const { owner } = this.users;
    const projectId = await newProject(owner, 'Big');
    const path = `/projects/${projectId}/stories`;
    const made: number[] = [];
    const make = async (): Promise<void> => {
      while (made.length < stories) {
        const index = made.push(0);
        const text = `${index} `.repeat(BIG_TEXT).slice(0, BIG_TEXT);
        const state = index % 2 === 0 ? '<current_state>unstarted</current_state>' : '';
        const body = `<story><name>${index}</name><description>${text}</description>${state}</story>`;
        made[index - 1] = idOf(await owner.post(path, body));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, make));
    this.bigIds = { ...this.ids, projectId, storyId: made[0] ?? 0, otherStoryId: made[1] ?? 0 };
    return made.length;
  }

  /** That it still answers whoever has a right to it. */
  async assertWell(): Promise<void> {
    for (const role of ['owner', 'member', 'viewer'] as const) {
      const answer = await this.users[role].get(`/projects/${this.ids.projectId}/stories?limit=1`);
      assert.equal(answer.status, 200, answer.text);
    }
  }

  async close(): Promise<number | NodeJS.Signals> {
    const kill = setTimeout(() => this.process.child.kill('SIGKILL'), STOP_PATIENCE);
    const code = await this.process.end('SIGTERM');
    clearTimeout(kill);
    this.trust?.end();
    await rm(this.folder, { recursive: true, force: true });
    await dropDatabaseOf(this.folder);
    return code;
  }
}

/** A certificate that this process trusts, until it does so no more. */
class Trust {
  /** What the service is told of it. */
  readonly files: readonly string[];
  private readonly authority = new PrivateAuthority();
  private readonly before = getCACertificates('default');
  private isOver = false;

  constructor() {
    const { cert, key } = this.authority.identity(['localhost', '127.0.0.1']);
    const paths = [this.authority.write('service.pem', String(cert)), this.authority.write('service.key', String(key))];
    this.files = ['--cert', paths[0] ?? '', '--key', paths[1] ?? ''];
    setDefaultCACertificates([...this.before, this.authority.read(this.authority.file)]);
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    setDefaultCACertificates(this.before);
    this.authority.remove();
  }
}

async function newIds(folder: string, url: string, users: Readonly<Record<Role, TestUser>>): Promise<WorldIds> {
  const { owner, member, viewer } = users;
  const projectId = await newProject(owner);
  for (const [user, role] of [
    [member, 'Member'],
    [viewer, 'Viewer'],
  ] as const)
    await addMember(owner, projectId, user, role);
  const field = ['--name', 'Tickets', '--field', 'other_id'];
  const added = await runService([
    ...['project', 'integration', '--project', String(projectId), ...field],
    ...['--data', folder, '--json'],
  ]);
  const { id: ticketsId }: { readonly id: number } = JSON.parse(added.stdout);
  await request(`${url}${PREFERENCES_PATH}?of=1`);
  const [secret] = await rowsOfDatabase(folder, "select value from secrets where name = 'mailKey'");
  const [row] = await rowsOfDatabase(folder, "select id from users where name = 'viewer'");
  const of = signedIds('preferences', Number(row?.id), projectId, String(secret?.value));
  const none = {
    storyId: 0,
    otherStoryId: 0,
    taskId: 0,
    attachmentId: 0,
    membershipId: 0,
    integrationId: 0,
    importId: 1,
  };
  const invitation = invitationPath(await newInvitation(folder, projectId));
  const pages = { preferences: `${PREFERENCES_PATH}?of=${of}`, download: '', invitation };
  return withNewStory(owner, { ...none, ticketsId, projectId, pages });
}

/** Someone who does not follow the link. */
async function newInvitation(folder: string, projectId: number): Promise<string> {
  const token = newToken();
  const email = `guest-${projectId}@example.org`;
  await runOnDatabase(
    folder,
    `insert into users (name, email, initials, "createdAt") values ('Guest', '${email}', 'G', 1)`,
  );
  const now = Date.now();
  await runOnDatabase(
    folder,
    `insert into invitations ("userId", hash, "createdAt", "expiresAt")
     select id, '${tokenHash(token)}', ${now}, ${now + DAY} from users where email = '${email}'`,
  );
  return token;
}

/** Users are signed in to the pages, too. Gives the tokens of their sessions, by their names. */
async function newSessions(folder: string): Promise<ReadonlyMap<string, string>> {
  const sessions = new Map<string, string>();
  const now = Date.now();
  for (const { id, name } of await rowsOfDatabase(folder, 'select id, name from users')) {
    const token = newToken();
    sessions.set(String(name), token);
    await runOnDatabase(
      folder,
      `insert into sessions ("userId", hash, "userAgent", "createdAt", "lastUsedAt", "expiresAt")
       values (${Number(id)}, '${tokenHash(token)}', 'hostile', ${now}, ${now}, ${now + DAY})`,
    );
  }
  return sessions;
}

async function addMember(owner: TestUser, projectId: number, user: TestUser, role: string): Promise<number> {
  const person = `<person><email>${user.email}</email><name>${user.name}</name></person>`;
  return idOf(
    await owner.post(`/projects/${projectId}/memberships`, `<membership><role>${role}</role>${person}</membership>`),
  );
}

async function withNewStory(owner: TestUser, ids: WorldIds): Promise<WorldIds> {
  const { projectId } = ids;
  const otherStoryId = await newStory(owner, projectId, 'Other');
  // Who attacks adds more integrations of this kind, so that the one that is meant is named.
  const ticket = `<other_id>7</other_id><integration_id>${ids.ticketsId}</integration_id>`;
  const storyId = await newStory(owner, projectId, 'Aim', `${ticket}<labels>one,two</labels>`);
  const path = `/projects/${projectId}/stories/${storyId}`;
  const taskId = idOf(await owner.post(`${path}/tasks`, '<task><description>T</description></task>'));
  const form = new FormData();
  form.set('Filedata', new Blob(['x'.repeat(5_000)]), 'x.txt');
  const attachmentId = idOf(await owner.post(`${path}/attachments`, form));
  const address = new URL(
    textOf(await owner.get(`${path}/attachments/${attachmentId}`), 'url').replaceAll('&amp;', '&'),
  );
  const membershipId = Number(texts(await owner.get(`/projects/${projectId}/memberships`), 'id')[0]);
  const spare = '<integration><name>Spare</name><field_name>spare_id</field_name></integration>';
  const integrationId = ids.integrationId || idOf(await owner.post(`/projects/${projectId}/integrations`, spare));
  const pages = { ...ids.pages, download: address.pathname + address.search };
  return { ...ids, storyId, otherStoryId, taskId, attachmentId, membershipId, integrationId, pages };
}

/** A story, a task, a member and an integration that nobody needs. */
async function withVictims(owner: TestUser, ids: ParamIds): Promise<ParamIds> {
  const { projectId } = ids;
  const storyId = await newStory(owner, projectId, 'Victim');
  const task = '<task><description>T</description></task>';
  const taskId = idOf(await owner.post(`/projects/${projectId}/stories/${storyId}/tasks`, task));
  const all = await owner.get(`/projects/${projectId}/memberships`);
  const known = all.text.match(/<id[^>]*>(\d+)<\/id>\s*<person>\s*<email>victim@/)?.[1];
  const victim = { email: 'victim@example.org', name: 'victim' };
  const body = `<membership><role>Member</role><person><email>${victim.email}</email><name>${victim.name}</name></person></membership>`;
  const membershipId =
    known === undefined ? idOf(await owner.post(`/projects/${projectId}/memberships`, body)) : Number(known);
  return { ...ids, storyId, taskId, membershipId, integrationId: await integrationVictim(owner, ids) };
}

/** One that is there already, since a project has so many at most, or a new one. */
async function integrationVictim(owner: TestUser, { projectId, integrationId }: ParamIds): Promise<number> {
  const { text } = await owner.get(`/projects/${projectId}/settings`);
  const all = [...text.matchAll(/<integration>\s*<id[^>]*>(\d+)</g)].map(([, id]) => Number(id));
  const known = all.toSorted((one, other) => one - other).findLast((id) => id > integrationId);
  const victim = '<integration><name>Victim</name><field_name>victim_id</field_name></integration>';
  return known ?? idOf(await owner.post(`/projects/${projectId}/integrations`, victim));
}
