import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { type EditorMemory, type EditorSet, type KeptTab, nameOfInput } from './editorSets.ts';

/** The editors of a window. */
export interface Editors {
  /** Those of a place that can be opened again. */
  openAt(place: string): Promise<EditorSet>;
  /** Closes those of these in which nothing is unsaved. */
  close(place: string, tabs: readonly KeptTab[]): Promise<void>;
  /** Opens those that are not open and still there; `false` when it stopped, since they are not wanted any more. */
  open(set: EditorSet, areWanted: () => boolean): Promise<boolean>;
}

/** What is open while nobody works on a story is remembered like that of a story. */
export const NO_STORY_EDITORS = '';

/**
 * Puts the editors of a story away when another story is worked on, and brings them back when it is worked on again. One thing is done
 * at a time; where the story changes again before that, only the last one's editors are opened.
 */
export class StoryEditors {
  private readonly editors: Editors;
  private readonly memory: EditorMemory;
  private readonly log: Log;
  private readonly wanted = new Map<string, string>();
  private changing: Promise<void> | undefined;

  constructor(editors: Editors, memory: EditorMemory, log: Log) {
    this.editors = editors;
    this.memory = memory;
    this.log = log;
  }

  /** This story is worked on at a place. Resolves once its editors are open, or those of one that came after it. */
  show(place: string, story: string): Promise<void> {
    this.wanted.set(place, story);
    this.changing ??= this.changeAll();
    return this.changing;
  }

  /** All stays open as it is from now on. */
  async stop(): Promise<void> {
    this.wanted.clear();
    await this.changing;
    await this.memory.stop();
  }

  private async changeAll(): Promise<void> {
    try {
      // Never done before `show` has set what it gives.
      await undefined;
      for (let next = this.next(); next; next = this.next()) await this.change(...next);
    } finally {
      this.changing = undefined;
    }
  }

  private next(): readonly [place: string, story: string] | undefined {
    return [...this.wanted].find(([place, story]) => {
      const open = this.memory.openAt(place);
      return open?.story !== story || !open.isWhole;
    });
  }

  private async change(place: string, story: string): Promise<void> {
    const { editors, memory } = this;
    const before = memory.openAt(place);
    // What is open when this begins is that of the story that is worked on then.
    if (!before) return memory.arrive(place, story);
    const now = await editors.openAt(place);
    await memory.leave(place, story, before.isWhole ? { story: before.story, set: now } : undefined);
    try {
      await editors.close(
        place,
        before.isWhole ? now.tabs : now.tabs.filter(({ input }) => memory.isKept(place, input)),
      );
      const set = memory.setOf(place, story);
      const areWanted = () => this.wanted.get(place) === story;
      if (set && !(await editors.open(set, areWanted))) return;
    } catch (thrown) {
      this.log.warn(`editors of stories: ${messageOf(thrown)}`);
    }
    await memory.arrive(place, story);
  }
}

/** The tabs without those that are open already, each as often as it is. */
export function missingTabs(wanted: readonly KeptTab[], open: readonly KeptTab[]): readonly KeptTab[] {
  const names = open.map(({ input }) => nameOfInput(input));
  return wanted.filter(({ input }) => {
    const at = names.indexOf(nameOfInput(input));
    if (at >= 0) names.splice(at, 1);
    return at < 0;
  });
}
