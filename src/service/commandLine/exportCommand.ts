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
    help: 'a document of the v3 API, which import takes back, or a table for spreadsheets',
    usually: 'as the file is called, else xml',
  },
  output: { type: 'string', value: 'FILE', help: 'where to', usually: 'standard output' },
  attachments: {
    type: 'string',
    value: 'FOLDER',
    help: 'put the attached files there, each called by the id of its attachment, as import takes them',
    usually: 'they are left out',
  },
  'web-hook': {
    type: 'boolean',
    default: false,
    help: 'say in XML where the activity is posted to; who reads it may be able to post there too. The secret for signing stays here',
  },
  'public-url': { type: 'string', value: 'URL', help: "the service's address, for those of stories", usually: 'none' },
  ...storeOptions,
  ...jsonOption,
} as const;

export const exportCommand = command({
  name: 'export',
  summary: 'write a project with its stories as v3 XML or CSV',
  about:
    'Writes a project with all its stories, comments and tasks as of one moment, while services may be running. XML keeps what the API tells of a project, and which iterations differ from the others; CSV keeps days instead of moments, and no settings. Use backup to keep all.',
  options,
  examples: ['--project 1 --output apollo.xml --attachments apollo-files', '--project 1 --format csv > apollo.csv'],
  run: async (given) => {
    if (given.json && given.output === undefined)
      throw new UsageError('--json needs --output, since the export is printed.');
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
  if (text !== 'xml' && text !== 'csv') throw new UsageError('--format is xml or csv.');
  return text;
}
