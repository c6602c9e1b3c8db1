import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { fieldNames } from '../../core/fieldNames.ts';
import { type Story, type StoryEdit, UNESTIMATED } from '../../core/story/story.ts';
import { FIELD_WORDS } from '../../core/story/storyFields.ts';
import { type Caller, callerOf, programArguments } from '../../host/shell/commands.ts';
import { storyFieldsIn } from '../../host/story/storyFieldsArgument.ts';
import { GivenStory } from '../../host/tree/nodes.ts';
import { applyEdits, chosenStories, storiesInSentence, type WorkNeeds } from './applyEdits.ts';

/**
 * Sets the fields that are passed beside the story or after its row, on all rows that are selected with it; without any it
 * opens the story's tab on its name. Where someone else has changed one of them since it was shown, nothing is overwritten.
 * @throws TrackerError `input` for a field that is not of its form, `conflict`, or in the server's words.
 */
export async function editStory(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const wanted = storyFieldsIn(vscode, programArguments(args));
  const fields = fieldNames(wanted);
  if (fields.length === 0) {
    const found = await needs.storyArgument.ofSelection(args[0], vscode.l10n.t('Which story do you want to edit?'));
    if (found) {
      const caller: Caller = callerOf(args);
      await vscode.commands.executeCommand(commandIds.openStory, new GivenStory(found), { write: 'name', caller });
    }
    return;
  }
  const chosen = await chosenStories(needs, args, vscode.l10n.t('Which story do you want to edit?'));
  if (!chosen) return;
  const { key, stories } = chosen;
  const edits = stories.map((story) => ({
    story,
    intent: { kind: 'edit', storyId: story.id, edit: wanted, known: knownFields(story, wanted) } as const,
  }));
  const words = fields.map((field) => FIELD_WORDS[field]).join(', ');
  await applyEdits(needs, key, edits, vscode.l10n.t('Changed the {0} of {1}.', words, storiesInSentence(stories)));
}

/** What is shown of the story in the fields that an edit sets. */
function knownFields(story: Story, edit: StoryEdit): StoryEdit {
  const { estimate = UNESTIMATED, description = null, ownedBy = null, deadline = null } = story;
  const known = { ...story, description, ownedBy, deadline, estimate: estimate < 0 ? null : estimate };
  const values: Readonly<Record<string, unknown>> = known;
  return Object.fromEntries(fieldNames(edit).map((name) => [name, values[name]]));
}
