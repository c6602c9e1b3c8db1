import type { Note } from '../core/story/story.ts';
import { AUTHOR_ELEMENT } from './assumptions.ts';
import { dateElement, type Element, integerElement, listDocument, parent, textElement } from './element.ts';
import { date, filledText, id, present, rawText } from './fields.ts';
import { type PartFacts, partAttributes } from './list.ts';

export function readNote(element: Element): Note {
  return present({
    id: id(element),
    text: rawText(element, 'text') ?? '',
    author: filledText(element, AUTHOR_ELEMENT),
    notedAt: date(element, 'noted_at'),
  });
}

export function noteElement(note: Note): Element {
  return parent('note', [
    integerElement('id', note.id),
    textElement('text', note.text),
    textElement(AUTHOR_ELEMENT, note.author),
    dateElement('noted_at', note.notedAt),
  ]);
}

export function notesElement(notes: readonly Note[], facts?: PartFacts): Element {
  return listDocument('notes', notes.map(noteElement), partAttributes(notes.length, facts));
}

/** The body of `POST …/notes`: the text of the comment, undefined when the body has none. */
export function readNewNote(element: Element): { readonly text: string | undefined } {
  return { text: rawText(element, 'text') };
}

export function newNoteElement(text: string): Element {
  return parent('note', [textElement('text', text)]);
}
