import { isScheduled } from '../../core/backlog/workflow.ts';
import type { Story, StoryEdit } from '../../core/story/story.ts';
import type { Change } from '../auth/projectAccess.ts';
import { refuseTooMuch } from '../input/fieldLimits.ts';
import { addLabels } from '../store/stories/labels.ts';
import { rankAtEnd, rankAtTop } from '../store/stories/places.ts';
import { insertStory } from '../store/stories/storyRows.ts';
import { wholeStory } from '../store/stories/wholeStory.ts';
import { quoted, record } from './recordActivity.ts';
import { blankFields, editedFields } from './storyFields.ts';
import { refuseWrongStory } from './storyRules.ts';
import { tellNewOwner } from './tellNewOwner.ts';

/** Adds a story: at the top of the icebox, or, when it is scheduled, at the end of the backlog. */
export async function createStory(change: Change, edit: StoryEdit): Promise<Story> {
  const { tx, project, now } = change;
  refuseTooMuch(edit);
  const fields = await editedFields(change, blankFields(change), edit);
  refuseWrongStory(fields, project);
  const list = { projectId: project.id, inIcebox: isScheduled(fields.state) ? 0 : 1 };
  const rank = list.inIcebox === 1 ? await rankAtTop(tx, list) : await rankAtEnd(tx, list);
  const row = await insertStory(tx, { ...fields, ...list, rank, updatedAt: now });
  await addLabels(tx, project.id, row.id, uniqueLabels(edit.labels ?? []));
  const story = await wholeStory(tx, project, row);
  const { id, ...changed } = story;
  await record(change, 'story_create', `added ${quoted(story.name)}`, [{ id, changed, cleared: [] }]);
  await tellNewOwner(change, null, row);
  return story;
}

export function uniqueLabels(labels: readonly string[]): readonly string[] {
  return [...new Set(labels)];
}
