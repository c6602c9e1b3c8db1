import type { StoryEdit } from '../../core/story/story.ts';
import type { SourceCommit } from '../../core/story/storyAddress.ts';
import type { Element } from '../../v3/element.ts';
import { newNoteElement } from '../../v3/note.ts';
import { sourceCommitElement } from '../../v3/sourceCommit.ts';
import { storyEditElement } from '../../v3/storyEdit.ts';
import { type TaskEdit, taskEditElement } from '../../v3/task.ts';
import { writeDocument } from '../../v3/write.ts';

/** The body of a change. */
export function xml(root: Element): { readonly body: { readonly contentType: string; readonly text: string } } {
  return { body: { contentType: 'application/xml', text: writeDocument(root) } };
}

/** A query of those values that are given. */
export function query(values: Readonly<Record<string, string | number | undefined>>): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters;
}

export const storyEditBody = (edit: StoryEdit) => xml(storyEditElement(edit));
export const taskBody = (edit: TaskEdit) => xml(taskEditElement(edit));
export const noteBody = (text: string) => xml(newNoteElement(text));
export const sourceCommitBody = (commit: SourceCommit) => xml(sourceCommitElement(commit));
