import type { StoryFields, Ticket } from '../core/story/story.ts';
import { DEFAULT_TICKET_PREFIX, ticketPrefix } from './assumptions.ts';
import { type Element, empty, integerElement, textElement } from './element.ts';
import { filledText, integer, present, word } from './fields.ts';

type TicketEdit = StoryFields['ticket'];

const NAME = /^[A-Za-z_][\w.-]*$/;

/** The linked ticket of a story; of several `<x>_id` the one that also has an `<x>_url`. */
export function readTicket(element: Element): Ticket | undefined {
  const prefixes = prefixesOf(element).filter((prefix) => filledText(element, `${prefix}_id`));
  const prefix = prefixes.find((candidate) => filledText(element, `${candidate}_url`)) ?? prefixes[0];
  if (prefix === undefined) return undefined;
  return present({
    prefix,
    externalId: filledText(element, `${prefix}_id`) ?? '',
    url: word(element, `${prefix}_url`),
    integrationId: integer(element, 'integration_id'),
  });
}

/** True when the story says that it has no ticket: an `<x>_id` that is there and empty. */
export function hasClearedTicket(element: Element): boolean {
  return prefixesOf(element).length > 0 && readTicket(element) === undefined;
}

export function ticketElements(ticket: Ticket | undefined): readonly (Element | undefined)[] {
  if (!ticket) return [];
  const prefix = prefixFor(ticket.prefix);
  return [
    textElement(`${prefix}_id`, ticket.externalId),
    textElement(`${prefix}_url`, ticket.url),
    integerElement('integration_id', ticket.integrationId),
  ];
}

/** What a story had of its former ticket and has not of this one, as empty elements. */
export function goneTicketElements(former: Ticket | undefined, ticket: Ticket | undefined): readonly Element[] {
  const kept = new Set(ticketElements(ticket).map((element) => element?.name));
  return ticketElements(former).flatMap((element) => (element && !kept.has(element.name) ? [empty(element.name)] : []));
}

/**
 * Endpoint 4: undefined when the body says nothing of a ticket, null when it clears it. An integration without an id comes
 * with an empty `externalId`, for the service to refuse.
 */
export function readTicketEdit(element: Element): TicketEdit | undefined {
  const ticket = readTicket(element);
  if (ticket) return present({ ...ticket, url: undefined });
  const integrationId = integer(element, 'integration_id');
  if (integrationId !== undefined) return present({ prefix: prefixesOf(element)[0], externalId: '', integrationId });
  return prefixesOf(element).length > 0 ? null : undefined;
}

export function ticketEditElements(ticket: TicketEdit | undefined): readonly (Element | undefined)[] {
  if (ticket === undefined) return [];
  if (ticket === null) return [empty(`${DEFAULT_TICKET_PREFIX}_id`), empty('integration_id')];
  return [
    textElement(`${prefixFor(ticket.prefix)}_id`, ticket.externalId),
    integerElement('integration_id', ticket.integrationId),
  ];
}

function prefixesOf(element: Element): readonly string[] {
  const prefixes: string[] = [];
  for (const { name } of element.children) {
    const prefix = ticketPrefix(name);
    if (prefix !== undefined) prefixes.push(prefix);
  }
  return prefixes;
}

/** A prefix that cannot be part of an element's name is not written. */
function prefixFor(prefix: string | undefined): string {
  const isUsable = prefix !== undefined && NAME.test(prefix) && ticketPrefix(`${prefix}_id`) !== undefined;
  return isUsable ? prefix : DEFAULT_TICKET_PREFIX;
}
