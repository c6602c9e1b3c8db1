import type { Memento } from 'vscode';
import type { ActiveStory } from '../../core/activeStory/storyBinding.ts';
import { rememberedTable } from '../../host/shell/remembered.ts';

/** The story that the status bar shows, with the name it was last known by. */
interface ShownStory extends ActiveStory {
  readonly name: string;
}

const SHOWN = 'storyTracker.activeStories';

/** By the place where it is worked on: a repository's root, or a folder without one. */
type ShownStories = Readonly<Record<string, ShownStory>>;

/** Whether this workspace has had an active story, which is enough to look for it. */
export function hasShownStories(memory: Memento): boolean {
  return Object.keys(shownStories(memory)).length > 0;
}

/** The name by which a story was last shown there; `undefined` where another one was. */
export function rememberedName(memory: Memento, place: string, story: ActiveStory): string | undefined {
  const shown = shownStories(memory)[place];
  const isSame = shown?.storyId === story.storyId && shown.accountId === story.accountId;
  return isSame ? shown.name : undefined;
}

export async function rememberShown(memory: Memento, place: string, shown: ShownStory): Promise<void> {
  const before = shownStories(memory);
  if (JSON.stringify(before[place]) !== JSON.stringify(shown))
    await memory.update(SHOWN, { ...before, [place]: shown });
}

function shownStories(memory: Memento): ShownStories {
  return rememberedTable(memory, SHOWN, isShown);
}

function isShown(value: unknown): value is ShownStory {
  if (typeof value !== 'object' || value === null) return false;
  const { accountId, projectId, storyId, name }: Partial<Record<keyof ShownStory, unknown>> = value;
  return (
    typeof accountId === 'string' &&
    typeof projectId === 'number' &&
    typeof storyId === 'number' &&
    typeof name === 'string'
  );
}
