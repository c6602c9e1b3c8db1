import { pointsOf } from '../../../core/backlog/plannedIteration.ts';
import { isEstimatable, type WorkflowRules } from '../../../core/backlog/workflow.ts';
import { calendarDay } from '../../../core/calendar.ts';
import { commitOf, type ShownCommit } from '../../../core/outbox/withUnsentIntents.ts';
import type { Attachment } from '../../../core/story/attachment.ts';
import type { Iteration } from '../../../core/story/iteration.ts';
import { type Note, type Story, type Task, UNESTIMATED } from '../../../core/story/story.ts';
import type { DetailNode } from '../../../host/tree/nodes.ts';

type Detail =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'attachment'; readonly attachment: Attachment }
  | { readonly kind: 'note'; readonly note: Note };

/** What a row below a story stands for; `undefined` once the story has it no more. */
export function detailOf({ parent: { story }, kind, id }: DetailNode): Detail | undefined {
  const named = <T extends { readonly id: number }>(parts: readonly T[]) => parts.find((part) => part.id === id);
  if (kind === 'task') {
    const task = named(story.tasks);
    return task && { kind, task };
  }
  if (kind === 'attachment') {
    const attachment = named(story.attachments);
    return attachment && { kind, attachment };
  }
  const note = named(story.notes);
  return note && { kind, note };
}

/** A comment as a row shows it. */
interface NoteLook {
  /** Present when a commit left it (api-v3.md, Source commit) or is to. */
  readonly commit: ShownCommit | undefined;
  /** What it says, on one line; of a commit its subject. */
  readonly summary: string;
  /** The first web address in it. */
  readonly link: string | undefined;
}

export function noteLook(note: Note): NoteLook {
  const commit = commitOf(note);
  const subject = commit?.subject ? commit.subject : note.text;
  const link = commit ? commit.url : ADDRESS.exec(note.text)?.[0];
  return { commit, summary: oneLine(subject), link: link !== undefined && ADDRESS.test(link) ? link : undefined };
}

const ADDRESS = /\bhttps?:\/\/[^\s<>"'[\]]+[^\s<>"'[\].,;:!?)]/i;

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Fonts that are everywhere have characters in a circle from 1 to this one; 0 and larger ones are boxes in some. */
const CIRCLED = 10;
const ONE_IN_CIRCLE = 0x2460;
const DOTTED_CIRCLE = '\u25cc';

/** Points in a circle, else in brackets; a dotted circle for what is still to be estimated, nothing for what is never. */
export function pointsSign(
  { type, estimate }: Pick<Story, 'type' | 'estimate'>,
  project: WorkflowRules = {},
): string | undefined {
  if (estimate === undefined || estimate === UNESTIMATED)
    return isEstimatable(type, project) ? DOTTED_CIRCLE : undefined;
  const isCircled = Number.isInteger(estimate) && estimate >= 1 && estimate <= CIRCLED;
  return isCircled ? String.fromCodePoint(ONE_IN_CIRCLE + estimate - 1) : `(${estimate})`;
}

/** Points of all these stories together. */
export function totalPoints(stories: readonly Story[]): number {
  return stories.reduce((sum, story) => sum + pointsOf(story), 0);
}

/** Points of those that are accepted. */
export function acceptedPoints(stories: readonly Story[]): number {
  return totalPoints(stories.filter(({ state }) => state === 'accepted'));
}

const DAY_MS = 86_400_000;

/**
 * First to last day of an iteration, for instance "Nov 16 – 22": calendar days as the server wrote them, whatever the
 * reader's zone. Empty when the server gave none that we can read.
 */
export function iterationDates({ start, finish }: Iteration, locale: string): string {
  const first = calendarDay(start);
  const next = calendarDay(finish);
  if (first === undefined || next === undefined) return '';
  const last = Math.max(first, next - DAY_MS);
  return formatOf(locale).formatRange(first, last);
}

/** One for each locale, since making one takes longer than everything else about a row. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string): Intl.DateTimeFormat {
  const format =
    formats.get(locale) ?? new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  formats.set(locale, format);
  return format;
}
