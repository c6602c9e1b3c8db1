import { stat } from 'node:fs/promises';
import { openAttachmentFiles } from '../attachments/openAttachmentFiles.ts';
import { UsageError } from '../ground/errors.ts';
import { readNumber } from '../input/optionValues.ts';
import { reportText } from '../transfer/import/importReport.ts';
import { progressBar, withoutFile } from './backupCommand.ts';
import { command, jsonOption } from './command.ts';
import { projectOption } from './projectCommands.ts';
import { readPublicUrl } from './reachOptions.ts';
import { dataOptions, withOpenStore, withStoreMade } from './withStore.ts';

/** Says which user a person of a file is. */
const personOption = {
  person: {
    type: 'string',
    multiple: true,
    default: [] as string[],
    value: 'NAME=ADDRESS',
    help: 'match NAME in the file to the user with this address, and make them a member',
  },
} as const;

const importOptions = {
  project: { type: 'string', value: 'ID', help: 'import into this project (ID from project list)' },
  name: {
    type: 'string',
    value: 'NAME',
    help: 'import into a new project with this name, or the one created by an earlier import',
  },
  format: { type: 'string', value: 'xml|csv', help: 'format of the file', usually: 'detected from its content' },
  owner: { type: 'string', value: 'ADDRESS', help: 'owner of a new project' },
  'add-people': {
    type: 'boolean',
    default: false,
    help: 'create users for unknown people in the file. They cannot sign in until they have a password or a token',
  },
  ...personOption,
  'new-ids': {
    type: 'boolean',
    default: false,
    help: 'give stories new IDs instead of keeping those from the file that are free',
  },
  attachments: {
    type: 'string',
    value: 'FOLDER',
    help: 'attached files: FOLDER/12 is attachment 12 of an XML document, as export writes them; files in FOLDER/34/ are attached to story 34, as exported by the closed service',
  },
  'web-hook': {
    type: 'boolean',
    default: false,
    help: 'post the activity of a new project to the web hook URL in the file. It is not signed until you set a secret with project set',
  },
  'dry-run': { type: 'boolean', default: false, help: 'show what would be imported without changing anything' },
  ...dataOptions,
  ...jsonOption,
} as const;

export const importCommand = command({
  name: 'import',
  summary: "import stories from v3 XML or the closed service's CSV export",
  about:
    'Imports stories with their comments and tasks from an XML document of the v3 API (a project with its stories, as export writes it, a list of stories, or iterations) or from the CSV export of the closed hosted service. If anything fails, nothing is imported. You can import the same file or a newer one again: existing stories are updated, not duplicated, and only where the file has something new.',
  options: importOptions,
  operands: ['FILE'],
  examples: [
    'apollo.csv --name Apollo --owner ada@example.org --dry-run',
    'apollo.csv --name Apollo --owner ada@example.org --add-people',
    'apollo.csv --name Apollo --owner ada@example.org --person "Ben=ben@example.org"',
    'apollo.xml --owner ada@example.org --json',
    'stories.csv --name Apollo --attachments .',
    'more.csv --project 3',
  ],
  run: async (given, [path = '']) => {
    const { importFile } = await import('../transfer/import/importFile.ts');
    if (given.project !== undefined && given.name !== undefined) {
      throw new UsageError('Pass either --project or --name.');
    }
    await refuseNoFile(path);
    const progress = progressBar(process.stderr);
    const wishes = {
      path,
      ...(given.format !== undefined && { format: readFormat(given.format) }),
      ...(given.project !== undefined && { projectId: readNumber(given.project, 'project', 1, 2_147_483_647) }),
      ...(given.name !== undefined && { name: readName(given.name) }),
      ...(given.owner !== undefined && { owner: given.owner }),
      ...(given.attachments !== undefined && { attachments: await readFolder(given.attachments) }),
      addsPeople: given['add-people'],
      persons: readPersons(given.person),
      takesWebHook: given['web-hook'],
      keepsIds: !given['new-ids'],
      isTrial: given['dry-run'],
      now: Date.now(),
      onProgress: progress.show,
    };
    const inStore = wishes.isTrial ? withOpenStore : withStoreMade;
    const report = await inStore(given, async (data) =>
      importFile({ database: data.database, files: await openAttachmentFiles(data) }, wishes),
    ).finally(progress.end);
    return { text: reportText(report), data: report };
  },
});

async function refuseNoFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new UsageError(`Could not find the file ${path}.`);
  if (!found.isFile()) throw new UsageError(`${path} is not a file.`);
}

async function readFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) throw new UsageError(`Could not find the folder ${path}.`);
  return path;
}

function readFormat(text: string): 'xml' | 'csv' {
  if (text !== 'xml' && text !== 'csv') throw new UsageError('--format must be xml or csv.');
  return text;
}

function readName(text: string): string {
  if (text.trim() === '' || text.length > 200) throw new UsageError('--name must be a name of at most 200 characters.');
  return text.trim();
}

/** Addresses by names. Throws `UsageError` for what is no name with an address. */
function readPersons(given: readonly string[]): ReadonlyMap<string, string> {
  const persons = new Map<string, string>();
  for (const text of given) {
    const end = text.lastIndexOf('=');
    const [name, address] = [text.slice(0, Math.max(end, 0)).trim(), text.slice(end + 1).trim()];
    if (name === '' || address === '') {
      throw new UsageError(`--person must be like "Ada Lovelace=ada@example.org", not "${text}".`);
    }
    if (persons.has(name)) throw new UsageError(`--person was passed twice for ${name}.`);
    persons.set(name, address);
  }
  return persons;
}

const exportOptions = {
  ...projectOption,
  format: {
    type: 'string',
    value: 'xml|csv',
    help: 'XML of the v3 API, which import can read back, or CSV for spreadsheets',
    usually: 'from the file name, otherwise xml',
  },
  output: { type: 'string', value: 'FILE', help: 'output file', usually: 'standard output' },
  attachments: {
    type: 'string',
    value: 'FOLDER',
    help: 'save attached files there, each named after its attachment ID, as import expects them',
    usually: 'not exported',
  },
  'web-hook': {
    type: 'boolean',
    default: false,
    help: 'include the web hook URL in the XML. Anyone who reads it may be able to post there. The signing secret is never exported',
  },
  'public-url': { type: 'string', value: 'URL', help: 'address of the service, for story URLs', usually: 'none' },
  ...dataOptions,
  ...jsonOption,
} as const;

export const exportCommand = command({
  name: 'export',
  summary: 'write a project with its stories as v3 XML or CSV',
  about:
    'Writes a consistent snapshot of a project with all its stories, comments and tasks, even while services are running. XML includes everything the API offers for a project, and iterations with their own length or strength. CSV has dates without times, and no settings. To keep everything, use backup.',
  options: exportOptions,
  examples: ['--project 1 --output apollo.xml --attachments apollo-files', '--project 1 --format csv > apollo.csv'],
  run: async (given) => {
    if (given.json && given.output === undefined)
      throw new UsageError('--json requires --output because the export is printed.');
    const { exportProject } = await import('../transfer/exportProject.ts');
    const wishes = {
      projectId: readNumber(given.project ?? '', 'project', 1, 2_147_483_647),
      format: given.format === undefined ? formatOf(given.output) : readFormat(given.format),
      ...(given.output !== undefined && { path: given.output }),
      ...(given.attachments !== undefined && { attachments: given.attachments }),
      ...(given['public-url'] !== undefined && { base: readPublicUrl(given['public-url']) }),
      hasWebHook: given['web-hook'],
      now: Date.now(),
    };
    const missing = await withOpenStore(given, (store) => exportProject(store, wishes));
    const { projectId: project, format, path: output } = wishes;
    if (given.json) return { text: '', data: { project, format, output, missing } };
    if (missing > 0) process.stderr.write(`${withoutFile(missing)}\n`);
    return undefined;
  },
});

/** By the end of a file's name. */
function formatOf(output = ''): 'xml' | 'csv' {
  return output.toLowerCase().endsWith('.csv') ? 'csv' : 'xml';
}
