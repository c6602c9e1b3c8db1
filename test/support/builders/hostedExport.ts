import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { namedDay } from '../../../src/core/calendar.ts';

/** Who is named in it. */
export const PEOPLE = [
  'Maren Holt',
  'Tobias Lind',
  'Ines Quillard',
  'Olu Adeyemi',
  'Priya Raman',
  'Jonas Beck',
  'Yuki Tanaka',
  'Clara Voss',
  'Ben Okafor',
  'Lea Marchetti',
  'Sven Aalto',
  'Nora Finch',
] as const;

const STORIES = 3_000;
const ACCEPTED = 2_000;
/** One story of each person is started, and has a file. */
const STARTED = ACCEPTED + PEOPLE.length;
const UNSTARTED = 2_500;
const FIRST_ID = 41_001;
const ACCEPTED_A_WEEK = 20;
const DAY_MS = 24 * 60 * 60 * 1000;
const HEAD =
  'Id,Title,Labels,Type,Estimate,Current State,Created at,Accepted at,Requested By,Owned By,Description,Comment,Task,Task Status';

export interface HostedExport {
  readonly folder: string;
  readonly stories: number;
  readonly files: number;
  /** Of those that are started, in their order. */
  readonly started: readonly { readonly id: number; readonly name: string }[];
}

/**
 * Writes what a team took along from the closed hosted service: the table of its stories over two years, and a folder for each story that
 * has files, called by its ID.
 */
export async function writeHostedExport(folder: string, now: number): Promise<HostedExport> {
  await mkdir(folder, { recursive: true });
  const rows = Array.from({ length: STORIES }, (_, index) => rowOf(index, now));
  await writeFile(join(folder, 'harbor.csv'), [HEAD, ...rows, ''].join('\n'));
  const started = PEOPLE.map((_, person) => ({ id: FIRST_ID + ACCEPTED + person, name: nameOf(ACCEPTED + person) }));
  for (const { id, name } of started) {
    await mkdir(join(folder, String(id)));
    await writeFile(join(folder, String(id), 'notes.txt'), `${name}\n`.repeat(1_000));
  }
  return { folder, stories: STORIES, files: started.length, started };
}

function nameOf(index: number): string {
  const verb = ['Repair', 'Paint', 'Light', 'Move', 'Measure', 'Rename', 'Insure'][index % 7];
  const thing = ['buoy', 'pier', 'crane', 'ferry', 'lock', 'beacon', 'quay', 'tug'][index % 8];
  return `${verb} ${thing} ${index + 1}`;
}

function rowOf(index: number, now: number): string {
  const type = ['feature', 'feature', 'bug', 'feature', 'chore'][index % 5] ?? '';
  const state = stateOf(index);
  const doneAt = now - (7 * DAY_MS * (ACCEPTED - index)) / ACCEPTED_A_WEEK;
  const [requester, owner] = [PEOPLE[index % 12] ?? '', PEOPLE[(index * 5 + 3) % 12] ?? ''];
  const isOwned = state === 'accepted' || state === 'started';
  const madeOn = namedDay(Math.min(now, doneAt) - 30 * DAY_MS);
  return [
    String(FIRST_ID + index),
    nameOf(index),
    quoted(index % 3 === 0 ? 'harbor, spring' : 'harbor'),
    type,
    type === 'feature' ? String(index % 4) : '',
    state,
    quoted(madeOn),
    state === 'accepted' ? quoted(namedDay(doneAt)) : '',
    requester,
    isOwned ? owner : '',
    quoted(`As a ${index % 2 === 0 ? 'captain' : 'pilot'}, I want it **before winter**.`),
    index % 10 === 0 ? quoted(`Seen at low water (${owner} - ${madeOn})`) : '',
    index % 15 === 0 ? 'Ask the harbor master' : '',
    index % 15 === 0 ? 'completed' : '',
  ].join(',');
}

function stateOf(index: number): string {
  if (index < ACCEPTED) return 'accepted';
  if (index < STARTED) return 'started';
  return index < UNSTARTED ? 'unstarted' : 'unscheduled';
}

function quoted(text: string): string {
  return `"${text}"`;
}
