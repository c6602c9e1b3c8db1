import { averagedIterations, velocityScheme } from '../../core/backlog/velocity.ts';
import { calendarDay, type ZonedDate } from '../../core/calendar.ts';
import { MAX_POINTS, MAX_PROJECT_NAME } from '../../core/limits.ts';
import type { NewProject } from '../../core/story/project.ts';
import { present } from '../../v3/fields.ts';
import { type Objection, Refusal, unprocessable } from '../ground/errors.ts';
import type { ProjectSettings } from '../store/projects/projects.ts';
import { timeOf } from './storyFields.ts';

/** What is said of a project, new or not; what is left out stays as it is, or as usual. */
type Wanted = Partial<Omit<NewProject, 'startDate'>> & { readonly startDate?: ZonedDate | null };

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MAX_AVERAGED = 10;
const MAX_DONE_SHOWN = 1_000;

/** What a project is set to; the rest is as usual. Throws `Refusal` 422 with all that is wrong. */
export function projectSettings(wanted: NewProject): ProjectSettings {
  const objections = projectObjections(wanted);
  if (objections.length > 0) throw unprocessable(objections);
  return storedSettings(wanted);
}

/** The columns of what was found right. */
export function storedSettings(wanted: Wanted): ProjectSettings {
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

/** All that is wrong, each with its element. */
export function projectObjections(wanted: Wanted): readonly Objection[] {
  const { name = 'x', account = 'x', iterationLength = 1, weekStartDay = 'Monday', pointScale = [0] } = wanted;
  const { initialVelocity = 1, numberOfDoneIterationsToShow: shown = 0 } = wanted;
  const checks: readonly (readonly [field: string, isWrong: boolean, sentence: string])[] = [
    ['name', name.trim() === '', 'A project needs a name.'],
    ['name', name.length > MAX_PROJECT_NAME, `The name of a project has at most ${MAX_PROJECT_NAME} characters.`],
    ['account', !isWithin(account.trim() && account.length, 1, MAX_PROJECT_NAME), ACCOUNT],
    ['iteration_length', !isWithin(iterationLength, 1, 4), 'An iteration lasts from 1 to 4 weeks.'],
    ['week_start_day', !WEEKDAYS.includes(weekStartDay), 'The week starts on a day such as Monday.'],
    ['point_scale', !isScale(pointScale), 'A point scale is a list of ascending whole numbers such as 0,1,2,3.'],
    ['initial_velocity', !isWithin(initialVelocity, 1, MAX_POINTS), VELOCITY],
    ['velocity_scheme', !isScheme(wanted.velocityScheme), SCHEME],
    [DONE_SHOWN, !isWithin(shown, 0, MAX_DONE_SHOWN), `From 0 to ${MAX_DONE_SHOWN} done iterations can be shown.`],
  ];
  const wrong = checks.filter(([, isWrong]) => isWrong).map(([field, , sentence]) => ({ field, sentence }));
  return [...wrong, ...startObjections(wanted.startDate)];
}

const ACCOUNT = `The name of an account has from 1 to ${MAX_PROJECT_NAME} characters.`;
const VELOCITY = 'The initial velocity is a whole number of at least 1.';
const SCHEME = `A velocity scheme is such as "${velocityScheme(3)}", of at most ${MAX_AVERAGED}.`;
const DONE_SHOWN = 'number_of_done_iterations_to_show';

function startObjections(startDate: ZonedDate | null | undefined): readonly Objection[] {
  if (!startDate) return [];
  try {
    startOf(startDate);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.sentences.map((sentence) => ({ field: 'start_date', sentence }));
  }
}

function isWithin(value: number | '', least: number, most: number): boolean {
  return value !== '' && Number.isInteger(value) && value >= least && value <= most;
}

function isScale(points: readonly number[]): boolean {
  const rises = points.every((value, index) => index === 0 || value > (points[index - 1] ?? 0));
  return rises && points.every((value) => Number.isInteger(value) && value >= 0 && value <= MAX_POINTS);
}

function isScheme(scheme: string | undefined): boolean {
  const averaged = Number(/\d{1,4}/.exec(scheme ?? '1')?.[0]);
  return averaged >= 1 && averaged <= MAX_AVERAGED;
}
