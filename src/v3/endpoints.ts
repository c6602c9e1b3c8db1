/** Where every path of the current API version starts (api-v3.md, Endpoints). */
export const API_ROOT = '/services/v3';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/**
 * What the token of a request must allow: to read, or to change something. An endpoint with `writeUnlessDryRun` changes nothing when it is
 * asked for a dry run, whatever else it is sent, but for the counts of what one may do in an hour; one with `password` takes no token.
 */
type Need = 'read' | 'write' | 'writeUnlessDryRun' | 'password';

interface Endpoint {
  readonly method: Method;
  /** Below `API_ROOT`; `:name` segments are whole numbers. */
  readonly path: string;
  readonly needs: Need;
}

function endpoint<M extends Method, P extends string, N extends Need>(method: M, path: P, needs: N) {
  return { method, path, needs } as const;
}

const get = <P extends string>(path: P) => endpoint('GET', path, 'read');
const post = <P extends string>(path: P) => endpoint('POST', path, 'write');
const put = <P extends string>(path: P) => endpoint('PUT', path, 'write');
const del = <P extends string>(path: P) => endpoint('DELETE', path, 'write');

const PROJECT = '/projects/:projectId';
const STORY = `${PROJECT}/stories/:storyId`;

/** Every request of the protocol; both sides stand on this table. Numbers are those of api-v3.md, the rest is protocol.md. */
export const endpoints = {
  listProjects: get('/projects'),
  createProject: post('/projects'),
  getProject: get(PROJECT),
  updateProject: endpoint('PUT', PROJECT, 'writeUnlessDryRun'),
  getProjectSettings: get(`${PROJECT}/settings`),

  listMyMemberships: get('/memberships'),
  listMemberships: get(`${PROJECT}/memberships`),
  addMembership: post(`${PROJECT}/memberships`),
  getMembership: get(`${PROJECT}/memberships/:membershipId`),
  updateMembership: put(`${PROJECT}/memberships/:membershipId`),
  removeMembership: endpoint('DELETE', `${PROJECT}/memberships/:membershipId`, 'writeUnlessDryRun'),

  addIntegration: post(`${PROJECT}/integrations`),
  updateIntegration: put(`${PROJECT}/integrations/:integrationId`),
  removeIntegration: del(`${PROJECT}/integrations/:integrationId`),

  listIterations: get(`${PROJECT}/iterations`),
  doneIterations: get(`${PROJECT}/iterations/done`),
  currentIteration: get(`${PROJECT}/iterations/current`),
  backlogIterations: get(`${PROJECT}/iterations/backlog`),
  currentBacklog: get(`${PROJECT}/iterations/current_backlog`), // 1

  importNewProject: endpoint('POST', '/imports', 'writeUnlessDryRun'),
  renumberedStories: get('/imports'),
  importProgress: get('/imports/:importId'),
  importStories: endpoint('POST', `${PROJECT}/imports`, 'writeUnlessDryRun'),
  importedStories: get(`${PROJECT}/imports`),
  exportProject: get(`${PROJECT}/export`),

  listStories: get(`${PROJECT}/stories`),
  createStory: post(`${PROJECT}/stories`),
  deliverAllFinished: put(`${PROJECT}/stories/deliver_all_finished`),
  getStory: get(STORY),
  updateStory: put(STORY), // 4 when the body holds a ticket
  deleteStory: del(STORY),
  moveStory: post(`${STORY}/moves`), // 3

  listNotes: get(`${STORY}/notes`),
  addNote: post(`${STORY}/notes`),
  listTasks: get(`${STORY}/tasks`),
  addTask: post(`${STORY}/tasks`),
  getTask: get(`${STORY}/tasks/:taskId`),
  updateTask: put(`${STORY}/tasks/:taskId`),
  removeTask: del(`${STORY}/tasks/:taskId`),

  uploadAttachment: post(`${STORY}/attachments`), // 5
  getAttachment: get(`${STORY}/attachments/:attachmentId`),

  listActivities: get('/activities'), // 2
  projectActivities: get(`${PROJECT}/activities`),

  getActiveToken: endpoint('GET', '/tokens/active', 'password'),
  postActiveToken: endpoint('POST', '/tokens/active', 'password'),

  postSourceCommit: post('/source_commits'), // 6
  postHostedCommits: post('/github_commits'), // 7
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof endpoints;

type Segments<P extends string> = P extends `${infer Head}/${infer Tail}` ? Head | Segments<Tail> : P;
type ParamNames<P extends string> = Segments<P> extends infer S ? (S extends `:${infer Name}` ? Name : never) : never;
/** The numbers that an endpoint's path needs, by name. */
export type EndpointParams<N extends EndpointName> = Readonly<
  Record<ParamNames<(typeof endpoints)[N]['path']>, number>
>;

/** The path of an endpoint below the base URL, `API_ROOT` included. */
export function endpointPath<N extends EndpointName>(name: N, params: EndpointParams<N>): string {
  const values: Readonly<Record<string, number>> = params;
  return API_ROOT + endpoints[name].path.replace(/:(\w+)/g, (_, key: string) => String(values[key]));
}

type EndpointMatch =
  | { readonly kind: 'found'; readonly name: EndpointName; readonly params: Readonly<Record<string, number>> }
  | { readonly kind: 'methodNotAllowed'; readonly allow: readonly Method[] }
  | { readonly kind: 'unknown' };

interface Pattern {
  readonly name: EndpointName;
  readonly method: Method;
  readonly segments: readonly string[];
}

const names = Object.keys(endpoints) as EndpointName[];
const patternsByLength = new Map<number, Pattern[]>();
for (const name of names) {
  const { method, path } = endpoints[name];
  const segments = path.split('/').slice(1);
  const sameLength = patternsByLength.get(segments.length) ?? [];
  patternsByLength.set(segments.length, [...sameLength, { name, method, segments }]);
}

/** Which endpoint a request means; `path` is below `API_ROOT`, without query. A trailing slash is not part of any path. */
export function matchEndpoint(method: string, path: string): EndpointMatch {
  const given = path.split('/').slice(1);
  const allow: Method[] = [];
  for (const pattern of patternsByLength.get(given.length) ?? []) {
    const params = paramsOf(pattern.segments, given);
    if (!params) continue;
    if (pattern.method === method) return { kind: 'found', name: pattern.name, params };
    allow.push(pattern.method);
  }
  return allow.length > 0 ? { kind: 'methodNotAllowed', allow } : { kind: 'unknown' };
}

function paramsOf(pattern: readonly string[], given: readonly string[]): Record<string, number> | undefined {
  const params: Record<string, number> = {};
  for (const [index, segment] of pattern.entries()) {
    const value = given[index] ?? '';
    if (segment.startsWith(':')) {
      if (!/^\d{1,15}$/.test(value)) return undefined;
      params[segment.slice(1)] = Number(value);
    } else if (segment !== value) {
      return undefined;
    }
  }
  return params;
}
