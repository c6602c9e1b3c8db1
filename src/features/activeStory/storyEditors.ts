import type { Memento } from 'vscode';
import { messageOf } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';

/** What an editor tab shows, in what it takes to open it again. Addresses are URIs as text. */
export type KeptInput =
  | { readonly kind: 'text'; readonly uri: string }
  | { readonly kind: 'diff'; readonly original: string; readonly modified: string; readonly title: string }
  /** An editor of its own kind, such as one of images or notebooks. */
  | { readonly kind: 'custom'; readonly uri: string; readonly viewType: string };

/** An editor tab as it is to come back. */
export interface KeptTab {
  readonly input: KeptInput;
  /** The group that it stands in, from 1. */
  readonly column: number;
  /** Whether it is the one that its group shows. */
  readonly isActive: boolean;
  readonly isPinned: boolean;
  readonly isPreview: boolean;
}

/** The editors of a story, in the order in which they stand. */
export interface EditorSet {
  readonly tabs: readonly KeptTab[];
  /** The group that had the focus, from 1. */
  readonly activeColumn: number;
  /** How the groups are laid out, in VS Code's own words; absent for a single one. */
  readonly layout?: object;
}

/** Whose editors are open at a place; not yet all of them while they are being brought back. */
interface OpenEditors {
  readonly story: string;
  readonly isWhole: boolean;
}

interface StorySet {
  readonly place: string;
  readonly story: string;
  readonly set: EditorSet;
}

interface Kept {
  readonly open: Readonly<Record<string, OpenEditors>>;
  /** The one that was put away last comes last. */
  readonly sets: readonly StorySet[];
}

const KEPT = 'storyTracker.editors';
/** Stories whose editors are remembered. */
const KEPT_STORIES = 30;
/** Editors of a story that are remembered, and thus put away. */
export const KEPT_TABS = 50;

/** What a workspace remembers of the editors of its stories. What another version wrote in another form is as if it were not there. */
export class EditorMemory {
  private readonly memory: Pick<Memento, 'get' | 'update'>;

  constructor(memory: Pick<Memento, 'get' | 'update'>) {
    this.memory = memory;
  }

  /** `undefined` where nothing has been put away yet. */
  openAt(place: string): OpenEditors | undefined {
    return this.read().open[place];
  }

  setOf(place: string, story: string): EditorSet | undefined {
    return this.read().sets.find((one) => one.place === place && one.story === story)?.set;
  }

  /** Whether these are among what is remembered of any story of the place. */
  isKept(place: string, input: KeptInput): boolean {
    const wanted = nameOfInput(input);
    const ofPlace = this.read().sets.filter((one) => one.place === place);
    return ofPlace.some(({ set }) => set.tabs.some((tab) => nameOfInput(tab.input) === wanted));
  }

  /** The story's editors are open, all of them. */
  async arrive(place: string, story: string): Promise<void> {
    const { open, sets } = this.read();
    await this.write({ open: { ...open, [place]: { story, isWhole: true } }, sets });
  }

  /** Another story's editors are to be open from now on; those of the former one, where they are given, are remembered. */
  async leave(
    place: string,
    next: string,
    former?: { readonly story: string; readonly set: EditorSet },
  ): Promise<void> {
    const { open, sets } = this.read();
    const others = sets.filter((one) => !former || one.place !== place || one.story !== former.story);
    await this.write({
      open: { ...open, [place]: { story: next, isWhole: false } },
      sets: [...others, ...(former ? [{ place, ...former }] : [])].slice(-KEPT_STORIES),
    });
  }

  /** Nothing is put away any more: what is open does not tell whose it is. */
  async stop(): Promise<void> {
    const { open, sets } = this.read();
    if (Object.keys(open).length > 0) await this.write({ open: {}, sets });
  }

  private read(): Kept {
    return keptIn(this.memory.get(KEPT));
  }

  private async write(kept: Kept): Promise<void> {
    await this.memory.update(KEPT, kept);
  }
}

/** The same for tabs that show the same in the same way. */
export function nameOfInput(input: KeptInput): string {
  switch (input.kind) {
    case 'text':
      return `text ${input.uri}`;
    case 'diff':
      return `diff ${input.original} ${input.modified}`;
    case 'custom':
      return `${input.viewType} ${input.uri}`;
  }
}

function keptIn(value: unknown): Kept {
  const { open, sets } = isRecord(value) ? value : {};
  return {
    open: Object.fromEntries(Object.entries(isRecord(open) ? open : {}).filter(isOpenEntry)),
    sets: Array.isArray(sets) ? sets.filter(isStorySet).slice(-KEPT_STORIES) : [],
  };
}

function isOpenEntry(entry: [string, unknown]): entry is [string, OpenEditors] {
  const [, one] = entry;
  return isRecord(one) && typeof one.story === 'string' && typeof one.isWhole === 'boolean';
}

function isStorySet(one: unknown): one is StorySet {
  if (!isRecord(one) || typeof one.place !== 'string' || typeof one.story !== 'string' || !isRecord(one.set))
    return false;
  const { tabs, activeColumn, layout } = one.set;
  const isLayout = layout === undefined || isRecord(layout);
  return isColumn(activeColumn) && isLayout && Array.isArray(tabs) && tabs.length <= KEPT_TABS && tabs.every(isTab);
}

function isTab(tab: unknown): tab is KeptTab {
  if (!isRecord(tab) || !isColumn(tab.column) || !isInput(tab.input)) return false;
  return [tab.isActive, tab.isPinned, tab.isPreview].every((flag) => typeof flag === 'boolean');
}

function isInput(input: unknown): input is KeptInput {
  if (!isRecord(input)) return false;
  const areTexts = (...names: readonly string[]) => names.every((name) => typeof input[name] === 'string');
  switch (input.kind) {
    case 'text':
      return areTexts('uri');
    case 'diff':
      return areTexts('original', 'modified', 'title');
    case 'custom':
      return areTexts('uri', 'viewType');
    default:
      return false;
  }
}

function isColumn(column: unknown): column is number {
  return typeof column === 'number' && Number.isSafeInteger(column) && column > 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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
