/** Runs inside VS Code's extension host: asks for stories key by key as a person types, and writes down what each key cost. */
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Backlog } from '../../../src/core/backlog/backlog.ts';
import { MarkerCompletion } from '../../../src/features/commits/offeredMarkers.ts';
import { anIteration, aProject, aStory } from '../../support/builders/builders.ts';
import { silentLog } from '../../support/silentLog.ts';
import type { CompletionFigures, CompletionOrder, KeyCost } from '../completion.ts';

const QUIET = 3_000;
const ROUNDS = 10;

/** What is typed, the last key of each being counted: of an id, of names, of a name that many have, of none. */
const typed = [
  '#',
  '#1',
  '#12',
  '#123',
  '#b',
  '#bo',
  '#boat',
  '#boat-9',
  '[fixes w',
  '[fixes wa',
  '[fixes water',
  '#zzz',
];

export function activate(): void {
  const order: CompletionOrder = JSON.parse(process.env.STORY_TRACKER_BENCH_PROBE ?? '{}');
  measure(order).then(
    (figures) => writeFile(order.file, `${JSON.stringify(figures)}\n`),
    (error) => writeFile(order.file, `${JSON.stringify({ error: String(error?.stack ?? error) })}\n`),
  );
}

async function measure({ stories }: CompletionOrder): Promise<CompletionFigures> {
  await sleep(QUIET);
  const completion = new MarkerCompletion(needsOf(stories));
  const first: KeyCost[] = [];
  const keys: KeyCost[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const text of typed) {
      const document = await vscode.workspace.openTextDocument({ language: 'git-commit', content: `Say it ${text}` });
      const end = new vscode.Position(0, `Say it ${text}`.length);
      await sleep(20);
      const before = now();
      const proposed = await completion.proposed(document, end);
      const after = now();
      if (!proposed || proposed.items.length > 0 === text.includes('zzz')) throw new Error(`Nothing fits "${text}".`);
      (round === 0 ? first : keys).push({ busy: after.busy - before.busy, clock: after.clock - before.clock });
    }
  }
  return { first, keys };
}

function now() {
  const { user, system } = process.threadCpuUsage();
  return { busy: (user + system) / 1000, clock: performance.now() };
}

/** The stories are there already; those that answer are no more than what is asked of them. */
type CompletionNeeds = ConstructorParameters<typeof MarkerCompletion>[0];

function needsOf(count: number): CompletionNeeds {
  const key = { accountId: 'bench', projectId: 1 };
  const backlog = backlogOf(count);
  const backlogs = {
    projects: async () => [{ key, project: backlog.project, account: { id: 'bench' } }],
    peek: () => backlog,
    backlog: async () => backlog,
  };
  const memory = { get: () => ({ bench: 'Person 3' }) };
  const activeStories = { view: async () => ({ at: () => ({ ...key, storyId: 100 + (count >> 1) }) }) };
  return { backlogs, log: silentLog, workspaceMemory: memory, activeStories } as unknown as CompletionNeeds;
}

function backlogOf(count: number): Backlog {
  const states = ['unstarted', 'started', 'finished', 'accepted', 'unscheduled'] as const;
  const stories = Array.from({ length: count }, (_, index) =>
    aStory({
      id: 100 + index,
      name: `Show when the Water is high enough for boat-${index} in the Harbour of Überlingen`,
      state: states[index % states.length] ?? 'unstarted',
      ownedBy: `Person ${index % 9}`,
      description: 'Whoever waits before the bar wants to know when the next boat can go in.',
    }),
  );
  const iterations = Array.from({ length: Math.ceil(count / 10) }, (_, index) =>
    anIteration({ number: index + 1, stories: stories.slice(index * 10, index * 10 + 10) }),
  );
  return { project: aProject(), iterations, icebox: [], done: [] };
}
