import type { StoryEdit } from '../../core/story/story.ts';
import type { SourceCommit } from '../../core/story/storyAddress.ts';
import { newNoteElement } from '../../v3/note.ts';
import { sourceCommitElement } from '../../v3/sourceCommit.ts';
import { storyEditElement } from '../../v3/storyEdit.ts';
import { type TaskEdit, taskEditElement } from '../../v3/task.ts';
import { xml } from './requestParts.ts';

export const storyEditBody = (edit: StoryEdit) => xml(storyEditElement(edit));
export const taskBody = (edit: TaskEdit) => xml(taskEditElement(edit));
export const noteBody = (text: string) => xml(newNoteElement(text));
export const sourceCommitBody = (commit: SourceCommit) => xml(sourceCommitElement(commit));
