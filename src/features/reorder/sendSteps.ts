import * as vscode from 'vscode';
import { type Backlog, findStory } from '../../core/backlog.ts';
import { retold, TrackerError } from '../../core/errors.ts';
import type { Tracker } from '../../core/tracker.ts';
import type { ProjectKey } from '../../host/nodes.ts';
import { storyLabel } from '../../host/storyLabel.ts';
import type { MoveStep } from './movePlan.ts';

/** Characters of a story's name in a message. */
const NAME_LENGTH = 80;

/**
 * Takes the steps of a move one after the other.
 * @throws TrackerError that says which story was not moved and how many were, with what the server said.
 */
export async function sendSteps(
  tracker: Tracker,
  { projectId }: ProjectKey,
  backlog: Backlog,
  steps: readonly MoveStep[],
): Promise<void> {
  for (const [moved, { storyId, state, spot }] of steps.entries()) {
    const story = { projectId, storyId };
    const name = nameOf(backlog, storyId);
    let changed: string | undefined;
    try {
      if (state) changed = (await tracker.updateStory(story, { state })).state;
      if (spot) await tracker.moveStory(story, spot.place, spot.targetId);
    } catch (thrown) {
      if (!(thrown instanceof TrackerError)) throw thrown;
      const head = changed === undefined ? notMoved(thrown, name) : halfMoved(name, changed);
      throw retold(thrown, `${countText(moved, steps.length)}${head}: ${thrown.message}`);
    }
  }
}

/** Without an answer nobody knows; the project is read again, so that the rows tell. */
function notMoved({ kind }: TrackerError, name: string): string {
  const hasAnswered = !['unreachable', 'timeout', 'server', 'protocol', 'cancelled'].includes(kind);
  return hasAnswered ? vscode.l10n.t('{0} was not moved', name) : vscode.l10n.t('{0} may not have been moved', name);
}

/** The new state carried it over the border of the icebox, and there it stands at the end. */
function halfMoved(name: string, state: string): string {
  return vscode.l10n.t('{0} is {1} now, but was not put in its place', name, state);
}

function countText(moved: number, all: number): string {
  return all === 1 ? '' : `${vscode.l10n.t('{0} of {1} stories were moved.', moved, all)} `;
}

function nameOf(backlog: Backlog, storyId: number): string {
  const name = storyLabel(findStory(backlog, storyId) ?? { id: storyId, name: '' }).replace(/\s+/g, ' ');
  return `“${name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH).trimEnd()}…` : name}”`;
}
