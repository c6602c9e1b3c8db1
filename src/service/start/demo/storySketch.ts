import type { StoryState, StoryType } from '../../../core/backlog/workflow.ts';

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
type Weekday = (typeof weekdays)[number];
const weekdayNames: readonly string[] = weekdays;

/** Weeks from the current iteration, then day and time in UTC: `-2 Tue 14:20` is Tuesday of the last but one iteration. */
export type DemoMoment = `${number} ${Weekday} ${number}:${number}`;

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const WEEK = 7 * DAY;
const FIRST_MONDAY = 4 * DAY; // 5 January 1970

/** Milliseconds since the epoch of the Monday, midnight UTC, on which the current one-week iteration began. */
export function currentIterationStart(now: number): number {
  return FIRST_MONDAY + Math.floor((now - FIRST_MONDAY) / WEEK) * WEEK;
}

/**
 * Milliseconds since the epoch, in whole minutes. Those of the current iteration are drawn together into the part of it that
 * has passed, so that whenever the demo is started nothing in it has yet to happen.
 */
export function timeOf(moment: DemoMoment, now: number): number {
  const [week = '', day = '', clock = ''] = moment.split(' ');
  const [hour, minute] = clock.split(':').map(Number);
  const inWeek = weekdayNames.indexOf(day) * DAY + ((hour ?? 0) * 60 + (minute ?? 0)) * MINUTE;
  const start = currentIterationStart(now);
  if (Number(week) !== 0) return start + Number(week) * WEEK + inWeek;
  const passed = ((now - start) * inWeek) / WEEK;
  return start + Math.floor(passed / MINUTE) * MINUTE;
}

export type Initials = 'NV' | 'TA' | 'IQ';

export interface DemoMember {
  readonly name: string;
  readonly email: string;
  readonly initials: string;
  readonly role: 'Owner' | 'Member' | 'Viewer';
}

/** The people of the demo project. The first is the one whom the demo signs in. */
export const demoMembers: Readonly<Record<Initials, DemoMember>> = {
  NV: { name: 'Nora Vesper', email: 'nora.vesper@example.com', initials: 'NV', role: 'Owner' },
  TA: { name: 'Tobin Ashgrove', email: 'tobin.ashgrove@example.com', initials: 'TA', role: 'Member' },
  IQ: { name: 'Ines Quillard', email: 'ines.quillard@example.com', initials: 'IQ', role: 'Member' },
};

/** A story of the demo project as its data files tell it: people by initials, moments from the current iteration. */
export interface StorySketch {
  readonly type: StoryType;
  readonly state: StoryState;
  readonly name: string;
  readonly points?: number;
  readonly labels?: readonly string[];
  readonly by: Initials;
  readonly owner?: Initials;
  readonly created: DemoMoment;
  readonly accepted?: DemoMoment;
  readonly deadline?: DemoMoment;
  readonly description?: string;
  readonly ticket?: string;
  readonly notes?: readonly { readonly author: Initials; readonly at: DemoMoment; readonly text: string }[];
  /** What is done comes with a leading `x `. */
  readonly tasks?: readonly string[];
  readonly attachment?: {
    readonly filename: string;
    readonly description: string;
    readonly content: string;
    readonly by: Initials;
    readonly at: DemoMoment;
  };
}
