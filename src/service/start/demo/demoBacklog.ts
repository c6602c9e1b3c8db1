import type { StoryState, StoryType } from '../../../core/backlog/workflow.ts';
import { currentStories } from './currentStories.ts';
import { doneStories } from './doneStories.ts';
import { backlogStories, iceboxStories } from './iceboxStories.ts';
import {
  currentIterationStart,
  type DemoMember,
  type DemoMoment,
  demoMembers,
  type Initials,
  type StorySketch,
  timeOf,
} from './storySketch.ts';

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

/** A story of the demo project, whole. Moments are milliseconds since the epoch, people are named in full. */
export interface DemoStory {
  readonly type: StoryType;
  readonly state: StoryState;
  readonly name: string;
  /** Points; null when not estimated. */
  readonly estimate: number | null;
  readonly description: string | null;
  readonly requestedBy: string;
  readonly ownedBy: string | null;
  readonly createdAt: number;
  /** When the last of it happened. */
  readonly updatedAt: number;
  readonly acceptedAt: number | null;
  readonly deadline: number | null;
  readonly labels: readonly string[];
  /** Number of the ticket in the project's integration. */
  readonly externalId: string | null;
  readonly notes: readonly DemoNote[];
  readonly tasks: readonly DemoTask[];
  readonly attachments: readonly DemoAttachment[];
}

interface DemoNote {
  readonly author: string;
  readonly text: string;
  readonly notedAt: number;
}

interface DemoTask {
  readonly description: string;
  readonly complete: boolean;
  readonly createdAt: number;
}

export interface DemoAttachment {
  readonly filename: string;
  readonly description: string;
  /** The file as text, to be stored as UTF-8. */
  readonly content: string;
  readonly uploadedBy: string;
  readonly uploadedAt: number;
}

/** The sketched story as it stands at `now`, milliseconds since the epoch. */
function demoStory(sketch: StorySketch, now: number): DemoStory {
  const time = (moment: DemoMoment) => timeOf(moment, now);
  const createdAt = time(sketch.created);
  const acceptedAt = sketch.accepted === undefined ? null : time(sketch.accepted);
  const notes = notesOf(sketch, time);
  const attachments = attachmentsOf(sketch, time);
  const happened = [...notes.map(({ notedAt }) => notedAt), ...attachments.map(({ uploadedAt }) => uploadedAt)];
  return {
    type: sketch.type,
    state: sketch.state,
    name: sketch.name,
    estimate: sketch.points ?? null,
    description: sketch.description ?? null,
    requestedBy: nameOf(sketch.by),
    ownedBy: sketch.owner === undefined ? null : nameOf(sketch.owner),
    createdAt,
    updatedAt: Math.max(createdAt, acceptedAt ?? createdAt, ...happened),
    acceptedAt,
    deadline: sketch.deadline === undefined ? null : time(sketch.deadline),
    labels: sketch.labels ?? [],
    externalId: sketch.ticket ?? null,
    notes,
    tasks: (sketch.tasks ?? []).map((task) => taskOf(task, createdAt)),
    attachments,
  };
}

function nameOf(initials: Initials): string {
  return demoMembers[initials].name;
}

function notesOf({ notes = [] }: StorySketch, time: (moment: DemoMoment) => number): DemoNote[] {
  return notes.map(({ author, at, text }) => ({ author: nameOf(author), text, notedAt: time(at) }));
}

function taskOf(text: string, createdAt: number): DemoTask {
  const complete = text.startsWith('x ');
  return { description: complete ? text.slice(2) : text, complete, createdAt };
}

function attachmentsOf({ attachment }: StorySketch, time: (moment: DemoMoment) => number): DemoAttachment[] {
  if (!attachment) return [];
  const { filename, description, content, by, at } = attachment;
  return [{ filename, description, content, uploadedBy: nameOf(by), uploadedAt: time(at) }];
}
