import type { StoryState, StoryType } from '../../../core/backlog/workflow.ts';
import { type DemoMoment, demoMembers, type Initials, type StorySketch, timeOf } from './storySketch.ts';

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

export interface DemoNote {
  readonly author: string;
  readonly text: string;
  readonly notedAt: number;
}

export interface DemoTask {
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
export function demoStory(sketch: StorySketch, now: number): DemoStory {
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
