import { type Parts, pageState, partNames, toPage } from '../panelMessages.ts';
import { commentRefused, commentTaken, keepStory, offerDraft, startCommentBox, startPasting } from './commentBox.ts';
import { byId, say, showLocalTimes, vsCode } from './elements.ts';

window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const message = toPage(data);
  if (message?.type === 'content') {
    keepStory(message.story);
    showParts(message.parts);
  } else if (message?.type === 'problem') say('problem', message.text);
  else if (message?.type === 'announce') byId('status').textContent = message.text;
  else if (message?.type === 'draft') offerDraft(message.text);
  else if (message?.type === 'commentTaken') commentTaken(message.text);
  else if (message?.type === 'taskTaken') taskTaken(message.text);
  else if (message?.type === 'commentRefused') commentRefused(message.problem);
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
      vsCode.postMessage({ type: 'link', address: link.href });
    }
    const button = target?.closest<HTMLElement>('[data-do]');
    if (button) press(button);
  },
  true,
);

document.addEventListener('change', ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.dataset.task === undefined) return;
  forget('tasks');
  vsCode.postMessage({ type: 'task', id: Number(target.dataset.task), complete: target.checked });
});

startCommentBox();
startTaskBox();
startPasting();
vsCode.postMessage({ type: 'ready' });

function press({ dataset }: HTMLElement): void {
  const { do: type, id, state, command, list } = dataset;
  vsCode.postMessage({ type, state, command, list, ...(id === undefined ? {} : { id: Number(id) }) });
}

const shown = new Map<string, string>();

/** Puts in what differs from what is there; what has the focus keeps it, or its neighbours get it when it has gone. */
function showParts(parts: Parts): void {
  byId('loading').hidden = true;
  byId('rest').hidden = false;
  for (const name of partNames) if (shown.get(name) !== parts[name]) replace(name, parts[name]);
}

/** Makes the next content of this part be put in although it is the same: the person has changed what it shows. */
function forget(part: string): void {
  shown.delete(part);
}

function replace(name: string, html: string): void {
  const section = document.querySelector<HTMLElement>(`[data-part="${name}"]`);
  if (!section) return;
  shown.set(name, html);
  const focused = section.contains(document.activeElement) ? document.activeElement : null;
  const key = focused instanceof HTMLElement ? focused.dataset.key : undefined;
  section.innerHTML = html;
  showLocalTimes(section);
  section.hidden = html === '';
  if (!focused) return;
  const keyed = [...section.querySelectorAll<HTMLElement>('[data-key]')];
  const next = keyed.find((element) => element.dataset.key === key) ?? section.querySelector('.actions') ?? keyed[0];
  if (next instanceof HTMLElement) focusInTime(next);
}

/** When the person is in the page: a question of VS Code's that is open would lose the focus to it, and be gone. */
function focusInTime(element: HTMLElement): void {
  const focus = () => element.focus({ preventScroll: true });
  if (document.hasFocus()) focus();
  else window.addEventListener('focus', focus, { once: true });
}

const box = byId('task');

/** The task that is being written: kept over a reload until it is taken. */
function startTaskBox(): void {
  setText(pageState(vsCode.getState()).task);
  box.addEventListener('input', () => keep(text()));
  byId('taskForm').addEventListener('submit', (event) => {
    event.preventDefault();
    if (text().trim() === '') box.focus();
    else vsCode.postMessage({ type: 'newTask', text: text() });
  });
}

/** Empties the box, unless something else has been written in the meantime. */
function taskTaken(taken: string): void {
  if (text() === taken) setText('');
  keep(text());
}

function keep(task: string): void {
  vsCode.setState({ ...pageState(vsCode.getState()), task });
}

function text(): string {
  return box instanceof HTMLInputElement ? box.value : '';
}

function setText(value: string): void {
  if (box instanceof HTMLInputElement) box.value = value;
}
