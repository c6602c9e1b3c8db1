export interface Room {
  readonly imports: readonly string[];
  /** What it may use from outside; `node:` stands for all that Node brings. */
  readonly packages: readonly string[];
  /** Its folders in their order: each imports only from those before it, and files beside the folders have no rule. */
  readonly parts?: readonly string[];
  /** Packages that are for some of the parts only. */
  readonly packagesOfParts?: Readonly<Record<string, readonly string[]>>;
}

/** Among the parts of a package: the files beside the folders. */
export const BESIDE = '';

/** The parts of the SDK for the Model Context Protocol that bring no server of their own. */
const AGENT_PROTOCOL = ['server/index', 'server/webStandardStreamableHttp', 'types'].map(
  (name) => `@modelcontextprotocol/sdk/${name}.js`,
);

/** Every room of the house and what it may import besides itself (architecture). */
export const rooms: Readonly<Record<string, Room>> = {
  core: {
    imports: [],
    packages: [],
    parts: [
      ...['story', 'activeStory', 'marker', 'mentions', 'backlog', 'filter', 'intents', 'moves', 'ports', 'replica'],
      ...['outbox', 'agents'],
    ],
  },
  commandIds: { imports: [], packages: [] },
  remote: { imports: ['core'], packages: [] },
  v3: { imports: ['core'], packages: ['saxes', 'fast-xml-parser', 'node:'] },
  client: {
    imports: ['core', 'v3'],
    packages: ['undici', 'socks', 'fflate', 'node:'],
    parts: ['network', 'http', 'files', 'tracker', 'check'],
  },
  sync: {
    imports: ['core', 'v3', 'client'],
    packages: ['node:'],
    parts: ['file', 'replica', 'refresh', 'commits', 'outbox', 'polling'],
  },
  git: { imports: ['core'], packages: ['simple-git', 'node:'] },
  service: {
    imports: ['core', 'v3'],
    packages: [
      'kysely',
      'pg',
      'fractional-indexing',
      '@fastify/busboy',
      'nodemailer',
      'smtp-server',
      's3mini',
      'postal-mime',
      'csv-parse',
      ...AGENT_PROTOCOL,
      'node:',
    ],
    parts: [
      ...['ground', 'input', 'store', 'memory', 'http', 'auth', 'cache', 'attachments', 'call', 'useCases', 'queue'],
      ...['webHooks', 'mail', 'transfer', 'routes', 'agents', 'pages', 'front', 'metrics', 'start', 'commandLine'],
    ],
    packagesOfParts: {
      kysely: ['store'],
      pg: ['store'],
      'fractional-indexing': ['store'],
      ...Object.fromEntries(AGENT_PROTOCOL.map((name) => [name, ['agents']])),
    },
  },
  host: {
    imports: ['core', 'commandIds', 'remote'],
    packages: ['vscode', 'markdown-it', 'node:'],
    parts: ['shell', 'engine', 'accounts', 'tree', 'projects', 'git', 'story'],
    packagesOfParts: {
      vscode: [BESIDE, 'shell', 'engine', 'accounts', 'tree', 'git', 'story'],
      'markdown-it': ['story'],
    },
  },
  features: { imports: ['core', 'commandIds', 'remote', 'host'], packages: ['vscode', 'node:'] },
};

/** Composition roots: they import anything, nothing imports them. */
export const roots = ['src/extension.ts', 'src/worker.ts'];
export const rootsWithVsCode = ['src/extension.ts'];
