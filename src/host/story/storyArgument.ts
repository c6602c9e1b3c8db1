import * as vscode from 'vscode';
import { findStory } from '../../core/backlog/backlog.ts';
import { TrackerError } from '../../core/errors.ts';
import { isPendingStory } from '../../core/intents/edit.ts';
import { isSameProject, keyText, type ProjectKey } from '../../core/story/projectKey.ts';
import type { Story } from '../../core/story/story.ts';
import type { Backlogs } from '../projects/backlogs.ts';
import { isPlainObject } from '../shell/commands.ts';
import { BY_KEY, type FoundStory, NamedStory, StoryNode, storyOfRow } from '../tree/nodes.ts';
import type { StoriesView } from '../tree/storiesView.ts';
import type { PickOrder } from './pickOrder.ts';
import { storyOfTab } from './tabStory.ts';
import { unsentStoryText } from './unsentStoryText.ts';

const LOOK_MS = 20;

interface Several {
  /** Whose call means the rows that are selected when it names no story: any, a person's, or that of a key of the view only. */
  readonly selectionOf: 'anyone' | 'person' | 'key';
  /**
   * Milliseconds for which a key waits for selected rows: VS Code tells of none while it asks for those of the tree again, as it
   * does after every move.
   */
  readonly patience?: number;
  /** Asked when one is to be picked. */
  readonly order?: () => Promise<PickOrder>;
  /** Called before a person is asked, who may take their time. */
  readonly beforeAsking?: () => void;
}

/** How one story is asked for. */
interface One {
  /** Asked when it is to be picked. */
  readonly order?: (() => Promise<PickOrder>) | undefined;
  /** A story that no server has yet is meant as any other. */
  readonly mayBeUnsent?: boolean;
}

/** Tells which stories a command is about: the rows, the argument of contract.md, the selected rows, or the one picked. */
export class StoryArgument {
  private readonly backlogs: Backlogs;
  private readonly view: StoriesView;
  private readonly likely: () => Promise<PickOrder>;

  /** `likely`: what a person most likely means where a command does not say. */
  constructor(backlogs: Backlogs, view: StoriesView, likely: () => Promise<PickOrder> = async () => ({})) {
    this.backlogs = backlogs;
    this.view = view;
    this.likely = likely;
  }

  /**
   * `undefined`: the person turned away.
   * @throws TrackerError `notFound` or `input` when the argument names no story, or one that may not be meant yet.
   */
  async of(argument: unknown, placeHolder: string, one: One = {}): Promise<FoundStory | undefined> {
    const found = await this.meant(argument, placeHolder, one);
    return found && !one.mayBeUnsent ? sentStory(found) : found;
  }

  private async meant(argument: unknown, placeHolder: string, { order }: One): Promise<FoundStory | undefined> {
    const row = storyOfRow(argument);
    if (row) return { key: row.key, story: row.story };
    if (argument instanceof NamedStory) return this.ofName(argument);
    if (isPlainObject(argument)) return this.named(argument);
    const selected = this.selectedRows().map(({ story }) => story.id);
    const { pickStory } = await import('./pickStory.ts');
    const told = (order ?? this.likely)().then((one) => ({ ...one, selected }));
    return pickStory(this.backlogs, placeHolder, told);
  }

  /**
   * As `of`, but the story of the active editor, or the row selected since, comes before asking. A key pressed in the tree means
   * the row.
   */
  ofSelection(argument: unknown, placeHolder: string): Promise<FoundStory | undefined> {
    const selected = this.view.selection();
    const [row] = selected;
    return this.of(argument === BY_KEY ? row : (argument ?? storyOfTab(selected) ?? row), placeHolder);
  }

  /**
   * Those of a command that takes several: the row clicked with those selected around it, the one named, that of the active
   * editor, the rows selected, or one picked; each once. Those of rows and of the editor may be such that no server has yet.
   * Empty: the person turned away. @throws as `of`.
   */
  async several(
    [argument, clicked]: readonly unknown[],
    placeHolder: string,
    { selectionOf, patience = 0, order, beforeAsking }: Several,
  ): Promise<readonly FoundStory[]> {
    if (argument instanceof StoryNode) return storiesOfRows(rowsClicked(argument, clicked));
    if (argument === BY_KEY || (!namesStory(argument) && mayMeanSelection(argument, selectionOf))) {
      const inTab = argument === BY_KEY ? undefined : storyOfTab(this.view.selection());
      if (inTab) return [await this.ofName(inTab)];
      const rows = await this.rowsWithin(argument === BY_KEY ? patience : 0);
      if (rows.length > 0) return storiesOfRows(rows);
    }
    if (!namesStory(argument)) beforeAsking?.();
    const found = await this.of(argument === BY_KEY ? undefined : argument, placeHolder, { order });
    return found ? [found] : [];
  }

  private selectedRows(): readonly StoryNode[] {
    return this.view.selection().filter((row) => row instanceof StoryNode);
  }

  private async rowsWithin(patience: number): Promise<readonly StoryNode[]> {
    for (let waited = 0; ; waited += LOOK_MS) {
      const rows = this.selectedRows();
      if (rows.length > 0 || waited >= patience) return rows;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  private async ofName({ key, storyId }: NamedStory): Promise<FoundStory> {
    const backlog = this.backlogs.peek(key);
    const story = backlog && findStory(backlog, storyId);
    return story ? { key, story } : this.named({ storyId, ...key });
  }

  private async named(argument: Readonly<Record<string, unknown>>): Promise<FoundStory> {
    const name = storyNameIn(argument);
    if (!name) {
      throw new TrackerError('input', vscode.l10n.t('Pass the story as { storyId: number, projectId?: number }.'));
    }
    const { storyId, ...where } = name;
    const found = await this.backlogs.story(storyId, where);
    if (found) return found;
    throw new TrackerError('notFound', vscode.l10n.t('Could not find story #{0} in your projects.', storyId));
  }
}

/** A story by its id; ids are unique on a server only. */
interface StoryName extends Partial<ProjectKey> {
  readonly storyId: number;
}

/** The story that an argument names, known or not; `undefined` where it names none. */
export function storyNameIn(argument: unknown): StoryName | undefined {
  const row = storyOfRow(argument);
  if (row) return { ...row.key, storyId: row.story.id };
  if (argument instanceof NamedStory) return { ...argument.key, storyId: argument.storyId };
  if (!isPlainObject(argument) || typeof argument.storyId !== 'number') return undefined;
  const { storyId, projectId, accountId } = argument;
  return {
    storyId,
    ...(typeof projectId === 'number' && { projectId }),
    ...(typeof accountId === 'string' && { accountId }),
  };
}

/** Whether an argument names a story, be it none that there is. */
export function namesStory(argument: unknown): boolean {
  return isPlainObject(argument) ? argument.storyId !== undefined : storyNameIn(argument) !== undefined;
}

/** What a row or a name means. @throws TrackerError `input` for a story that no server has yet. */
export function sentStory({ key, story }: FoundStory): FoundStory {
  if (!isPendingStory(story)) return { key, story };
  throw new TrackerError('input', unsentStoryText(vscode));
}

export interface StoriesOfProject {
  readonly key: ProjectKey;
  readonly stories: readonly [Story, ...Story[]];
}

/** `undefined` for none. @throws TrackerError `input` with the sentence `refusal` when they are of several projects. */
export function storiesOfOneProject(found: readonly FoundStory[], refusal: string): StoriesOfProject | undefined {
  const [first, ...others] = found;
  if (!first) return undefined;
  if (others.some(({ key }) => !isSameProject(key, first.key))) throw new TrackerError('input', refusal);
  return { key: first.key, stories: [first.story, ...others.map(({ story }) => story)] };
}

function mayMeanSelection(argument: unknown, selectionOf: Several['selectionOf']): boolean {
  return selectionOf === 'anyone' || (selectionOf === 'person' && !isPlainObject(argument));
}

/** The selected rows when the one clicked is among them, else that one. */
function rowsClicked(clicked: StoryNode, selected: unknown): readonly StoryNode[] {
  return Array.isArray(selected) && selected.includes(clicked)
    ? selected.filter((node): node is StoryNode => node instanceof StoryNode)
    : [clicked];
}

/** With labels a story has several rows. */
function storiesOfRows(rows: readonly StoryNode[]): readonly FoundStory[] {
  const found = new Map<string, FoundStory>();
  for (const { key, story } of rows) {
    const name = `${keyText(key)}/${story.id}`;
    if (!found.has(name)) found.set(name, { key, story });
  }
  return [...found.values()];
}
