import { UsageError } from '../ground/errors.ts';
import { readNumber } from '../input/optionValues.ts';
import { command, jsonOption } from './command.ts';
import { projectOption } from './projectCommands.ts';
import { readPublicUrl } from './reachOptions.ts';
import { storeOptions, withOpenStore } from './withStore.ts';

const options = {
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
  ...storeOptions,
  ...jsonOption,
} as const;

export const exportCommand = command({
  name: 'export',
  summary: 'write a project with its stories as v3 XML or CSV',
  about:
    'Writes a consistent snapshot of a project with all its stories, comments and tasks, even while services are running. XML includes everything the API offers for a project, and iterations with their own length or strength. CSV has dates without times, and no settings. To keep everything, use backup.',
  options,
  examples: ['--project 1 --output apollo.xml --attachments apollo-files', '--project 1 --format csv > apollo.csv'],
  run: async (given) => {
    if (given.json && given.output === undefined)
      throw new UsageError('--json requires --output because the export is printed.');
    const { exportProject } = await import('../transfer/transfer.ts');
    const wishes = {
      projectId: readNumber(given.project ?? '', 'project', 1, 2_147_483_647),
      format: readFormat(given.format, given.output),
      ...(given.output !== undefined && { path: given.output }),
      ...(given.attachments !== undefined && { attachments: given.attachments }),
      ...(given['public-url'] !== undefined && { base: readPublicUrl(given['public-url']) }),
      hasWebHook: given['web-hook'],
      now: Date.now(),
    };
    const missing = await withOpenStore(given, (store) => exportProject(store, wishes));
    const { projectId: project, format, path: output } = wishes;
    if (given.json) return { text: '', data: { project, format, output, missing } };
    if (missing > 0) process.stderr.write(`${missing} attachments have no file.\n`);
    return undefined;
  },
});

function readFormat(text: string | undefined, output = ''): 'xml' | 'csv' {
  if (text === undefined) return output.toLowerCase().endsWith('.csv') ? 'csv' : 'xml';
  if (text !== 'xml' && text !== 'csv') throw new UsageError('--format must be xml or csv.');
  return text;
}
