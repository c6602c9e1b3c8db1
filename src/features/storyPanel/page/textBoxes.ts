import { PASTE_LIMIT, type PanelStory, type PastedFile, pageState } from '../panelMessages.ts';
import type { KeptTexts } from '../storyDrafts.ts';
import { byId, vsCode } from './elements.ts';
import { remember, rememberSurely } from './pageMemory.ts';
import { SentBox } from './returnedTexts.ts';
import { isWritable } from './writable.ts';
import { noteAt } from './writing.ts';

const { sending = '', sent = '', attachLater = '' } = document.querySelector('main')?.dataset ?? {};

const commentBox = new SentBox('comment', (draft) => {
  remember({ draft });
  // VS Code writes the state of pages seldom; what the extension is told is safe at once.
  vsCode.postMessage({ type: 'draft', text: draft });
});

/** The comment that is being written: kept over a reload until it is sent. */
export function startCommentBox(): void {
  const { draft } = pageState(vsCode.getState());
  commentBox.begin(draft);
  byId('comment').addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
  });
  byId('form').addEventListener('submit', (event) => {
    event.preventDefault();
    send();
  });
}

export function keepStory(story: PanelStory): void {
  remember({ story });
}

/** Puts in a comment that was begun before. */
export function offerDraft(draft: string): void {
  commentBox.offer(draft);
}

/** Puts in a task that was begun before, and what was not taken. */
export function offerTexts({ task, taskReturned, commentReturned }: KeptTexts): void {
  taskBox.offer(task);
  taskBox.offerReturned(taskReturned);
  commentBox.offerReturned(commentReturned);
}

export function commentTaken(): void {
  byId('status').textContent = sent;
}

export function commentRefused(text: string, problem: string): void {
  byId('status').textContent = '';
  commentBox.giveBack(text, problem);
}

function send(): void {
  if (!isWritable()) return;
  const text = commentBox.taken();
  if (text === undefined) return;
  byId('status').textContent = sending;
  vsCode.postMessage({ type: 'comment', text });
}

/** Hands over files that are pasted, an image from the clipboard say; text goes where it always goes. */
export function startPasting(): void {
  document.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    const isText = event.clipboardData?.types.includes('text/plain') && event.target instanceof HTMLTextAreaElement;
    if (files.length === 0 || isText) return;
    event.preventDefault();
    if (document.body.classList.contains('is-new')) noteAt(event.target, attachLater);
    else void handOver(files);
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

const taskBox = new SentBox('task', (task) => rememberSurely({ task }));

/** The task that is being written: kept over a reload until it is sent. */
export function startTaskBox(): void {
  const { task } = pageState(vsCode.getState());
  taskBox.begin(task);
  byId('taskForm').addEventListener('submit', (event) => {
    event.preventDefault();
    const text = taskBox.taken();
    if (text !== undefined) vsCode.postMessage({ type: 'newTask', text });
  });
}

export function taskRefused(text: string, problem: string): void {
  taskBox.giveBack(text, problem);
}
