import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import { estimatedEdit } from '../../host/story/estimatedEdit.ts';
import { applyEdits, type WantedEdit } from './applyEdits.ts';
import { askState } from './askState.ts';
import { type ChosenStories, chosenStories } from './chosenStories.ts';
import { programArguments } from './programArguments.ts';
import type { WorkNeeds } from './workNeeds.ts';

/**
 * Moves stories to another state: the one named by `state`, beside the story or after its row, else one of the next that
 * is picked. An estimate that the state needs is taken from `estimate` or asked for.
 */
export async function changeState(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const chosen = await chosenStories(needs, args, vscode.l10n.t('Change the state of which story?'));
  if (!chosen) return;
  const wanted = wish(args);
  const { project } = await needs.backlogs.backlog(chosen.key);
  const state = wanted.state ?? (await askState(chosen.stories, project));
  if (state === undefined) return;
  const edits: WantedEdit[] = [];
  for (const story of chosen.stories) {
    const edit = await estimatedEdit(state, wanted.estimate, story, project);
    if (!edit) return;
    edits.push({ story, intent: { kind: 'edit', storyId: story.id, edit } });
  }
  await applyEdits(needs, chosen.key, edits, doneText(chosen, state));
}

function doneText({ stories: [first, ...others] }: ChosenStories, state: string): string {
  return others.length === 0
    ? vscode.l10n.t('Story #{0} is {1}.', first.id, state)
    : vscode.l10n.t('{0} stories are {1}.', others.length + 1, state);
}

interface Wish {
  readonly state?: string;
  readonly estimate?: number;
}

function wish(args: readonly unknown[]): Wish {
  const { state, estimate } = programArguments(args);
  if (state !== undefined && (typeof state !== 'string' || state === '')) {
    throw new TrackerError('input', vscode.l10n.t('A state is meant by { state: string }.'));
  }
  return { ...(state === undefined ? {} : { state }), ...(typeof estimate === 'number' ? { estimate } : {}) };
}
