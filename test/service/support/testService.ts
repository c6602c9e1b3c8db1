import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../../src/service/start/startService.ts';
import { mintToken } from '../../../src/service/store/people/tokens.ts';
import { addUser } from '../../../src/service/store/people/users.ts';
import { type Answer, request } from './request.ts';
import { databaseOf, dropDatabaseOf } from './testDatabase.ts';

export type ServiceOptions = Parameters<typeof startService>[0];
type RunningService = Awaited<ReturnType<typeof startService>>;

/** A user of a service under test; calls are made with their token. */
export interface TestUser {
  readonly name: string;
  readonly email: string;
  readonly token: string;
  get(path: string): Promise<Answer>;
  post(path: string, body?: string | FormData): Promise<Answer>;
  put(path: string, body?: string): Promise<Answer>;
  delete(path: string): Promise<Answer>;
}

export interface TestService {
  readonly url: string;
  readonly folder: string;
  readonly running: RunningService;
  user(name: string): Promise<TestUser>;
  stop(): Promise<void>;
}

/** A service on a free port over a data folder of its own, which goes with it. */
export async function startTestService(options: Partial<ServiceOptions> = {}): Promise<TestService> {
  const folder = options.dataFolder ?? (await temporaryFolder());
  const running = await startService({ ...(await databaseOf(folder)), ...options, dataFolder: folder });
  return {
    url: running.url,
    folder,
    running,
    user: (name) => newUser(running, name),
    stop: async () => {
      await running.stop();
      if (options.dataFolder !== undefined) return;
      await rm(folder, { recursive: true, force: true });
      await dropDatabaseOf(folder);
    },
  };
}

export function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'story-tracker-service-'));
}

async function newUser({ url, database }: RunningService, name: string): Promise<TestUser> {
  const email = `${name.toLowerCase().replace(/\W+/g, '.')}@example.org`;
  return userOf(url, name, email, await registered({ database }, name, email));
}

/** Makes a user, as an administrator does, and gives their token. */
export function registered(
  { database }: Pick<RunningService, 'database'>,
  name: string,
  email: string,
): Promise<string> {
  return database.write(async (tx) => {
    const { id } = await addUser(tx, { name, email }, Date.now());
    return mintToken(tx, id, 'user', Date.now());
  });
}

export function userOf(url: string, name: string, email: string, token: string): TestUser {
  const call = (method: string, path: string, body?: string | FormData) =>
    request(`${url}/services/v3${path}`, { method, token, ...(body !== undefined && { body }) });
  return {
    name,
    email,
    token,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    put: (path, body) => call('PUT', path, body),
    delete: (path) => call('DELETE', path),
  };
}
