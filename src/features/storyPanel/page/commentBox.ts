import { type PanelStory, pageState } from '../panelMessages.ts';
import { byId, say } from './elements.ts';
import { vsCode } from './vsCodeApi.ts';

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

/** Empties the box, unless something else has been written meanwhile. */
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
