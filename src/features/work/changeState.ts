import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { isPlainObject } from '../../host/commands.ts';
import { estimatedEdit } from '../../host/estimatedEdit.ts';
import { submitIntents } from '../../host/submitIntents.ts';
import { askState } from './askState.ts';

type Needs = Pick<App, 'backlogs' | 'messages' | 'storyArgument'>;

/**
 * Moves a story to another state: the one named by `state`, beside the story or after its row, else one of the next that
 * is picked. An estimate that the state needs is taken from `estimate` or asked for.
 */
export async function changeState(needs: Needs, ...args: readonly unknown[]): Promise<void> {
  const [argument, more] = args;
  const found = await needs.storyArgument.ofSelection(argument, vscode.l10n.t('Change the state of which story?'));
  if (!found) return;
  const wanted = wish(argument, more);
  const { project } = await needs.backlogs.backlog(found.key);
  const state = wanted.state ?? (await askState(found.story, project));
  const edit = state === undefined ? undefined : await estimatedEdit(state, wanted.estimate, found.story, project);
  if (!edit) return;
  const { waiting } = await submitIntents(needs, found.key, [{ kind: 'edit', storyId: found.story.id, edit }]);
  if (!waiting) needs.messages.status(vscode.l10n.t('Story #{0} is {1}.', found.story.id, edit.state));
}

interface Wish {
  readonly state?: string;
  readonly estimate?: number;
}

function wish(...args: readonly unknown[]): Wish {
  const { state, estimate } = Object.assign({}, ...args.filter(isPlainObject)) as Readonly<Record<string, unknown>>;
  if (state !== undefined && (typeof state !== 'string' || state === '')) {
    throw new TrackerError('input', vscode.l10n.t('A state is meant by { state: string }.'));
  }
  return { ...(state === undefined ? {} : { state }), ...(typeof estimate === 'number' ? { estimate } : {}) };
}
