import type { StoryEdit, StoryFields } from '../core/story/story.ts';
import { STORY_ELEMENTS } from './changedStory.ts';
import { dateElement, type Element, empty, integerElement, parent, textElement } from './element.ts';
import { child, date, filledText, integer, present, rawText, word, words } from './fields.ts';
import { readTicketEdit, ticketEditElements } from './ticket.ts';

/**
 * The body of `POST …/stories` and `PUT …/stories/S` (protocol.md, Proven since). An empty element clears its field, but for type, state
 * and requester, which every story has: there it says nothing.
 */
export function readStoryEdit(element: Element): StoryEdit {
  const labels = rawText(element, 'labels');
  return present({
    type: word(element, 'story_type'),
    state: word(element, 'current_state'),
    name: rawText(element, 'name'),
    estimate: clearable(element, 'estimate', integer),
    description: clearable(element, 'description', (from, name) => rawText(from, name) || undefined),
    requestedBy: filledText(element, 'requested_by'),
    ownedBy: clearable(element, 'owned_by', filledText),
    labels: labels === undefined ? undefined : words(labels),
    deadline: clearable(element, 'deadline', date),
    createdAt: date(element, 'created_at'),
    acceptedAt: date(element, 'accepted_at'),
    ticket: readTicketEdit(element),
  } satisfies Record<keyof StoryFields, unknown>);
}

/** Undefined when the element is not there, null when it is empty. */
function clearable<T>(
  element: Element,
  name: string,
  read: (element: Element, name: string) => T | undefined,
): T | null | undefined {
  return child(element, name) === undefined ? undefined : (read(element, name) ?? null);
}

/** A field's element, or the several of a ticket; none for what an edit leaves as it is. */
type OneOrSome = Element | undefined | readonly (Element | undefined)[];

export function storyEditElement(edit: StoryEdit): Element {
  const elements: Readonly<Record<keyof StoryFields, OneOrSome>> = {
    type: textElement('story_type', edit.type),
    estimate: edit.estimate === null ? empty('estimate') : integerElement('estimate', edit.estimate),
    state: textElement('current_state', edit.state),
    ticket: ticketEditElements(edit.ticket),
    description: textElement('description', edit.description ?? cleared(edit.description)),
    name: textElement('name', edit.name),
    requestedBy: textElement('requested_by', edit.requestedBy),
    ownedBy: textElement('owned_by', edit.ownedBy ?? cleared(edit.ownedBy)),
    createdAt: dateElement('created_at', edit.createdAt),
    acceptedAt: dateElement('accepted_at', edit.acceptedAt),
    deadline: edit.deadline === null ? empty('deadline') : dateElement('deadline', edit.deadline),
    labels: textElement('labels', edit.labels?.join(',')),
  };
  return parent('story', Object.values(elements).flat());
}

function cleared(value: null | undefined): string | undefined {
  return value === null ? '' : undefined;
}

const KNOWN: ReadonlySet<string> = new Set(['id', 'url', ...Object.values(STORY_ELEMENTS)]);

/**
 * The first element of a body that no story ever had; undefined when there is none. Clients send back whole stories, with what cannot be set
 * and is passed over; tickets are called by their systems (protocol.md, Proven since).
 */
export function unknownStoryElement({ children }: Element): string | undefined {
  return children.find(({ name }) => !KNOWN.has(name) && !/_(?:id|url)$/.test(name))?.name.slice(0, LONGEST_TOLD);
}

/** Characters of a name that are enough to find it by. */
const LONGEST_TOLD = 100;
