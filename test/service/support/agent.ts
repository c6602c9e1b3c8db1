import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { mintToken } from '../../../src/service/store/people/tokens.ts';
import type { TestService, TestUser } from './testService.ts';

/** What a tool answered: its JSON, or the sentence by which it refused. */
interface Answered {
  readonly text: string;
  readonly isError: boolean;
}

/** An agent that speaks with a service as the official client does. */
export class Agent {
  readonly client = new Client({ name: 'agent of a test', version: '1' });

  static async connect({ url }: Pick<TestService, 'url'>, headers: Readonly<Record<string, string>>): Promise<Agent> {
    const agent = new Agent();
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
    await agent.client.connect(transport as Parameters<Client['connect']>[0]);
    return agent;
  }

  static of(service: TestService, { token }: Pick<TestUser, 'token'>): Promise<Agent> {
    return Agent.connect(service, { Authorization: `Bearer ${token}` });
  }

  async call(name: string, input: Readonly<Record<string, unknown>> = {}): Promise<Answered> {
    const { content, isError } = await this.client.callTool({ name, arguments: input });
    const [first] = Array.isArray(content) ? content : [];
    return { text: String(first?.text), isError: isError === true };
  }

  /** The JSON of a tool that did what it was asked to. */
  async answer(name: string, input: Readonly<Record<string, unknown>> = {}) {
    const { text, isError } = await this.call(name, input);
    assert.equal(isError, false, text);
    return JSON.parse(text);
  }

  async assertRefused(name: string, input: Readonly<Record<string, unknown>>, sentence: RegExp): Promise<void> {
    const { text, isError } = await this.call(name, input);
    assert.equal(isError, true, text);
    assert.match(text, sentence);
  }
}

/** A token of a user that only reads. */
export function readOnlyToken({ running }: TestService, { email }: TestUser): Promise<string> {
  return running.database.write(async (tx) => {
    const { id } = await tx.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow();
    return mintToken(tx, id, 'user', Date.now(), { scope: 'read' });
  });
}
