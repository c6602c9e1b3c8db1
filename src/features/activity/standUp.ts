import { stateWord } from '../../core/backlog/stateWords.ts';
import type { Activity } from '../../core/story/activity.ts';
import { visibleLine } from '../../core/text.ts';
import { plainLine } from '../../host/shell/plainText.ts';
import type { ActivityTexts } from './activityTexts.ts';

/** What someone did in one project. */
export interface ProjectDeeds {
  readonly projectName: string;
  /** In any order. */
  readonly activities: readonly Activity[];
  nameOf(storyId: number): string | undefined;
  /** Why some may be missing, as a sentence. */
  readonly remark?: string;
}

/** A list of what someone did, by story, in the order in which each was first touched; projects without deeds are left out. */
export function standUp(title: string, projects: readonly ProjectDeeds[], texts: ActivityTexts): string {
  const active = projects.filter(({ activities }) => activities.length > 0);
  const parts = active.map((project) => {
    const heading = active.length > 1 ? [`**${plainLine(project.projectName)}**`, ''] : [];
    return [...heading, ...linesOf(project, texts)].join('\n');
  });
  const remarks = projects.flatMap(({ remark }) => (remark === undefined ? [] : [`_${remark}_`]));
  return `${[title, ...parts, ...remarks].join('\n\n')}\n`;
}

function linesOf({ activities, nameOf }: ProjectDeeds, texts: ActivityTexts): readonly string[] {
  const ordered = activities.toSorted(oldestFirst);
  const byStory = new Map<number | undefined, Activity[]>();
  for (const activity of ordered) {
    const ids = new Set(activity.stories.map(({ id }) => id));
    for (const id of ids.size === 0 ? [undefined] : ids) byStory.set(id, [...(byStory.get(id) ?? []), activity]);
  }
  return [...byStory].map(([id, done]) => {
    const name =
      id === undefined ? texts.otherwise : `#${id} ${plainLine(nameOf(id) ?? nameIn(done, id) ?? '')}`.trim();
    return `- ${name} — ${deedsText(done, texts)}`;
  });
}

function deedsText(activities: readonly Activity[], texts: ActivityTexts): string {
  const counts = new Map<string, number>();
  for (const activity of activities) {
    const what = deed(activity, texts);
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return [...counts].map(([what, count]) => (count > 1 ? texts.times(what, count) : what)).join(', ');
}

/** The story's name as an activity told it, for one that is not known any more. */
function nameIn(activities: readonly Activity[], storyId: number): string | undefined {
  const changes = activities.flatMap(({ stories }) => stories).filter(({ id }) => id === storyId);
  return changes.findLast(({ changed }) => changed.name !== undefined)?.changed.name;
}

function oldestFirst(one: Activity, other: Activity): number {
  return (one.occurredAt?.time ?? 0) - (other.occurredAt?.time ?? 0) || one.version - other.version;
}

/**
 * What one did, in a word for a list: "started", "commented". States that are not known are told in the server's words. Not shown: the list of
 * event types (api-v3.md); one that nobody knows is told in the server's sentence, without one's name at its beginning.
 */
function deed({ eventType, author, description, stories }: Activity, texts: ActivityTexts): string {
  const changed = stories.map((story) => story.changed);
  const kind = /^(note|comment|attachment|task)_/.exec(eventType)?.[1];
  if (kind === 'note' || kind === 'comment') return texts.commented;
  if (kind === 'attachment') return texts.attached;
  if (kind === 'task') return texts.tasks;
  if (eventType === 'story_create') return texts.added;
  if (eventType === 'story_delete') return texts.deleted;
  const state = changed.find((one) => one.state !== undefined)?.state;
  if (state !== undefined && !WAITING.has(state)) return plainLine(stateWord(state));
  if (changed.some(({ estimate }) => estimate !== undefined)) return texts.estimated;
  if (stories.some(({ cleared, changed: { ownedBy } }) => ownedBy !== undefined || cleared.includes('ownedBy')))
    return texts.owner;
  if (eventType === 'story_update') return texts.edited;
  const sentence = plainLine(description);
  const rest = author !== undefined && sentence.startsWith(`${author} `) ? sentence.slice(author.length + 1) : sentence;
  return visibleLine(rest, SENTENCE_LENGTH) || texts.edited;
}

/** States that say where a story is, not what was done. */
const WAITING: ReadonlySet<string> = new Set(['unscheduled', 'unstarted']);

const SENTENCE_LENGTH = 120;

/** A day by its midnight here, in milliseconds since the epoch. */
export type Day = number;

/** No zone is further than this from any other's day. */
const FURTHEST_ZONE_MS = 14 * 60 * 60 * 1000;

export interface DayChoice {
  readonly kind: 'lastWorkingDay' | 'monday' | 'today';
  readonly day: Day;
}

/** From when one may want to tell what one did, the usual first; no day twice. */
export function dayChoices(now: number): readonly DayChoice[] {
  const choices: readonly DayChoice[] = [
    { kind: 'lastWorkingDay', day: lastWorkingDay(now) },
    { kind: 'monday', day: daysBefore(now, (new Date(now).getDay() + 6) % 7) },
    { kind: 'today', day: daysBefore(now, 0) },
  ];
  return choices.filter(({ day }, index) => choices.findIndex((one) => one.day === day) === index);
}

/** Yesterday, and Friday on Sundays and Mondays. */
function lastWorkingDay(now: number): Day {
  const weekday = new Date(now).getDay();
  if (weekday === 1) return daysBefore(now, 3);
  return daysBefore(now, weekday === 0 ? 2 : 1);
}

/** The day that `2026-11-20` or `2026/11/20` names; `undefined` when it names none, or one to come. */
export function dayIn(text: string, now: number): Day | undefined {
  const [, year, month, day] = /^\s*(\d{4})[-/](\d{1,2})[-/](\d{1,2})\s*$/.exec(text) ?? [];
  const date = new Date(Number(year), Number(month) - 1, Number(day));
  const isReal = date.getMonth() === Number(month) - 1 && date.getDate() === Number(day);
  return isReal && date.getTime() <= now ? date.getTime() : undefined;
}

/** The day to ask a server from, as it wants it, early enough for every zone that it may count days in. */
export function askedDay(day: Day): string {
  return new Date(day - FURTHEST_ZONE_MS).toISOString().slice(0, 10).replaceAll('-', '/');
}

function daysBefore(now: number, days: number): Day {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - days).getTime();
}

/** Why activities may be missing: the server did not answer, or told only the latest so many, back to `from`. */
export type Gap =
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'cutOff'; readonly count: number; readonly from: number };

/** The highest number of activities that one answer holds (api-v3.md, Limits). */
export const ANSWER_LIMIT = 100;
/** A full answer that does not reach back to the day: something between may be known to nobody here. */
export function gapIn(answer: readonly Activity[], day: Day): Gap | undefined {
  if (answer.length < ANSWER_LIMIT) return undefined;
  const times = answer.flatMap(({ occurredAt }) => occurredAt?.time ?? []);
  const from = Math.min(...times);
  return from < day ? undefined : { kind: 'cutOff', count: answer.length, from: Number.isFinite(from) ? from : day };
}
