import { PASTE_LIMIT, type PanelStory, type PastedFile, pageState } from '../panelMessages.ts';
import { byId, say, vsCode } from './elements.ts';

const box = byId('comment');
const { sending = '', sent = '' } = document.querySelector('main')?.dataset ?? {};
let isSending = false;

/** The comment that is being written: kept over a reload until the server has taken it. */
export function startCommentBox(): void {
  setText(pageState(vsCode.getState()).draft);
  box.addEventListener('input', () => {
    keep({ draft: text() });
    // VS Code writes the state of pages seldom; what the extension is told is safe at once.
    vsCode.postMessage({ type: 'draft', text: text() });
  });
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
  });
  byId('form').addEventListener('submit', (event) => {
    event.preventDefault();
    send();
  });
}

export function keepStory(story: PanelStory): void {
  keep({ story });
}

/** Puts in a comment that was begun before, unless there is one. */
export function offerDraft(draft: string): void {
  if (text() !== '') return;
  setText(draft);
  keep({ draft });
}

/** Empties the box, unless something else has been written in the meantime. */
export function commentTaken(taken: string): void {
  if (text() === taken) setText('');
  keep({ draft: text() });
  ended('', sent);
}

export function commentRefused(problem: string): void {
  ended(problem, '');
}

function ended(problem: string, status: string): void {
  isSending = false;
  say('refusal', problem);
  byId('status').textContent = status;
  byId('form').removeAttribute('aria-busy');
}

function send(): void {
  if (isSending) return;
  if (text().trim() === '') {
    box.focus();
    return;
  }
  isSending = true;
  say('refusal', '');
  byId('status').textContent = sending;
  byId('form').setAttribute('aria-busy', 'true');
  vsCode.postMessage({ type: 'comment', text: text() });
}

function keep(change: { readonly draft?: string; readonly story?: PanelStory }): void {
  vsCode.setState({ ...pageState(vsCode.getState()), ...change });
}

function text(): string {
  return box instanceof HTMLTextAreaElement ? box.value : '';
}

function setText(value: string): void {
  if (box instanceof HTMLTextAreaElement) box.value = value;
}

/** Hands over files that are pasted, an image from the clipboard say; text goes where it always goes. */
export function startPasting(): void {
  document.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    const isText = event.clipboardData?.types.includes('text/plain') && event.target instanceof HTMLTextAreaElement;
    if (files.length === 0 || isText) return;
    event.preventDefault();
    void handOver(files);
  });
}

async function handOver(files: readonly File[]): Promise<void> {
  vsCode.postMessage({ type: 'paste', files: await Promise.all(files.map(pasted)) });
}

/** One that is too large is not even read. */
async function pasted(file: File): Promise<PastedFile> {
  const name = nameOf(file);
  return file.size > PASTE_LIMIT
    ? { name, size: file.size }
    : { name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/** Browsers call every image without a file `image.png`; when it was pasted tells them apart. */
function nameOf({ name, type }: File): string {
  if (name !== '' && !/^image\.\w+$/.test(name)) return name;
  const now = new Date();
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(twoDigits).join('-');
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits).join('.');
  return `pasted ${day} ${time}.${/^image\/(\w+)/.exec(type)?.[1] ?? 'bin'}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

const taskBox = byId('task');

/** The task that is being written: kept over a reload until it is taken. */
export function startTaskBox(): void {
  setTaskText(pageState(vsCode.getState()).task);
  taskBox.addEventListener('input', () => keepTask(taskText()));
  byId('taskForm').addEventListener('submit', (event) => {
    event.preventDefault();
    if (taskText().trim() === '') taskBox.focus();
    else vsCode.postMessage({ type: 'newTask', text: taskText() });
  });
}

/** Empties the box, unless something else has been written in the meantime. */
export function taskTaken(taken: string): void {
  if (taskText() === taken) setTaskText('');
  keepTask(taskText());
}

function keepTask(task: string): void {
  vsCode.setState({ ...pageState(vsCode.getState()), task });
}

function taskText(): string {
  return taskBox instanceof HTMLInputElement ? taskBox.value : '';
}

function setTaskText(value: string): void {
  if (taskBox instanceof HTMLInputElement) taskBox.value = value;
}
