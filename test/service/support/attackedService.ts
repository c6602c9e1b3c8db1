import assert from 'node:assert/strict';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text as bodyOf } from 'node:stream/consumers';
import { makeInvitation } from '../../../src/service/auth/invitations.ts';
import { beginSession, sessionOf } from '../../../src/service/auth/sessions.ts';
import type { ServiceEvent } from '../../../src/service/ground/background.ts';
import { addUser } from '../../../src/service/store/people/users.ts';
import { readText } from '../../../src/v3/read.ts';
import type { Seeded } from '../../support/measures/seeded.ts';
import { newBacklog, newIntegration, newProject } from './project.ts';
import { assertStatus, idOf } from './request.ts';
import { startTestService, type TestService, type TestUser } from './testService.ts';
import { wrongBytes } from './wrongBytes.ts';
import { type KnownIds, type PageSecrets, type WrongRequest, wrongRequest } from './wrongRequest.ts';

/** Milliseconds after which a request that is not answered counts as hanging. */
const HANG = 20_000;
/** Milliseconds for which bytes that are no whole request are left to themselves. */
const QUIET = 250;
/** Requests after which another user goes on, with data of their own, so that lists stay as short as they were. */
const TURN = 1_000;

/** What a service logs. */
class Said {
  /** Of all kinds that were used, which stand nowhere in an answer or in the log. */
  readonly tokens = new Set<string>();
  readonly leaks: string[] = [];
  lastMistake = '';

  note(event: ServiceEvent): void {
    if (event.event === 'error') this.lastMistake = String(event.message ?? '').slice(0, 1_500);
    const text = JSON.stringify(event);
    if (this.tokenIn(text) !== undefined) this.leaks.push(text);
  }

  tokenIn(text: string): string | undefined {
    return [...this.tokens].find((token) => text.includes(token));
  }
}

/** Requests after which someone signs in to the pages anew: among those before there were some that signed out. */
const SESSION = 100;

/** A service under attack, and all that it logged as its own mistakes. */
export class AttackedService {
  private readonly chance: Seeded;
  private readonly service: TestService;
  private readonly said: Said;
  private readonly agent = new Agent({ keepAlive: true });
  private user: TestUser | undefined;
  private ids: KnownIds = {};
  private secrets: PageSecrets | undefined;
  private sent = 0;
  private readonly answered = new Map<number, number>();

  private constructor(chance: Seeded, service: TestService, said: Said) {
    this.chance = chance;
    this.service = service;
    this.said = said;
  }

  static async open(chance: Seeded): Promise<AttackedService> {
    const said = new Said();
    const log = (event: ServiceEvent): void => said.note(event);
    return new AttackedService(chance, await startTestService({ bodyTime: 2_000, logsRequests: true, log }), said);
  }

  /** Sends so many well-formed requests, some at a time, and looks at each answer. */
  async attackWithRequests(count: number, atOnce = 4): Promise<void> {
    for (let done = 0; done < count; done += atOnce) {
      const { token } = await this.turn(atOnce);
      if (done % SESSION === 0) await this.newSecrets();
      const requests = Array.from({ length: atOnce }, () => wrongRequest(this.chance, this.ids, token, this.secrets));
      await Promise.all(requests.map((request) => this.send(request, token)));
    }
  }

  /** Sends so many well-formed ones with a token that is nobody's. */
  async attackAsStranger(count: number, atOnce = 4): Promise<void> {
    const { token } = await this.turn(0);
    const stranger = token.split('').reverse().join('');
    for (let done = 0; done < count; done += atOnce) {
      const requests = Array.from({ length: atOnce }, () => wrongRequest(this.chance, this.ids, stranger));
      await Promise.all(requests.map((request) => this.send(request, stranger)));
    }
  }

  /** How often each status was answered. */
  statuses(): string {
    const sorted = [...this.answered].sort(([one], [other]) => one - other);
    return sorted.map(([status, times]) => `${times} × ${status || 'nothing'}`).join(', ');
  }

  /** Sends so many that are bytes of any kind, each over a connection of its own. */
  async attackWithBytes(count: number, atOnce = 50): Promise<void> {
    const { host } = new URL(this.service.url);
    for (let done = 0; done < count; done += atOnce) {
      const { token } = await this.turn(atOnce);
      const inputs = Array.from({ length: atOnce }, () =>
        wrongBytes(this.chance, host, token, wrongRequest(this.chance, this.ids, token)),
      );
      await Promise.all(inputs.map((bytes) => this.throwBytes(bytes)));
    }
  }

  /** That it still answers, as it did before. */
  async assertWell(): Promise<void> {
    const user = await this.service.user(`Well ${this.sent}`);
    const projectId = await newProject(user);
    await newBacklog(user, projectId, ['A']);
    assertStatus(await user.get(`/projects/${projectId}/iterations/current_backlog`), 200);
    assert.equal(this.said.lastMistake, '');
    assert.deepEqual(this.said.leaks, []);
  }

  async close(): Promise<void> {
    this.agent.destroy();
    await this.service.stop();
  }

  private note(status: number): void {
    this.answered.set(status, (this.answered.get(status) ?? 0) + 1);
  }

  /** Of a member who is signed in to the pages, and of someone who was invited. */
  private async newSecrets(): Promise<void> {
    const { projectId = 0 } = this.ids;
    const now = Date.now();
    const name = `Page ${this.sent}`;
    this.secrets = await this.service.running.database.write(async (tx) => {
      const { id } = await addUser(tx, { name, email: `page-${this.sent}-${now}@example.org` }, now);
      await tx.insertInto('memberships').values({ projectId, userId: id, role: 'Member' }).execute();
      const guest = await addUser(tx, { name: 'Guest', email: `guest-${this.sent}-${now}@example.org` }, now);
      const wanted = { userId: guest.id, projectId, invitedBy: name, handedToId: null };
      const session = await beginSession(tx, id, name, now);
      const formKey = (await sessionOf(tx, session, now))?.formKey ?? '';
      return { session, formKey, invitation: (await makeInvitation(tx, wanted, now)).token };
    });
    this.said.tokens.add(this.secrets.session).add(this.secrets.invitation);
  }

  private async turn(count: number): Promise<TestUser> {
    const isOver = Math.floor(this.sent / TURN) !== Math.floor((this.sent + count) / TURN);
    this.sent += count;
    if (this.user === undefined || isOver) await this.newData();
    if (this.user === undefined) throw new Error('There is nobody to send as.');
    return this.user;
  }

  private async newData(): Promise<void> {
    const user = await this.service.user(`Mallory ${this.sent}`);
    const projectId = await newProject(user);
    const [storyId = 0] = await newBacklog(user, projectId, ['A', 'B', 'C']);
    const path = `/projects/${projectId}/stories/${storyId}`;
    const taskId = idOf(await user.post(`${path}/tasks`, '<task><description>T</description></task>'));
    const form = new FormData();
    form.set('Filedata', new Blob(['x']), 'x.txt');
    const attachmentId = idOf(await user.post(`${path}/attachments`, form));
    const membershipId = idOf(await user.get(`/projects/${projectId}/memberships`));
    const integrationId = await newIntegration(user, projectId);
    this.ids = { projectId, storyId, taskId, attachmentId, membershipId, integrationId };
    this.user = user;
    this.said.tokens.add(user.token);
  }

  private async send(request: WrongRequest, token: string): Promise<void> {
    const what = `${request.method} ${request.path} ${JSON.stringify(request.headers)}\n${request.body.toString().slice(0, 2_000)}`;
    const answer = await this.answerTo(request, token).catch((error: unknown) =>
      assert.fail(`${String(error)}: ${what}`),
    );
    const text = await bodyOf(answer);
    this.note(answer.statusCode ?? 0);
    assert.ok((answer.statusCode ?? 0) < 500, `${answer.statusCode}: ${what}\n${this.said.lastMistake}`);
    assert.equal(this.said.lastMistake, '', what);
    assert.equal(this.said.tokenIn(text), undefined, what);
    if (text === '' || answer.headers['content-encoding'] !== undefined) return;
    if (/xml/.test(answer.headers['content-type'] ?? '')) assert.doesNotThrow(() => readText(text), what);
  }

  private answerTo({ method, path, headers, body }: WrongRequest, token: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const all = {
        'X-ServiceToken': token,
        'Content-Length': String(Buffer.byteLength(body)),
        ...headers,
      };
      const request = httpRequest(this.service.url + path, { method, agent: this.agent, headers: all, timeout: HANG });
      request.on('response', resolve).on('error', reject);
      request.on('timeout', () => request.destroy(new Error(`no answer within ${HANG} ms`)));
      request.end(body);
    });
  }

  /** Until it is answered, or for as long as someone waits who does not know that the other one waits too. */
  private async throwBytes(bytes: Buffer): Promise<void> {
    const { hostname, port } = new URL(this.service.url);
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname);
      let answer = '';
      socket.setEncoding('latin1').on('data', (chunk: string) => {
        answer += chunk;
        socket.end();
      });
      socket.setTimeout(QUIET, () => socket.destroy());
      socket.on('error', () => undefined).on('close', () => resolve(answer));
      socket.write(bytes);
    });
    this.note(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0));
    assert.doesNotMatch(text, /HTTP\/1\.1 5/, bytes.toString('latin1').slice(0, 4_000));
    assert.equal(this.said.lastMistake, '', bytes.toString('latin1').slice(0, 4_000));
  }
}
