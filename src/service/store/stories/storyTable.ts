import type { Generated, Selectable } from 'kysely';
import { fieldNames } from '../../../core/fieldNames.ts';
import type { Story, Ticket } from '../../../core/story/story.ts';
import { zonedDate } from '../../../v3/dates.ts';

/** The columns of a story; what they hold is said where the tables are. */
export interface StoryTable {
  id: Generated<number>;
  projectId: number;
  /** 1 for the icebox, which has its own order. */
  inIcebox: number;
  /** Place in its list, compared bytewise. */
  rank: string;
  type: string;
  state: string;
  name: string;
  /** Points; null when not estimated. */
  estimate: number | null;
  description: string | null;
  requestedBy: string | null;
  requesterId: number | null;
  ownedBy: string | null;
  ownerId: number | null;
  createdAt: number;
  updatedAt: number;
  acceptedAt: number | null;
  deadline: number | null;
  integrationId: number | null;
  externalId: string | null;
}

type Column = keyof StoryTable;

const SHORT: Readonly<Record<Exclude<Column, 'description'>, true>> = {
  id: true,
  projectId: true,
  inIcebox: true,
  rank: true,
  type: true,
  state: true,
  name: true,
  estimate: true,
  requestedBy: true,
  requesterId: true,
  ownedBy: true,
  ownerId: true,
  createdAt: true,
  updatedAt: true,
  acceptedAt: true,
  deadline: true,
  integrationId: true,
  externalId: true,
};
/** All columns but the description, which may be long. */
export const SHORT_COLUMNS = fieldNames(SHORT);

/** What is not in a row alone: it depends on the project, and on what hangs on the story. */
interface Rest extends Pick<Story, 'labels' | 'attachments' | 'notes' | 'tasks'> {
  readonly estimate: number | undefined;
  readonly ticket: Ticket | undefined;
}

/** The story of a row; its page's address depends on who asks and is added later. */
export function storyOfRow(row: Selectable<StoryTable>, rest: Rest): Story {
  const { estimate, ticket, labels, attachments, notes, tasks } = rest;
  return {
    id: row.id,
    projectId: row.projectId,
    type: row.type,
    ...(estimate !== undefined && { estimate }),
    state: row.state,
    ...(ticket && { ticket }),
    ...(row.description !== null && { description: row.description }),
    name: row.name,
    ...(row.requestedBy !== null && { requestedBy: row.requestedBy }),
    ...(row.ownedBy !== null && { ownedBy: row.ownedBy }),
    createdAt: zonedDate(row.createdAt),
    updatedAt: zonedDate(row.updatedAt),
    ...(row.acceptedAt !== null && { acceptedAt: zonedDate(row.acceptedAt) }),
    ...(row.deadline !== null && { deadline: zonedDate(row.deadline) }),
    rank: row.rank,
    labels,
    attachments,
    notes,
    tasks,
  };
}
