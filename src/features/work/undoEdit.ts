import * as vscode from 'vscode';
import { findStory } from '../../core/backlog.ts';
import { TrackerError } from '../../core/errors.ts';
import { isAsLeft } from '../../core/reversedIntent.ts';
import type { Story } from '../../core/story.ts';
import type { ProjectKey } from '../../host/nodes.ts';
import { refusalIn } from './applyEdits.ts';
import type { EditStep, MadeEdit } from './editsMade.ts';
import type { WorkNeeds } from './workNeeds.ts';

type Needs = Pick<WorkNeeds, 'backlogs' | 'edits' | 'messages'>;

/**
 * Takes the last change of this window back; stories that somebody else has changed since stay as they are.
 * @throws TrackerError when that is so for some, or in the server's words when it refuses.
 */
export async function undoEdit({ backlogs, edits, messages }: Needs): Promise<void> {
  const step = edits.last;
  if (!step) {
    messages.status(vscode.l10n.t('There is no edit to undo.'));
    return;
  }
  edits.forget(step);
  const { open, changed } = await sorted(backlogs, step);
  const outcomes = await Promise.allSettled(open.map(({ back }) => backlogs.submit(step.key, [back])));
  // What could not be undone can be another time; what was is not undone twice.
  edits.add({ ...step, edits: open.filter((_, index) => refusalIn(outcomes[index])) });
  const refused = outcomes.map(refusalIn).find(Boolean);
  if (refused) throw refused;
  if (changed.length > 0) {
    const ids = changed.map(({ intent }) => `#${intent.storyId}`).join(', ');
    throw new TrackerError('refused', vscode.l10n.t('Not undone, since they were changed meanwhile: {0}', ids));
  }
  messages.status(
    open.length === 1 && open[0]
      ? vscode.l10n.t('Story #{0} is as it was before.', open[0].intent.storyId)
      : vscode.l10n.t('{0} stories are as they were before.', open.length),
  );
}

/** Which are as they were left, and which are not. */
async function sorted(backlogs: Needs['backlogs'], { key, edits }: EditStep) {
  const stories = await Promise.all(edits.map(({ intent }) => storyNow(backlogs, key, intent.storyId)));
  const isOpen = (_: MadeEdit, index: number) => {
    const [story, edit] = [stories[index], edits[index]];
    return !story || !edit || isAsLeft(story, edit.intent);
  };
  return { open: edits.filter(isOpen), changed: edits.filter((edit, index) => !isOpen(edit, index)) };
}

/**
 * As its server says, since what is shown may be older than what somebody else did; as it is shown while a change of it waits
 * or the server cannot be asked. `undefined` when neither can be had: what waits is told by its answer then.
 */
async function storyNow(backlogs: Needs['backlogs'], key: ProjectKey, storyId: number): Promise<Story | undefined> {
  const shown = () => {
    const backlog = backlogs.peek(key);
    return backlog && findStory(backlog, storyId);
  };
  const waits = backlogs.unsent.some(
    ({ project, intent }) =>
      project.accountId === key.accountId && project.projectId === key.projectId && intent.storyId === storyId,
  );
  return (waits && shown()) || backlogs.refreshStory(key, storyId).catch(shown);
}
