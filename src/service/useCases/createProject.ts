import type { NewProject } from '../../core/project.ts';
import { unprocessable } from '../refusal.ts';
import type { Tx } from '../store/database.ts';
import { addMember } from '../store/memberships.ts';
import { addProject, type ProjectRow, type ProjectSettings } from '../store/projects.ts';
import type { UserRow } from '../store/users.ts';
import { timeOf } from './storyFields.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const DAY = 86_400_000;
const MAX_NAME = 200;
const MAX_POINTS = 10_000;

/** Makes a project; the user owns it unless the request says `no_owner` (api-v3.md, Endpoints, rule 3). */
export async function createProject(tx: Tx, user: UserRow, wanted: NewProject, now: number): Promise<ProjectRow> {
  refuseWrongProject(wanted);
  const project = await addProject(tx, wanted.name.trim(), settingsOf(wanted), now);
  if (wanted.noOwner !== true) await addMember(tx, project.id, user.id, 'Owner');
  return project;
}

function settingsOf({
  iterationLength,
  weekStartDay,
  pointScale,
  initialVelocity,
  startDate,
}: NewProject): ProjectSettings {
  return {
    ...(startDate && { startDate: midnight(timeOf(startDate, 'start_date')) }),
    ...(iterationLength !== undefined && { iterationLength }),
    ...(weekStartDay !== undefined && { weekStartDay }),
    ...(pointScale !== undefined && { pointScale: pointScale.join(',') }),
    ...(initialVelocity !== undefined && { initialVelocity }),
  };
}

function midnight(time: number): number {
  return Math.floor(time / DAY) * DAY;
}

function refuseWrongProject(wanted: NewProject): void {
  const { name, iterationLength = 1, weekStartDay = 'Monday', pointScale = [0], initialVelocity = 1 } = wanted;
  const sentences: string[] = [];
  if (name.trim() === '') sentences.push('A project needs a name.');
  if (name.length > MAX_NAME) sentences.push(`The name of a project has at most ${MAX_NAME} characters.`);
  if (iterationLength < 1 || iterationLength > 4) sentences.push('An iteration lasts from 1 to 4 weeks.');
  if (!WEEKDAYS.includes(weekStartDay)) sentences.push('The week starts on a day such as Monday.');
  if (!isScale(pointScale)) sentences.push('A point scale is a list of rising whole numbers such as 0,1,2,3.');
  if (!Number.isInteger(initialVelocity) || initialVelocity < 1 || initialVelocity > MAX_POINTS) {
    sentences.push('The initial velocity is a whole number of at least 1.');
  }
  if (sentences.length > 0) throw unprocessable(sentences);
}

function isScale(points: readonly number[]): boolean {
  const rises = points.every((value, index) => index === 0 || value > (points[index - 1] ?? 0));
  return (
    points.length > 0 && rises && points.every((value) => Number.isInteger(value) && value >= 0 && value <= MAX_POINTS)
  );
}
