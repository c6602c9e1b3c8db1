import { averagedIterations, velocityScheme } from '../../core/backlog/velocity.ts';
import { calendarDay, type ZonedDate } from '../../core/calendar.ts';
import type { NewProject } from '../../core/story/project.ts';
import { present } from '../../v3/fields.ts';
import { unprocessable } from '../ground/errors.ts';
import type { Tx } from '../store/database.ts';
import { discardQueue } from '../store/jobs/queues.ts';
import type { UserRow } from '../store/people/users.ts';
import { addMember } from '../store/projects/memberships.ts';
import { addProject, deleteProject, type ProjectRow, type ProjectSettings } from '../store/projects/projects.ts';
import { hookSecret } from '../store/projects/webHook.ts';
import { dropSecret } from '../store/secrets.ts';
import { storedNamesOfProject } from '../store/stories/attachments.ts';
import { timeOf } from './storyFields.ts';

/** Makes a project; the user owns it unless the request says `no_owner` (api-v3.md, Endpoints, rule 3). */
export async function createProject(tx: Tx, user: UserRow, wanted: NewProject, now: number): Promise<ProjectRow> {
  const project = await addProject(tx, wanted.name.trim(), projectSettings(wanted), now);
  if (wanted.noOwner !== true) await addMember(tx, project.id, user.id, 'Owner');
  return project;
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MAX_NAME = 200;
const MAX_POINTS = 10_000;
const MAX_AVERAGED = 10;
const MAX_DONE_SHOWN = 1_000;

/** What a project is set to; the rest is as usual. Throws `Refusal` 422 with all that is wrong. */
export function projectSettings(wanted: NewProject): ProjectSettings {
  refuseWrongProject(wanted);
  const { startDate, velocityScheme: scheme } = wanted;
  return present({
    account: wanted.account?.trim(),
    startDate: startDate && startOf(startDate),
    iterationLength: wanted.iterationLength,
    weekStartDay: wanted.weekStartDay,
    pointScale: wanted.pointScale?.join(',') || undefined,
    initialVelocity: wanted.initialVelocity,
    averagedIterations: scheme === undefined ? undefined : averagedIterations(scheme),
    doneIterationsToShow: wanted.numberOfDoneIterationsToShow,
    enableTasks: claim(wanted.enableTasks),
    allowAttachments: claim(wanted.allowAttachments),
    useHttps: claim(wanted.useHttps),
    bugsAndChoresAreEstimatable: claim(wanted.bugsAndChoresAreEstimatable),
    commitMode: claim(wanted.commitMode),
  });
}

/** Midnight UTC of the day that is written, whatever time and zone come with it. */
function startOf(date: ZonedDate): number {
  const time = timeOf(date, 'start_date');
  return calendarDay(date) ?? time;
}

function claim(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

function refuseWrongProject(wanted: NewProject): void {
  const { name, iterationLength = 1, weekStartDay = 'Monday', pointScale = [], initialVelocity = 1 } = wanted;
  const { account = 'x', numberOfDoneIterationsToShow: shown = 1 } = wanted;
  const sentences: string[] = [];
  if (name.trim() === '') sentences.push('A project needs a name.');
  if (name.length > MAX_NAME) sentences.push(`The name of a project has at most ${MAX_NAME} characters.`);
  if (account.trim() === '' || account.length > MAX_NAME) {
    sentences.push(`The name of an account has from 1 to ${MAX_NAME} characters.`);
  }
  if (iterationLength < 1 || iterationLength > 4) sentences.push('An iteration lasts from 1 to 4 weeks.');
  if (!WEEKDAYS.includes(weekStartDay)) sentences.push('The week starts on a day such as Monday.');
  if (!isScale(pointScale)) sentences.push('A point scale is a list of rising whole numbers such as 0,1,2,3.');
  if (!Number.isInteger(initialVelocity) || initialVelocity < 1 || initialVelocity > MAX_POINTS) {
    sentences.push('The initial velocity is a whole number of at least 1.');
  }
  if (!isScheme(wanted.velocityScheme)) {
    sentences.push(`A velocity scheme is such as "${velocityScheme(3)}", of at most ${MAX_AVERAGED}.`);
  }
  if (shown < 0 || shown > MAX_DONE_SHOWN) sentences.push(`From 0 to ${MAX_DONE_SHOWN} done iterations can be shown.`);
  if (sentences.length > 0) throw unprocessable(sentences);
}

function isScale(points: readonly number[]): boolean {
  const rises = points.every((value, index) => index === 0 || value > (points[index - 1] ?? 0));
  return rises && points.every((value) => Number.isInteger(value) && value >= 0 && value <= MAX_POINTS);
}

function isScheme(scheme: string | undefined): boolean {
  const averaged = Number(/\d{1,4}/.exec(scheme ?? '1')?.[0]);
  return averaged >= 1 && averaged <= MAX_AVERAGED;
}

/** Removes a project with all that is in it, and gives the stored names of its files, to be removed once that is certain. */
export async function removeProject(tx: Tx, { id }: Pick<ProjectRow, 'id'>): Promise<readonly string[]> {
  const files = await storedNamesOfProject(tx, id);
  await discardQueue(tx, { kind: 'web_hook', key: String(id) });
  await dropSecret(tx, hookSecret(id));
  await deleteProject(tx, id);
  return files;
}
