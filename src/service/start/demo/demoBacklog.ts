import { currentStories } from './currentStories.ts';
import { type DemoStory, demoStory } from './demoStory.ts';
import { doneStories } from './doneStories.ts';
import { backlogStories, iceboxStories } from './iceboxStories.ts';
import { currentIterationStart, type DemoMember, demoMembers } from './storySketch.ts';

export type { DemoAttachment, DemoNote, DemoStory, DemoTask } from './demoStory.ts';
export type { DemoMember } from './storySketch.ts';

/** A project to look at and play with: the backlog of this very product. Moments are milliseconds since the epoch. */
export interface DemoBacklog {
  readonly project: {
    readonly name: string;
    readonly account: string;
    /** Weeks. */
    readonly iterationLength: number;
    readonly weekStartDay: string;
    readonly pointScale: string;
    readonly initialVelocity: number;
    /** Midnight UTC of the day on which the first iteration began. */
    readonly startDate: number;
    readonly createdAt: number;
  };
  /** The first one owns the project and is signed in. */
  readonly members: readonly DemoMember[];
  readonly integration: {
    readonly type: string;
    readonly name: string;
    readonly fieldName: string;
    readonly fieldLabel: string;
    readonly ticketUrl: string;
  };
  /** In priority order, the icebox (`unscheduled`) last. */
  readonly stories: readonly DemoStory[];
}

const WEEK = 604_800_000;
const DONE_ITERATIONS = 4;
const WEEKS_OF_PREPARATION = 2;

/** The demo project as it would stand at `now`, milliseconds since the epoch: four one-week iterations done, one under way. */
export function demoBacklog(now: number): DemoBacklog {
  const startDate = currentIterationStart(now) - DONE_ITERATIONS * WEEK;
  return {
    project: {
      name: 'Story Tracker',
      account: 'Demo',
      iterationLength: 1,
      weekStartDay: 'Monday',
      pointScale: '0,1,2,3,5,8',
      initialVelocity: 10,
      startDate,
      createdAt: startDate - WEEKS_OF_PREPARATION * WEEK,
    },
    members: Object.values(demoMembers),
    integration: {
      type: 'Other',
      name: 'Help desk',
      fieldName: 'other_id',
      fieldLabel: 'Help desk ticket',
      ticketUrl: 'https://helpdesk.example.com/tickets/',
    },
    stories: [...doneStories, ...currentStories, ...backlogStories, ...iceboxStories].map((sketch) =>
      demoStory(sketch, now),
    ),
  };
}
