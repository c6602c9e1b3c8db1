import { defaultDataFolder } from '../dataFolder.ts';
import { projectIntegration } from './projectIntegration.ts';
import { projectIteration } from './projectIteration.ts';
import { projectList } from './projectList.ts';
import { projectSet, settingNames } from './projectSet.ts';
import { UsageError } from './usageError.ts';

const projectHelp = `Usage: service project COMMAND [options]

  list          the projects: id, name and owners, one a line
  set           change settings of a project
  integration   add an integration to a project, or switch one on or off
  iteration     say how long one iteration is and how strong the team is in it

What is changed counts at once, also in services that are running.

  --project ID          the project, in all commands but list
  --set NAME=VALUE      set: a setting and its value; may be given several times. Settings are
                        ${settingNames.slice(0, 6).join(' ')}
                        ${settingNames.slice(6, 9).join(' ')}
                        ${settingNames.slice(9).join(' ')}
  --type, --name, --field, --label, --url
                        integration: a new one; --field is the element of its ticket ids, such as
                        jira_id, and --url what comes before the id in a ticket's address
  --id ID --active true|false
                        integration: switches one on or off
  --number N            iteration: which one
  --strength S          iteration: 1 is a full team, 0.5 half of it, 0 nobody (default: 1)
  --weeks W             iteration: its length (default: as the project says)
  --data DIR            folder of the data (default: ${defaultDataFolder()})
  --database URL        PostgreSQL database of the data, as for serve
  --help                this text

Examples:
  service project set --project 1 --set commit_mode=true --set "velocity_scheme=Average of 2 iterations"
  service project integration --project 1 --type JIRA --name Issues --field jira_id --url https://jira.example.org/browse/
  service project iteration --project 1 --number 12 --strength 0.5
`;

const commands = new Map([
  ['list', projectList],
  ['set', projectSet],
  ['integration', projectIntegration],
  ['iteration', projectIteration],
]);

export async function project(args: readonly string[]): Promise<void> {
  const [name, ...rest] = args;
  if (name === undefined || args.includes('--help')) return void process.stdout.write(projectHelp);
  const command = commands.get(name);
  if (!command) throw new UsageError(`There is no command project ${name}.`);
  process.stdout.write(await command(rest));
}
