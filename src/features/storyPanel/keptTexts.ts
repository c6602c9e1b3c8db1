/** What is begun in the page beside the story's fields and its comment; the page and the extension share it. */

/** A text that is being written into a task. */
export interface KeptTaskEdit {
  readonly id: number;
  readonly text: string;
  /** What the task was when the person saw it last. */
  readonly known: string;
}

export interface KeptTexts {
  /** A task that is to be added. */
  readonly task: string;
  readonly taskEdits: readonly KeptTaskEdit[];
  /** Tasks and comments that were not taken, and wait to be put back. */
  readonly taskReturned: readonly string[];
  readonly commentReturned: readonly string[];
}

/** As a page or the workspace's memory has them; what is not of their form is left out. */
export function keptTexts(value: unknown): KeptTexts {
  const { task, taskEdits, taskReturned, commentReturned } = fieldsOf(value);
  return {
    task: typeof task === 'string' ? task : '',
    taskEdits: Array.isArray(taskEdits) ? taskEdits.flatMap(taskEdit) : [],
    taskReturned: textsIn(taskReturned),
    commentReturned: textsIn(commentReturned),
  };
}

/** Whether there is anything to keep. */
export function isAnyKept({ task, taskEdits, taskReturned, commentReturned }: KeptTexts): boolean {
  return task !== '' || taskEdits.length + taskReturned.length + commentReturned.length > 0;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function taskEdit(value: unknown): readonly KeptTaskEdit[] {
  const { id, text, known } = fieldsOf(value);
  return typeof id === 'number' && typeof text === 'string' && typeof known === 'string' ? [{ id, text, known }] : [];
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : [];
}
