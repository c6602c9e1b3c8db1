import { pageState } from '../panelMessages.ts';
import { byId, vsCode } from './elements.ts';

const box = byId('task');

/** The task that is being written: kept over a reload until it is taken. */
export function startTaskBox(): void {
  setText(pageState(vsCode.getState()).task);
  box.addEventListener('input', () => keep(text()));
  byId('taskForm').addEventListener('submit', (event) => {
    event.preventDefault();
    if (text().trim() === '') box.focus();
    else vsCode.postMessage({ type: 'newTask', text: text() });
  });
}

/** Empties the box, unless something else has been written in the meantime. */
export function taskTaken(taken: string): void {
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
