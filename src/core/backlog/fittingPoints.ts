import type { Project } from '../story/project.ts';
import { isEstimatable } from './workflow.ts';

/**
 * The points nearest to an estimate that a project takes for a story of this type; `undefined` where it takes none. An estimate may be
 * from a time when the project had another scale.
 */
export function fittingPoints(
  type: string,
  estimate: number,
  { pointScale, ...rules }: Pick<Project, 'bugsAndChoresAreEstimatable' | 'pointScale'>,
): number | undefined {
  if (!isEstimatable(type, rules)) return undefined;
  const away = (points: number) => Math.abs(points - estimate);
  return pointScale.toSorted((one, other) => away(one) - away(other))[0] ?? estimate;
}
