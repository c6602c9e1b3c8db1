import { setOverride } from '../store/iterationOverrides.ts';
import { changedProject } from './changedProject.ts';
import { readNumber, readOptions } from './options.ts';
import { UsageError } from './usageError.ts';
import { storeOptions, withStore } from './withStore.ts';

const MOST_STRENGTH = 10;

const options = {
  project: { type: 'string' },
  number: { type: 'string' },
  strength: { type: 'string', default: '1' },
  weeks: { type: 'string' },
  ...storeOptions,
} as const;

/** Gives an iteration a length and team strength of its own, or the usual ones back. */
export async function projectIteration(args: readonly string[]): Promise<string> {
  const given = readOptions(args, options);
  const number = readNumber(given.number ?? '', 'number', 1, 100_000);
  const teamStrength = readStrength(given.strength);
  const weeks = given.weeks === undefined ? null : readNumber(given.weeks, 'weeks', 1, 4);
  return withStore(given, (database) =>
    changedProject(database, given.project, async (tx, project) => {
      await setOverride(tx, project.id, { number, teamStrength, weeks });
      const length = weeks === null ? 'of the usual length' : `of ${weeks} ${weeks === 1 ? 'week' : 'weeks'}`;
      return `Iteration ${number} is ${length}, with a team strength of ${teamStrength}.\n`;
    }),
  );
}

function readStrength(text: string): number {
  const strength = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || strength > MOST_STRENGTH) {
    throw new UsageError(`--strength has to be a number from 0 to ${MOST_STRENGTH}, such as 0.5.`);
  }
  return strength;
}
