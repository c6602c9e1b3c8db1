import { UsageError } from '../ground/errors.ts';
import { readNumber } from '../input/optionValues.ts';
import { mailPreferences, setAssignedMail } from '../store/people/mailPreferences.ts';
import { userNamed } from '../transfer/import/people.ts';
import { command, jsonOption } from './command.ts';
import { emailOption } from './userCommands.ts';
import { storeOptions, withStore } from './withStore.ts';

const options = {
  ...emailOption,
  assigned: {
    type: 'string',
    isNeeded: true,
    value: 'on|off',
    help: 'whether they get mails of stories assigned to them',
  },
  project: { type: 'string', value: 'ID', help: 'for one project only', usually: 'for all' },
  ...storeOptions,
  ...jsonOption,
} as const;

export const userMail = command({
  name: 'user mail',
  summary: 'say which mails a user gets',
  about:
    'Says whether a user gets mails of stories that others assign to them. They choose it themselves at the address in each mail; a mail is sent where it is on for all and for the project.',
  options,
  examples: ['--email ada@example.org --assigned off', '--email ada@example.org --assigned on --project 1'],
  run: async (given) => {
    const isWanted = readSwitch(given.assigned);
    const projectId = given.project === undefined ? undefined : readNumber(given.project, 'project', 1, 2_147_483_647);
    const { name, email } = await withStore(given, (database) =>
      database.write(async (tx) => {
        const user = await userNamed(tx, given.email);
        if (projectId !== undefined && !(await mailPreferences(tx, projectId, user.id))) {
          throw new UsageError(`${user.name} is not a member of a project ${projectId}.`);
        }
        await setAssignedMail(tx, user.id, projectId, isWanted);
        return user;
      }),
    );
    const where = projectId === undefined ? '' : ` of project ${projectId}`;
    return {
      text: `${name} gets ${isWanted ? 'mails' : 'no mails'} of assigned stories${where}.\n`,
      data: { name, email, project: projectId ?? null, assigned: isWanted },
    };
  },
});

function readSwitch(text: string | undefined): boolean {
  if (text !== 'on' && text !== 'off') throw new UsageError('Give --assigned on or --assigned off.');
  return text === 'on';
}
