import { type KeptTaskEdit, keptTexts } from '../storyDrafts.ts';
import type { TaskToPage } from '../taskMessages.ts';
import { byId, onShown, vsCode } from './elements.ts';
import { remembered, rememberSurely } from './pageMemory.ts';

/** The text that is being written into a task. */
interface TaskEdit {
  readonly text: string;
  /** What the task was when the person saw it last. */
  readonly known: string;
  /** Why it was not taken. */
  readonly problem: string;
  /** It was sent and not answered yet: the list shows it, and no box is open. */
  readonly isSent: boolean;
}

const section = document.querySelector<HTMLElement>('[data-part="tasks"]');
const edits = new Map<number, TaskEdit>(keptEdits());
const boxes = new Map<number, HTMLElement>();
/** Tasks that were written since the page is there. */
const touched = new Set<number>();

/** What a page kept of tasks that were being written. One that was sent is shown again only where the story does not have it. */
function keptEdits(): readonly (readonly [number, TaskEdit])[] {
  return keptTexts(remembered()).taskEdits.map(({ id, ...edit }) => [id, { ...edit, problem: '', isSent: false }]);
}

function keepEdit(id: number, edit: TaskEdit | undefined): void {
  if (edit) edits.set(id, edit);
  else edits.delete(id);
  rememberSurely({ taskEdits: [...edits].map(([key, { text, known }]) => ({ id: key, text, known })) });
}

/** Opens the boxes of tasks that were being written before, unless something else is being written there. */
export function offerTaskEdits(offered: readonly KeptTaskEdit[]): void {
  for (const { id, ...edit } of offered) {
    if (touched.has(id) || edits.get(id)?.text === edit.text) continue;
    boxes.get(id)?.remove();
    boxes.delete(id);
    keepEdit(id, { ...edit, problem: '', isSent: false });
  }
  showEdits();
}

/** Lets the tasks be edited, put in order and deleted, by the buttons, by keys and by dragging. */
export function startTaskList(): void {
  onShown('tasks', showEdits);
  section?.addEventListener('click', ({ target }) => {
    const tool = target instanceof Element ? target.closest<HTMLElement>('[data-tool]') : null;
    const id = tool && rowId(tool);
    if (id !== undefined && id !== null) use(tool?.dataset.tool ?? '', id);
  });
  section?.addEventListener('dblclick', ({ target }) => {
    const words = target instanceof Element ? target.closest<HTMLElement>('[data-source] label > span') : null;
    const id = words && rowId(words);
    if (id !== undefined && id !== null) use('edit', id);
  });
  section?.addEventListener('keydown', pressed);
  startDragging();
}

const TOOLS_BY_KEY: Readonly<Record<string, string>> = {
  F2: 'edit',
  'Alt+ArrowUp': 'up',
  'Alt+ArrowDown': 'down',
  Delete: 'delete',
};

function pressed(event: KeyboardEvent): void {
  const { target } = event;
  if (!(target instanceof HTMLElement) || target instanceof HTMLTextAreaElement) return;
  const id = rowId(target);
  if (id === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const tool = TOOLS_BY_KEY[`${event.altKey ? 'Alt+' : ''}${event.key}`];
  const way = event.altKey ? undefined : { ArrowUp: -1, ArrowDown: 1 }[event.key];
  const along = event.altKey ? undefined : { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (tool === undefined && way === undefined && along === undefined) return;
  event.preventDefault();
  if (tool !== undefined) use(tool, id);
  else if (way !== undefined) focusNeighbour(id, way);
  else if (along !== undefined) focusAlong(target, along);
}

function use(tool: string, id: number): void {
  if (tool === 'edit') begin(id);
  else if (tool === 'up' || tool === 'down') vsCode.postMessage({ type: 'moveTask', id, by: tool === 'up' ? -1 : 1 });
  else if (tool === 'delete') {
    if (!focusNeighbour(id, 1) && !focusNeighbour(id, -1)) byId('task').focus();
    vsCode.postMessage({ type: 'deleteTask', id });
  }
}

function rowId(element: Element): number | undefined {
  const row = element.closest<HTMLElement>('[data-row]');
  return row ? Number(row.dataset.row) : undefined;
}

function rowOf(id: number): HTMLElement | undefined {
  return section?.querySelector<HTMLElement>(`[data-row="${id}"]`) ?? undefined;
}

function focusNeighbour(id: number, way: number): boolean {
  const rows = [...(section?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
  const neighbour = rows[rows.findIndex((row) => row.dataset.row === String(id)) + way];
  const box = neighbour?.querySelector<HTMLElement>('input');
  box?.focus();
  return Boolean(box);
}

/** Tab goes from task to task; what can be done with one is beside it. */
function focusAlong(from: HTMLElement, way: number): void {
  const row = from.closest('[data-row]');
  const controls = [...(row?.querySelectorAll<HTMLElement>('input, .tools button') ?? [])];
  controls[controls.indexOf(from) + way]?.focus();
}

/** Opens the box of a task, with the text that it has. */
function begin(id: number): void {
  const source = rowOf(id)?.dataset.source;
  if (source === undefined) return;
  const edit = edits.get(id);
  keepEdit(id, edit && !edit.isSent ? edit : { text: source, known: source, problem: '', isSent: false });
  showEdits();
  boxOf(id)?.focus();
}

/** The box of a task whose text was changed and not sent. */
export function editedTask(): HTMLElement | undefined {
  return [...edits].flatMap(([id, { text, known, isSent }]) => (isSent || text === known ? [] : (boxOf(id) ?? [])))[0];
}

function boxOf(id: number): HTMLTextAreaElement | undefined {
  return boxes.get(id)?.querySelector('textarea') ?? undefined;
}

/** Puts the boxes that are open into the list, whose rows are new each time; a task that is gone has its box at the end. */
function showEdits(): void {
  for (const [id, edit] of edits) {
    if (edit.isSent) continue;
    const row = rowOf(id);
    if (row && row.dataset.source === edit.text && edit.text !== edit.known) {
      end(id);
      continue;
    }
    const box = boxes.get(id) ?? makeBox(id, edit);
    boxes.set(id, box);
    row?.classList.add('edited');
    if (row) row.append(box);
    else section?.querySelector('ul')?.append(box);
    fit(boxOf(id));
  }
}

function makeBox(id: number, { text, problem }: TaskEdit): HTMLElement {
  const holder = document.createElement('div');
  holder.className = 'taskEdit';
  const box = document.createElement('textarea');
  box.rows = 1;
  box.dir = 'auto';
  box.value = text;
  box.dataset.key = `text-${id}`;
  const { editTask = '' } = document.querySelector('main')?.dataset ?? {};
  box.setAttribute('aria-label', editTask);
  const refusal = document.createElement('p');
  refusal.id = `taskEditRefusal-${id}`;
  refusal.setAttribute('role', 'alert');
  refusal.className = 'refusal';
  refusal.textContent = problem;
  refusal.hidden = problem === '';
  box.setAttribute('aria-describedby', refusal.id);
  box.addEventListener('input', () => {
    const edit = edits.get(id);
    touched.add(id);
    if (edit) keepEdit(id, { ...edit, text: box.value });
    fit(box);
  });
  box.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      send(id);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      end(id);
      focusRow(id);
    }
  });
  holder.append(box, refusal);
  return holder;
}

function fit(box: HTMLTextAreaElement | undefined): void {
  if (!box) return;
  box.rows = Math.min(12, box.value.split('\n').length);
}

function send(id: number): void {
  const edit = edits.get(id);
  if (!edit || edit.text.trim() === '') return;
  const isThere = rowOf(id) !== undefined;
  if (isThere && edit.text === edit.known) {
    end(id);
    focusRow(id);
    return;
  }
  boxes.get(id)?.remove();
  boxes.delete(id);
  rowOf(id)?.classList.remove('edited');
  focusRow(id);
  if (!isThere) {
    // Someone else has deleted it, so what was written becomes a task of its own.
    keepEdit(id, undefined);
    vsCode.postMessage({ type: 'newTask', text: edit.text });
    return;
  }
  keepEdit(id, { ...edit, isSent: true });
  vsCode.postMessage({ type: 'editTask', id, text: edit.text, known: edit.known });
}

function end(id: number): void {
  keepEdit(id, undefined);
  boxes.get(id)?.remove();
  boxes.delete(id);
  rowOf(id)?.classList.remove('edited');
}

function focusRow(id: number): void {
  (rowOf(id)?.querySelector<HTMLElement>('input') ?? byId('task')).focus();
}

/** What became of an edit that was sent; one that was refused is open again, with what was typed. */
export function taskEditAnswered(message: Extract<TaskToPage, { readonly id: number }>): void {
  const { id, text } = message;
  const edit = edits.get(id);
  if (edit && !edit.isSent) {
    // Something else is being written there by now, which knows of what the task is now.
    if (message.type === 'taskEditRefused') showRefusal(id, edit, message.problem);
    return;
  }
  if (message.type === 'taskEdited') {
    keepEdit(id, undefined);
    return;
  }
  const known = rowOf(id)?.dataset.source ?? edit?.known ?? text;
  keepEdit(id, { text, known, problem: message.problem, isSent: false });
  const hadFocus = document.activeElement === document.body || section?.contains(document.activeElement);
  showEdits();
  if (hadFocus) boxOf(id)?.focus();
}

function showRefusal(id: number, edit: TaskEdit, problem: string): void {
  keepEdit(id, { ...edit, known: rowOf(id)?.dataset.source ?? edit.known, problem });
  const refusal = boxes.get(id)?.querySelector<HTMLElement>('[role="alert"]');
  if (!refusal) return;
  refusal.textContent = problem;
  refusal.hidden = problem === '';
}

/** A row is dragged by its grip; it lands before the row that it is dropped on from below, and behind it from above. */
function startDragging(): void {
  let dragged: number | undefined;
  section?.addEventListener('dragstart', (event) => {
    const grip = event.target instanceof Element ? event.target.closest('.grip') : null;
    dragged = grip ? rowId(grip) : undefined;
    if (dragged === undefined || !event.dataTransfer) return;
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('application/x-story-task', String(dragged));
    const row = rowOf(dragged);
    if (row) event.dataTransfer.setDragImage(row, 0, 0);
  });
  section?.addEventListener('dragover', (event) => {
    if (dragged === undefined) return;
    event.preventDefault();
    mark(event.target instanceof Element ? rowId(event.target) : undefined);
  });
  section?.addEventListener('drop', (event) => {
    const targetId = event.target instanceof Element ? rowId(event.target) : undefined;
    if (dragged === undefined) return;
    event.preventDefault();
    if (targetId !== undefined && targetId !== dragged) vsCode.postMessage({ type: 'dropTask', id: dragged, targetId });
  });
  section?.addEventListener('dragend', () => {
    dragged = undefined;
    mark(undefined);
  });

  function mark(targetId: number | undefined): void {
    const rows = [...(section?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
    const from = rows.findIndex((row) => row.dataset.row === String(dragged));
    for (const [index, row] of rows.entries()) {
      const isTarget = Number(row.dataset.row) === targetId && index !== from;
      row.classList.toggle('dropBefore', isTarget && index < from);
      row.classList.toggle('dropBehind', isTarget && index > from);
    }
  }
}
