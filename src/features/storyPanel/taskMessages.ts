/** What the page and the extension say to each other about the tasks of a story. Both sides check what comes in. */

export type TaskFromPage =
  | { readonly type: 'newTask'; readonly text: string }
  | { readonly type: 'task'; readonly id: number; readonly complete: boolean }
  /** `known` is the text that the person saw when they began. */
  | { readonly type: 'editTask'; readonly id: number; readonly text: string; readonly known: string }
  /** So many places down the list, up where it is negative. */
  | { readonly type: 'moveTask'; readonly id: number; readonly by: number }
  /** To the place that another task has: from below before it, from above behind it, as in the tree. */
  | { readonly type: 'dropTask'; readonly id: number; readonly targetId: number }
  | { readonly type: 'deleteTask'; readonly id: number };

export type TaskToPage =
  | { readonly type: 'taskTaken'; readonly text: string }
  | { readonly type: 'taskRefused'; readonly text: string; readonly problem: string }
  | { readonly type: 'taskEdited'; readonly id: number; readonly text: string }
  | { readonly type: 'taskEditRefused'; readonly id: number; readonly text: string; readonly problem: string };

type Fields = Readonly<Record<string, unknown>>;

const isId = (value: unknown) => typeof value === 'number' && Number.isSafeInteger(value);
const isWritten = (value: unknown) => typeof value === 'string' && value.trim() !== '';
const isText = (value: unknown) => typeof value === 'string';

type Shapes<M extends { readonly type: string }> = {
  readonly [K in M['type']]: {
    readonly [F in Exclude<keyof Extract<M, { readonly type: K }>, 'type'>]: (value: unknown) => boolean;
  };
};

const FROM_PAGE: Shapes<TaskFromPage> = {
  newTask: { text: isWritten },
  task: { id: isId, complete: (value) => typeof value === 'boolean' },
  editTask: { id: isId, text: isWritten, known: isText },
  moveTask: { id: isId, by: isId },
  dropTask: { id: isId, targetId: isId },
  deleteTask: { id: isId },
};

const TO_PAGE: Shapes<TaskToPage> = {
  taskTaken: { text: isText },
  taskRefused: { text: isText, problem: isText },
  taskEdited: { id: isId, text: isText },
  taskEditRefused: { id: isId, text: isText, problem: isText },
};

/** What a page said about tasks; `undefined` when it is something else, or not whole. */
export function taskFromPage(fields: Fields): TaskFromPage | undefined {
  const shaped = shapedBy(FROM_PAGE, fields);
  return shaped && (shaped as TaskFromPage);
}

/** What the extension said about tasks; `undefined` when it is something else, or not whole. */
export function taskToPage(fields: Fields): TaskToPage | undefined {
  const shaped = shapedBy(TO_PAGE, fields);
  return shaped && (shaped as TaskToPage);
}

/** The members that the type has, when each is as it is to be. */
function shapedBy(
  shapes: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>>,
  fields: Fields,
): Fields | undefined {
  const { type } = fields;
  const shape = typeof type === 'string' && Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  if (!shape || !Object.entries(shape).every(([name, isRight]) => isRight(fields[name]))) return undefined;
  return { type, ...Object.fromEntries(Object.keys(shape).map((name) => [name, fields[name]])) };
}
