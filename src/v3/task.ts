import type { Task } from '../core/story/story.ts';
import {
  booleanElement,
  dateElement,
  type Element,
  integerElement,
  listDocument,
  parent,
  textElement,
} from './element.ts';
import { boolean, date, id, integer, present, rawText } from './fields.ts';
import { type PartFacts, partAttributes } from './list.ts';

/** What a person sets on a task; an absent field stays as it is. */
export interface TaskEdit {
  readonly description?: string;
  readonly complete?: boolean;
  /** 1-based. */
  readonly position?: number;
}

export function readTask(element: Element): Task {
  return present({
    id: id(element),
    description: rawText(element, 'description') ?? '',
    position: integer(element, 'position'),
    complete: boolean(element, 'complete') ?? false,
    createdAt: date(element, 'created_at'),
  });
}

export function taskElement(task: Task): Element {
  return parent('task', [
    integerElement('id', task.id),
    textElement('description', task.description),
    integerElement('position', task.position),
    booleanElement('complete', task.complete),
    dateElement('created_at', task.createdAt),
  ]);
}

export function tasksElement(tasks: readonly Task[], facts?: PartFacts): Element {
  return listDocument('tasks', tasks.map(taskElement), partAttributes(tasks.length, facts));
}

/** The body of `POST …/tasks` and `PUT …/tasks/K`. */
export function readTaskEdit(element: Element): TaskEdit {
  return present({
    description: rawText(element, 'description'),
    complete: boolean(element, 'complete'),
    position: integer(element, 'position'),
  });
}

export function taskEditElement(edit: TaskEdit): Element {
  return parent('task', [
    textElement('description', edit.description),
    integerElement('position', edit.position),
    booleanElement('complete', edit.complete),
  ]);
}
