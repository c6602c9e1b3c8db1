import * as vscode from 'vscode';
import type { App } from '../../../host/app.ts';
import { isPlainObject } from '../../../host/shell/commands.ts';
import { DetailNode, type FoundStory, StoryNode } from '../../../host/tree/nodes.ts';
import { type AttachNeeds, attach } from './attach.ts';
import type { Offered } from '../prepare/candidate.ts';
import { chooseAmong, chooseFiles } from '../prepare/chooseFiles.ts';
import { discard } from '../prepare/discard.ts';
import { namedFiles, wishesIn } from '../prepare/fileArguments.ts';
import { namesStory } from './namesStory.ts';
import { openFiles } from '../prepare/openFiles.ts';
import { unsentOf } from './unsentOf.ts';

export type AttachCommandNeeds = AttachNeeds & Pick<App, 'storyArgument' | 'storiesView' | 'git'>;

/** What the key of the view passes, so that it is told from the palette. */
const BY_KEY = 'selection';

/**
 * `attachFiles (uri?, uris?, { storyId }?)` of contract.md; from a story's row it asks for the files. The third argument may
 * also say `folders: 'zip' | 'files'` and `evenSecrets: true`, which a person would be asked.
 */
export async function attachFiles(needs: AttachCommandNeeds, ...given: readonly unknown[]): Promise<void> {
  const args = given[0] === BY_KEY ? [selectedStory(needs)] : given;
  const [uri, , story] = args;
  const program = namesStory(args);
  const target = program || uri instanceof StoryNode ? await storyOf(needs, program ? story : uri) : undefined;
  if (!target) await needs.backlogs.someProjects();
  const named = namedFiles(args);
  const files = named.length > 0 ? named : await chooseFiles(needs);
  if (files.length === 0) return;
  const found = target ?? (await picked(needs, files));
  if (found) await attach(needs, found, files, program ? 'program' : 'person', wishesIn(story));
}

/** That of the row, or of the row above a task, a comment or an attachment; none where several are selected. */
function selectedStory({ storiesView }: AttachCommandNeeds): StoryNode | undefined {
  const [row, another] = storiesView.selection();
  if (another) return undefined;
  if (row instanceof DetailNode) return row.parent;
  return row instanceof StoryNode ? row : undefined;
}

/** Without a story, what was made to be attached goes. */
async function picked(needs: AttachCommandNeeds, files: readonly Offered[]): Promise<FoundStory | undefined> {
  let found: FoundStory | undefined;
  try {
    found = await needs.storyArgument.of(undefined, placeHolder(files.length));
    return found;
  } finally {
    if (!found) await discard(needs, unsentOf(files, []));
  }
}

/** Attaches files of open editors to a story; a program that names the story gets all of them attached. */
export async function attachOpenEditors(needs: AttachCommandNeeds, story: unknown): Promise<void> {
  const open = openFiles();
  if (open.length === 0) {
    needs.messages.info(vscode.l10n.t('No file is open in an editor.'));
    return;
  }
  const program = isPlainObject(story);
  const files = program ? open : await chooseAmong(open);
  if (files.length === 0) return;
  const found = await storyOf(needs, story);
  if (found) await attach(needs, found, files, program ? 'program' : 'person', wishesIn(story));
}

/** The story that an argument names, or one that is picked. */
export function storyOf(needs: Pick<App, 'storyArgument'>, argument: unknown): Promise<FoundStory | undefined> {
  return needs.storyArgument.of(argument, vscode.l10n.t('Story to attach to'));
}

function placeHolder(count: number): string {
  return count === 1
    ? vscode.l10n.t('Story to attach the file to')
    : vscode.l10n.t('Story to attach {0} files to', count);
}
