import type { PatchOf } from '../../../core/ports/outgoingFiles.ts';
import { isPlainObject } from '../../../host/shell/commands.ts';
import { StoryNode } from '../../../host/tree/nodes.ts';
import { attach } from './attach.ts';
import { type AttachCommandNeeds, storyOf } from './attachFiles.ts';
import { chooseDiff } from '../prepare/chooseDiff.ts';
import { wishesIn } from '../prepare/fileArguments.ts';

/**
 * Attaches a repository's changes as a patch. A program names the story and perhaps `changes: 'all' | 'staged' | 'unstaged'` and
 * the `repository`; Source Control's menus pass the repository or the group of changes.
 */
export async function attachDiff(needs: AttachCommandNeeds, argument: unknown): Promise<void> {
  const program = isPlainObject(argument);
  const story = program || argument instanceof StoryNode ? argument : undefined;
  const patches = await chooseDiff(needs, story instanceof StoryNode ? undefined : argument, wishIn(argument));
  if (patches.length === 0) return;
  let isTaken = false;
  try {
    const found = await storyOf(needs, story);
    if (!found) return;
    isTaken = true;
    await attach(needs, found, patches, program ? 'program' : 'person', wishesIn(argument));
  } finally {
    if (!isTaken) for (const patch of patches) await patch.discard?.();
  }
}

function wishIn(argument: unknown): PatchOf | undefined {
  if (isPlainObject(argument)) {
    const { changes } = argument;
    return changes === 'staged' || changes === 'unstaged' ? changes : 'all';
  }
  // The groups of VS Code's Git.
  const id = typeof argument === 'object' && argument !== null && 'id' in argument ? argument.id : undefined;
  if (id === 'index') return 'staged';
  return id === 'workingTree' ? 'unstaged' : undefined;
}
