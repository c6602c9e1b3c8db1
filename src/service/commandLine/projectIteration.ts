import { UsageError } from '../ground/errors.ts';
import { readNumber } from '../input/optionValues.ts';
import { setOverride } from '../store/projects/iterationOverrides.ts';
import { command, jsonOption } from './command.ts';
import { changedProject, projectOption } from './projectCommands.ts';
import { storeOptions, withStore } from './withStore.ts';

const MOST_STRENGTH = 10;

const options = {
  ...projectOption,
  number: { type: 'string', isNeeded: true, value: 'N', help: 'which iteration' },
  strength: {
    type: 'string',
    default: '1',
    value: 'S',
    help: '1 is a full team, 0.5 half of it, 0 nobody',
  },
  weeks: { type: 'string', value: 'W', help: 'its length', usually: 'as the project says' },
  ...storeOptions,
  ...jsonOption,
} as const;

export const projectIteration = command({
  name: 'project iteration',
  summary: 'say how long one iteration is and how strong the team is in it',
  about: 'Gives an iteration a length and team strength of its own, or the usual ones back.',
  options,
  examples: ['--project 1 --number 12 --strength 0.5', '--project 1 --number 13 --weeks 2'],
  run: async (given) => {
    const number = readNumber(given.number ?? '', 'number', 1, 100_000);
    const teamStrength = readStrength(given.strength);
    const weeks = given.weeks === undefined ? null : readNumber(given.weeks, 'weeks', 1, 4);
    return withStore(given, (database) =>
      changedProject(database, given.project, async (tx, project) => {
        await setOverride(tx, project.id, { number, teamStrength, weeks });
        const length = weeks === null ? 'of the usual length' : `of ${weeks} ${weeks === 1 ? 'week' : 'weeks'}`;
        return {
          text: `Iteration ${number} is ${length}, with a team strength of ${teamStrength}.\n`,
          data: { project: project.id, number, teamStrength, weeks },
        };
      }),
    );
  },
});

function readStrength(text: string): number {
  const strength = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || strength > MOST_STRENGTH) {
    throw new UsageError(`--strength must be a number from 0 to ${MOST_STRENGTH}, such as 0.5.`);
  }
  return strength;
}
