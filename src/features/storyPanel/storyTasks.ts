import { commandIds } from '../../commandIds.ts';
import { isPendingTask } from '../../core/intents/newTask.ts';
import { olderPartsOf, type Story, type Task } from '../../core/story/story.ts';
import { withoutControls } from '../../core/text.ts';
import { escaped, lineOf, listPart } from './html.ts';
import { shortened, type Windowed } from './listWindow.ts';
import type { MarkdownWriter } from './markdown.ts';
import type { FromPage } from './panelMessages.ts';
import type { PanelTexts } from './panelTexts.ts';
import type { TaskFromPage } from './taskMessages.ts';

// Drawn here, since the page loads nothing: a pencil, arrows, a bin, a grip.
const shapes = {
  edit: 'M11.500 1.500l3 3L5 14H2v-3zM3 11.500V13h1.500l6.700-6.700-1.500-1.500z',
  up: 'M8 3l5 5-1 1-3.300-3.300V14H7.300V5.700L4 9 3 8z',
  down: 'M8 13L3 8l1-1 3.300 3.300V2h1.400v8.300L12 7l1 1z',
  delete: 'M6 2h4v1h3v1.200H3V3h3zM4 5.200h8l-.600 8.800H4.600zM6.400 6.500v6h1v-6zM8.600 6.500v6h1v-6z',
  grip: 'M5 3h2v2H5zM9 3h2v2H9zM5 7h2v2H5zM9 7h2v2H9zM5 11h2v2H5zM9 11h2v2H9z',
} as const;

function icon(name: keyof typeof shapes): string {
  return `<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><path fill="currentColor" fill-rule="evenodd" d="${shapes[name]}"/></svg>`;
}

/** The tasks as a list of boxes, each with what can be done about it; empty where there are none. */
export function tasksPart(story: Story, shown: Windowed<Task>, texts: PanelTexts, markdown: MarkdownWriter): string {
  const onServer = olderPartsOf(story).tasks;
  if (shown.items.length === 0) return '';
  const done = story.tasks.filter(({ complete }) => complete).length;
  const rows = shown.items.map((task) =>
    isPendingTask(task) ? waitingRow(task, texts, markdown) : row(task, texts, markdown),
  );
  const title = texts.tasks(done, story.tasks.length);
  return `<h2>${escaped(title)}</h2>${listPart('tasks', 'tasks', shown, rows, texts, onServer)}`;
}

function waitingRow({ description }: Task, texts: PanelTexts, markdown: MarkdownWriter): string {
  const unsent = `<span class="quiet">${escaped(texts.notSentYet)}</span>`;
  return `<li><label><input type="checkbox" disabled><span dir="auto">${wordsOf(description, markdown)} ${unsent}</span></label></li>`;
}

function wordsOf(description: string, markdown: MarkdownWriter): string {
  const { text, more } = shortened(description);
  return `${markdown.line(text)}${more > 0 ? '…' : ''}`;
}

/** Characters of a task within what a button of its is called. */
const LONGEST_NAME = 80;

/** What is longer than what is shown cannot be edited here: what is not shown would be lost. */
function row({ id, description, complete }: Task, texts: PanelTexts, markdown: MarkdownWriter): string {
  const isWhole = shortened(description).more === 0;
  const name = lineOf(description.slice(0, LONGEST_NAME));
  const box = `<input type="checkbox" data-task="${id}" data-key="task-${id}" aria-keyshortcuts="F2 Alt+ArrowUp Alt+ArrowDown Delete"${complete ? ' checked' : ''}>`;
  const words = `<span dir="auto"${complete ? ' class="done"' : ''}>${wordsOf(description, markdown)}</span>`;
  const tool = (does: 'edit' | 'up' | 'down' | 'delete') =>
    `<button type="button" class="icon" tabindex="-1" data-tool="${does}" data-key="${does}-${id}" title="${escaped(texts.taskTools[does])}" aria-label="${escaped(texts.taskToolOf(texts.taskTools[does], name))}">${icon(does)}</button>`;
  const tools = [...(isWhole ? [tool('edit')] : []), tool('up'), tool('down'), tool('delete')];
  const source = isWhole ? ` data-source="${escaped(description)}"` : '';
  const grip = `<span class="grip" draggable="true" aria-hidden="true">${icon('grip')}</span>`;
  return `<li data-row="${id}"${source}>${grip}<label>${box}${words}</label><span class="tools">${tools.join('')}</span></li>`;
}

/** What the page asks to be done with a task that is there. */
export type TaskAction = Exclude<TaskFromPage, { readonly type: 'newTask' }>;

export function isTaskAction(action: FromPage): action is TaskAction {
  return TASK_ACTIONS.some((type) => type === action.type);
}

const TASK_ACTIONS = [
  'task',
  'editTask',
  'moveTask',
  'dropTask',
  'deleteTask',
] as const satisfies readonly TaskAction['type'][];

/** A command that does what the page asks for, with its arguments beside the story. */
interface TaskCommand {
  readonly command: string;
  readonly argument: Readonly<Record<string, unknown>>;
}

/** The command for what the page asks to be done with a task; `undefined` where there is nothing to do. */
export function taskCommand({ tasks }: Story, action: TaskAction, order: TaskOrder): TaskCommand | undefined {
  const taskId = action.id;
  if (action.type === 'task') {
    return { command: action.complete ? commandIds.completeTask : commandIds.reopenTask, argument: { taskId } };
  }
  if (action.type === 'deleteTask') return { command: commandIds.deleteTask, argument: { taskId } };
  if (action.type === 'editTask') {
    const argument = { taskId, description: action.text, known: knownText(tasks, action) };
    return { command: commandIds.editTask, argument };
  }
  const position = order.move(tasks, action);
  return position === undefined ? undefined : { command: commandIds.moveTask, argument: { taskId, position } };
}

/** What the person saw, as the server has it: the page shows no characters that hide or turn text. */
function knownText(tasks: readonly Task[], { id, known }: { readonly id: number; readonly known: string }): string {
  const now = tasks.find((task) => task.id === id)?.description;
  return now !== undefined && withoutControls(now) === known ? now : known;
}

/** The order of a story's tasks with the moves that were asked for and do not show yet, as when a key is held down. */
export class TaskOrder {
  private ids: readonly number[] = [];
  private underWay = 0;

  /** The 1-based place where the task goes; `undefined` where it stays. Tasks that no server has yet stay the last. */
  move(tasks: readonly Task[], action: Extract<TaskAction, { readonly type: 'moveTask' | 'dropTask' }>) {
    const now = this.underWay > 0 ? this.ids : tasks.filter((task) => !isPendingTask(task)).map(({ id }) => id);
    const from = now.indexOf(action.id);
    const target = action.type === 'moveTask' ? from + action.by : now.indexOf(action.targetId);
    const to = Math.max(0, Math.min(now.length - 1, target));
    if (from < 0 || to === from || (action.type === 'dropTask' && target < 0)) return undefined;
    this.ids = now.toSpliced(from, 1).toSpliced(to, 0, action.id);
    this.underWay += 1;
    return to + 1;
  }

  /** A move shows, or was refused. */
  ended(): void {
    this.underWay -= 1;
  }
}
