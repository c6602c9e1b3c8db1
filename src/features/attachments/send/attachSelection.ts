import * as vscode from 'vscode';
import { TrackerError } from '../../../core/errors.ts';
import { isPlainObject } from '../../../host/shell/commands.ts';
import { StoryNode } from '../../../host/tree/nodes.ts';
import { attach } from './attach.ts';
import { type AttachCommandNeeds, storyOf } from './attachFiles.ts';
import { wishesIn } from '../prepare/fileArguments.ts';
import { selectionOf } from '../prepare/selection.ts';

/** Attaches what is selected in the active editor as a file. @throws TrackerError `input` when nothing is. */
export async function attachSelection(needs: AttachCommandNeeds, argument: unknown): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor && selectionOf(editor);
  if (!selected) throw new TrackerError('input', vscode.l10n.t('Select some text in an editor first.'));
  const program = isPlainObject(argument);
  // The editor's menu passes the document.
  const story = program || argument instanceof StoryNode ? argument : undefined;
  const found = await storyOf(needs, story);
  if (found) await attach(needs, found, [selected], program ? 'program' : 'person', wishesIn(argument));
}
