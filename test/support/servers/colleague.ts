import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { RunningService } from './runningService.ts';

/** Another member of project 1, who does things there. */
export interface Colleague {
  readonly name: string;
  readonly token: string;
  /** Asks the service over HTTP; `path` is below `/services/v3/projects/1`. Throws when the answer is not 200. */
  ask(method: string, path: string, body?: string): Promise<string>;
}

/** Adds a user to the running service's data and makes them a member. */
export async function colleague(
  script: string,
  {
    service,
    dataFolder,
    name,
  }: { readonly service: RunningService; readonly dataFolder: string; readonly name: string },
): Promise<Colleague> {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@bakery.example`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [script, 'user', 'add', '--name', name, '--email', email, '--data', dataFolder],
    { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } },
  );
  const token = stdout.trim().split('\n').at(-1) ?? '';
  const person = `<person><email>${email}</email></person>`;
  await service.ask('POST', '/projects/1/memberships', `<membership>${person}<role>Member</role></membership>`);
  return {
    name,
    token,
    async ask(method, path, body) {
      const response = await fetch(`${service.url}/services/v3/projects/1${path}`, {
        method,
        headers: { 'X-ServiceToken': token, ...(body === undefined ? {} : { 'Content-Type': 'application/xml' }) },
        ...(body === undefined ? {} : { body }),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text;
    },
  };
}
