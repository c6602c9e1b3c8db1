import * as vscode from 'vscode';
import { findStory } from '../../core/backlog/backlog.ts';
import { TrackerError } from '../../core/errors.ts';
import { isPendingStory } from '../../core/intents/editedStory.ts';
import type { Backlogs } from '../projects/backlogs.ts';
import { isPlainObject } from '../shell/commands.ts';
import { DetailNode, type FoundStory, NamedStory, StoryNode } from '../tree/nodes.ts';
import type { StoriesView } from '../tree/storiesView.ts';
import type { PickOrder } from './pickOrder.ts';

/** Tells which story a command is about: the row, the argument of contract.md, the selected row, or the one picked. */
export class StoryArgument {
  private readonly backlogs: Backlogs;
  private readonly view: StoriesView;

  constructor(backlogs: Backlogs, view: StoriesView) {
    this.backlogs = backlogs;
    this.view = view;
  }

  /**
   * `order` is asked when one is to be picked. `undefined`: the person turned away.
   * @throws TrackerError `notFound` or `input` when the argument names no story.
   */
  async of(argument: unknown, placeHolder: string, order?: () => Promise<PickOrder>): Promise<FoundStory | undefined> {
    if (argument instanceof StoryNode) return sentStory(argument);
    if (argument instanceof NamedStory) return this.ofRow(argument);
    if (isPlainObject(argument)) return this.named(argument);
    const selected = this.view.selection().flatMap((row) => (row instanceof StoryNode ? [row.story.id] : []));
    const { pickStory } = await import('./pickStory.ts');
    const told = Promise.resolve(order?.()).then((one) => ({ ...one, selected }));
    return pickStory(this.backlogs, placeHolder, told);
  }

  /** As `of`, but the row selected in the tree comes before asking: for keys pressed in the tree. */
  async ofSelection(argument: unknown, placeHolder: string): Promise<FoundStory | undefined> {
    const [row] = this.view.selection();
    // A task, a comment or an attachment means its story.
    const selected = row instanceof DetailNode ? row.parent : row;
    return this.of(argument ?? selected, placeHolder);
  }

  private async ofRow({ key, storyId }: NamedStory): Promise<FoundStory> {
    const backlog = this.backlogs.peek(key);
    const story = backlog && findStory(backlog, storyId);
    return story ? sentStory({ key, story }) : this.named({ storyId, ...key });
  }

  private async named(argument: Readonly<Record<string, unknown>>): Promise<FoundStory> {
    const { storyId, projectId, accountId } = argument;
    if (typeof storyId !== 'number') {
      throw new TrackerError('input', vscode.l10n.t('Pass the story as { storyId: number, projectId?: number }.'));
    }
    const found = await this.backlogs.story(storyId, {
      ...(typeof projectId === 'number' && { projectId }),
      ...(typeof accountId === 'string' && { accountId }),
    });
    if (found) return sentStory(found);
    throw new TrackerError('notFound', vscode.l10n.t('Could not find story #{0} in your projects.', storyId));
  }
}

/** What a row or a name means. @throws TrackerError `input` for a story that no server has yet. */
export function sentStory({ key, story }: FoundStory): FoundStory {
  if (!isPendingStory(story)) return { key, story };
  const text = vscode.l10n.t('This story has no ID until it has been sent to the server. Try again then.');
  throw new TrackerError('input', text);
}
