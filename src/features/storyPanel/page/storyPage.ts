import { toPage } from '../panelMessages.ts';
import { showImage, startAttachedImages } from './attachedImages.ts';
import { byId, forget, isOnMac, say, showParts, vsCode } from './elements.ts';
import { isOwnStory, showKept, startKeptLine } from './pageMemory.ts';
import { offerTaskEdits, startTaskList, taskEditAnswered } from './taskList.ts';
import {
  commentRefused,
  commentTaken,
  discardBegun,
  keepStory,
  offerDraft,
  offerTexts,
  removeReferences,
  startCommentBox,
  startPasting,
  startTaskBox,
  taskRefused,
} from './textBoxes.ts';
import { isWritable, markControls, setWritable, startReadOnly } from './writable.ts';
import {
  endCreating,
  receiveFields,
  refuse,
  showDiscard,
  showNewStory,
  showUnfinished,
  startWriting,
} from './writing.ts';

window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const message = toPage(data);
  if (message?.type === 'content') {
    if (!isOwnStory(message.story)) return;
    keepStory(message.story);
    showParts(message.parts);
  } else if (message?.type === 'newStory') {
    keepStory(message.story);
    showNewStory(message.where, message.unfinishedAt);
  } else if (message?.type === 'problem') {
    sayProblem(message.field ? '' : message.text, message.open);
    endCreating();
    if (message.field) refuse(message.field, message.text);
  } else if (message?.type === 'announce') byId('status').textContent = message.text;
  else if (message?.type === 'draft') offerDraft(message.text);
  else if (message?.type === 'texts') {
    offerTexts(message.texts);
    offerTaskEdits(message.texts.taskEdits);
  } else if (message?.type === 'image') showImage(message.id, message.mime, new Uint8Array(message.bytes));
  else if (message?.type === 'notAttached') removeReferences(message.names);
  else if (message?.type === 'begunDiscarded') discardBegun(message);
  else if (message?.type === 'commentTaken') commentTaken();
  else if (message?.type === 'commentRefused') commentRefused(message.text, message.problem);
  else if (message?.type === 'taskRefused') taskRefused(message.text, message.problem);
  else if (message?.type === 'taskEdited' || message?.type === 'taskEditRefused') taskEditAnswered(message);
  else if (message?.type === 'writable') setWritable(message.isWritable);
  else if (message && message.type !== 'taskTaken') receiveFields(message);
  if (!isWritable()) markControls();
  showUnfinished();
  showDiscard();
  showKept();
});

// Before VS Code's own listener sees the click: links are opened by the extension, after it has looked at them.
window.addEventListener(
  'click',
  (event) => {
    const target = event.target instanceof Element ? event.target : undefined;
    const link = target?.closest('a');
    if (link) {
      event.preventDefault();
      event.stopImmediatePropagation();
      const { story, hash } = link.dataset;
      // That of a commit without a page is no address.
      const address = hash === undefined ? link.href : (link.getAttribute('href') ?? '');
      if (story === undefined) vsCode.postMessage({ type: 'link', address, hash });
      else vsCode.postMessage({ type: 'story', id: Number(story) });
    }
    const button = target?.closest<HTMLElement>('[data-do]');
    if (button) press(button);
  },
  true,
);

// Before VS Code's own listener sees the key: it would take back what was typed last into some box, and empty that.
window.addEventListener(
  'keydown',
  (event) => {
    const way = undoKey(event);
    if (way === undefined || isTextBox(event.target)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    vsCode.postMessage({ type: way });
  },
  true,
);

document.addEventListener('keydown', (event) => {
  // On a Mac it types a letter.
  const isTyped = isOnMac && isTextBox(event.target);
  if (!isCommentKey(event) || isTyped || !byId('comment').checkVisibility()) return;
  event.preventDefault();
  byId('comment').focus();
});

function isCommentKey({ code, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return code === 'KeyC' && altKey && !ctrlKey && !metaKey && !shiftKey;
}

function undoKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): 'undo' | 'redo' | undefined {
  if (altKey || ctrlKey === metaKey) return undefined;
  const letter = key.toLowerCase();
  if (letter === 'z') return shiftKey ? 'redo' : 'undo';
  return letter === 'y' && !shiftKey ? 'redo' : undefined;
}

function isTextBox(target: EventTarget | null): boolean {
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox');
}

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.dataset.task === undefined) return;
  forget('tasks');
  vsCode.postMessage({ type: 'task', id: Number(target.dataset.task), complete: target.checked });
});

// At once, whoever else waits until more is typed: a preview must not be given to another story then.
document.addEventListener('input', () => vsCode.postMessage({ type: 'edited' }), { capture: true, once: true });

startReadOnly();
startKeepingFocus();
startCommentBox();
startTaskBox();
startTaskList();
startAttachedImages();
startPasting();
startWriting();
startKeptLine();
vsCode.postMessage({ type: 'ready' });

/** With a link to the story that has taken the place of this one, where there is one. */
function sayProblem(text: string, open?: { readonly id: number; readonly text: string }): void {
  const link = document.querySelector<HTMLElement>('#problem a');
  const isSaid = link?.dataset.story === open?.id.toString() && byId('problem').dataset.text === text;
  // An alert that says the same again would be read again.
  if (isSaid) return;
  say('problem', text);
  byId('problem').dataset.text = text;
  if (!open) return;
  const added = document.createElement('a');
  added.href = '#';
  added.dataset.story = String(open.id);
  added.textContent = open.text;
  byId('problem').append(' ', added);
}

function press({ dataset }: HTMLElement): void {
  const { do: type, id, state, command, list } = dataset;
  vsCode.postMessage({ type, state, command, list, ...(id === undefined ? {} : { id: Number(id) }) });
}

const CONTROLS = 'a[href], button, input, select, textarea, [tabindex]';

interface Focused {
  readonly element: HTMLElement;
  /** That of the part or form in which it is. */
  readonly holder: Element | null;
  readonly name: string;
}

let last: Focused | undefined;

/** Gives the focus back to what had it last when the page gets it again: frames of VS Code forget it. */
function startKeepingFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) last = { element: target, holder: holderOf(target), name: nameOf(target) };
  });
  // Who clicks beside everything wants it nowhere.
  document.addEventListener('mousedown', ({ target }) => {
    if (target instanceof Element && !target.closest(`${CONTROLS}, label`)) last = undefined;
  });
  window.addEventListener('focus', giveBack);
}

function giveBack(): void {
  if (!last || document.activeElement !== document.body) return;
  const { element, holder, name } = last;
  const isThere = element.isConnected && element.checkVisibility();
  const same = [...(holder?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])].find((one) => nameOf(one) === name);
  (isThere ? element : (same ?? holder?.querySelector<HTMLElement>('.actions')))?.focus({ preventScroll: true });
}

/** Parts and forms stay, whatever is drawn anew in them. */
function holderOf(element: Element): Element | null {
  return element.closest('[data-part], main form');
}

/** What tells it from others in its part, also when it was made anew. */
function nameOf(element: HTMLElement): string {
  return element.dataset.key ?? (element.id || element.getAttribute('href') || (element.textContent ?? ''));
}
