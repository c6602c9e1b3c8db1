import type { PlannedIteration } from '../../core/backlog/plannedIteration.ts';
import type { Plan } from '../../core/backlog/planning.ts';
import type { IterationGroup } from '../../core/story/iteration.ts';
import { longIterations } from '../../v3/iteration.ts';
import { lazily } from '../../v3/longDocument.ts';
import { iterationOf } from '../cache/projectViews.ts';
import { type Call, param } from '../call/exchange.ts';
import { badRequest, unprocessable } from '../ground/errors.ts';
import { newSlice } from '../ground/slices.ts';
import type { Reply } from '../http/reply.ts';
import type { StoryRow } from '../store/stories/storyRows.ts';
import { type Page, readPage } from './page.ts';

/** `?group=` means the same as the path (protocol.md). */
export async function listIterations(call: Call): Promise<Reply> {
  const group = call.query.get('group')?.trim() ?? '';
  if (group === '') return reply(call, undefined);
  if (!isGroup(group)) throw badRequest(`"group" must be one of ${GROUPS.join(', ')}.`);
  return reply(call, group);
}

export const doneIterations = (call: Call): Promise<Reply> => reply(call, 'done');
export const currentIteration = (call: Call): Promise<Reply> => reply(call, 'current');
export const backlogIterations = (call: Call): Promise<Reply> => reply(call, 'backlog');
/** Endpoint 1. */
export const currentBacklog = (call: Call): Promise<Reply> => reply(call, 'current_backlog');

const GROUPS = ['done', 'current', 'backlog', 'current_backlog'] as const;

function isGroup(text: string): text is IterationGroup {
  return GROUPS.some((group) => group === text);
}

function reply(call: Call, group: IterationGroup | undefined): Promise<Reply> {
  const page = readPage(call.query);
  if (page.offset < 0 && group !== 'done') throw unprocessable('"offset" counts back from the latest in "done" only.');
  const { answers, views, texts } = call.service;
  return answers.reply(call, param(call, 'projectId'), async (view, tx) => {
    const stories = await views.storiesOf(tx, view, call.user);
    await newSlice();
    const shown = pageOf(plannedOf(view.plan, group), page);
    const rows = shown.flatMap((planned) => planned.stories);
    return stories.document(rows, (item) => longIterations(lazily(shown, iterationOf), item), texts.item(call.base));
  });
}

type Planned = readonly PlannedIteration<StoryRow>[];

function plannedOf({ done, current, backlog }: Plan<StoryRow>, group: IterationGroup | undefined): Planned {
  if (group === 'done') return done;
  if (group === 'current') return [current];
  if (group === 'backlog') return backlog;
  if (group === 'current_backlog') return [current, ...backlog];
  return [...done, current, ...backlog];
}

/** A negative offset counts from the end: `done?offset=-3` starts at the third latest. Before the first there is nothing. */
function pageOf(iterations: Planned, { limit, offset }: Page): Planned {
  const from = offset < 0 ? iterations.length + offset : offset;
  const to = limit === undefined ? iterations.length : from + limit;
  return iterations.slice(Math.max(0, from), Math.max(0, to));
}
