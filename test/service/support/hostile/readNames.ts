import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { EndpointName } from '../../../../src/v3/endpoints.ts';

/** What the service looks for in a request: all that a caller can put something into. */
export interface ReadNames {
  /** Of the document in its body, for those that take one. */
  readonly root: string | undefined;
  /** Elements by their paths below the root, such as `person/email`. */
  readonly elements: readonly string[];
  /** Of the query and of forms. */
  readonly parameters: readonly string[];
  /** In lower case. */
  readonly headers: readonly string[];
  /** Of a JSON payload, by their paths, such as `commits/author/name`. */
  readonly fields: readonly string[];
  readonly isUpload: boolean;
}

/** What answers beside the endpoint table: pages and files for people who hold an address, and the door for agents. */
export const pageNames = [
  'health',
  'storyPage',
  'download',
  'preferences',
  'choosePreferences',
  'formerVersion',
  'account',
  'pressAccount',
  'password',
  'changePassword',
  'invitation',
  'acceptInvitation',
  'agents',
] as const;
export type PageName = (typeof pageNames)[number];
export type TargetName = EndpointName | PageName;

const program = fileURLToPath(new URL('recordNames.ts', import.meta.url));
let known: Promise<Readonly<Record<TargetName, ReadNames>>> | undefined;

/** Found out by asking: a service runs, in a process of its own, with readers that tell what they are asked for. */
export function readNames(): Promise<Readonly<Record<TargetName, ReadNames>>> {
  known ??= promisify(execFile)(process.execPath, [program], { maxBuffer: 16 * 1024 * 1024 }).then(({ stdout }) =>
    JSON.parse(stdout),
  );
  return known;
}
