import assert from 'node:assert/strict';
import { createTransport } from 'nodemailer';
import { eventually } from '../../support/eventually.ts';
import { HookReceiver } from './hookReceiver.ts';
import type { KnownProject } from './knownProject.ts';
import { type MailServer, startMailServer } from './mailServer.ts';
import { textOf } from './request.ts';
import { rowsOfDatabase, runOnDatabase } from './testDatabase.ts';

/** Milliseconds until all that waits has gone out: leases of those who were killed have to end before. */
const PATIENCE = 60_000;

/** Those to whom a service tells what happens, a receiver of web hooks and a mail server; nobody kills them. */
export class ToldOutside {
  private readonly folder: string;
  private readonly receiver: HookReceiver;
  private readonly server: MailServer;
  private answers = 0;

  private constructor(folder: string, receiver: HookReceiver, server: MailServer) {
    this.folder = folder;
    this.receiver = receiver;
    this.server = server;
  }

  static async open(folder: string): Promise<ToldOutside> {
    return new ToldOutside(folder, await HookReceiver.start(), await startMailServer());
  }

  get mailPort(): number {
    return this.server.port;
  }

  /** What came, in a few words. */
  get summary(): string {
    return `${this.receiver.taken.length} posts and ${this.server.mails.length} mails came, ${this.answers} mails were answered`;
  }

  /** From now on all activity of a project is posted here; nobody writes to it yet. */
  async hook(projectId: number): Promise<void> {
    const url = this.receiver.url(`/${projectId}`);
    await runOnDatabase(this.folder, `update projects set "webHookUrl" = '${url}' where "id" = ${projectId}`);
  }

  /** Where the person who was told of a story by mail may answer, once they were. */
  replyTo(storyId: number): string | undefined {
    return this.mailsOf(storyId)[0]?.replyTo?.[0]?.address;
  }

  /** Answers a mail as Bea; throws a `TypeError` when the connection broke, so that nobody knows. */
  async answer(replies: string, to: string, text: string): Promise<void> {
    const port = Number(replies.split(':').at(-1));
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    const mail = { from: 'Bea <b@example.org>', to, text, messageId: `<${text}@example.org>` };
    await transport.sendMail(mail).catch((error: unknown) => {
      const isAnswer = error instanceof Error && 'responseCode' in error && error.responseCode !== undefined;
      throw isAnswer ? error : new TypeError('The mail was not taken.', { cause: error });
    });
    this.answers += 1;
  }

  /**
   * That each activity of the projects was posted at least once, for the first time in order, and that each story that was given to
   * Bea brought her one mail, however often it came, and no other did.
   */
  async assertTold(projects: readonly KnownProject[]): Promise<void> {
    await eventually(async () => assert.deepEqual(await this.waiting(), []), PATIENCE);
    for (const project of projects) {
      await this.assertPosted(project.id);
      for (const { id, name, isAssigned } of project.stories.values()) {
        const names = new Set(this.mailsOf(id).map(({ messageId }) => messageId));
        assert.equal(names.size, isAssigned ? 1 : 0, `mails of ${name}`);
      }
    }
  }

  async close(): Promise<void> {
    await this.receiver.close();
    await this.server.stop();
  }

  /** What may go out by now. */
  private waiting(): Promise<readonly unknown[]> {
    const due = `"dueAt" < ${Date.now() + 10_000}`;
    return rowsOfDatabase(this.folder, `select "kind", "key", "failures" from queues where ${due}`);
  }

  private async assertPosted(projectId: number): Promise<void> {
    const rows = await rowsOfDatabase(
      this.folder,
      `select "version" from activities where "projectId" = ${projectId} order by "id"`,
    );
    const posts = this.receiver.taken.filter(({ path }) => path === `/${projectId}`);
    const versions = new Set(posts.map(({ body }) => Number(textOf({ text: body }, 'version'))));
    assert.deepEqual(
      [...versions],
      rows.map(({ version }) => Number(version)),
      `web hook of ${projectId}`,
    );
  }

  private mailsOf(storyId: number): MailServer['mails'] {
    return this.server.mails.filter(({ references }) => references === `<story-${storyId}@example.org>`);
  }
}
