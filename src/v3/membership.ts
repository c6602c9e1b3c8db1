import type { Invitation, Membership, NewMembership } from '../core/story/project.ts';
import { KEPT_NAME_ELEMENT, NAMED_STORIES_ELEMENT } from './assumptions.ts';
import {
  arrayElement,
  booleanElement,
  dateElement,
  type Element,
  integerElement,
  listDocument,
  parent,
  textElement,
  untypedElement,
} from './element.ts';
import { boolean, child, date, expectRoot, filledText, id, integer, present, rawText, word } from './fields.ts';

export function readMembership(element: Element): Membership {
  const person = child(element, 'person') ?? element;
  const project = child(element, 'project');
  const invitation = child(element, 'invitation');
  return present({
    id: id(element),
    person: present({
      email: filledText(person, 'email'),
      name: rawText(person, 'name') ?? '',
      initials: filledText(person, 'initials'),
    }),
    role: word(element, 'role') ?? '',
    project: project && { id: id(project), name: rawText(project, 'name') ?? '' },
    invitation: invitation && readInvitation(invitation),
  });
}

function readInvitation(element: Element): Invitation {
  return present({
    url: word(element, 'url'),
    expiresAt: date(element, 'expires_at'),
    mailed: boolean(element, 'mailed'),
  });
}

export function membershipElement(membership: Membership): Element {
  const { person, project, invitation } = membership;
  return parent('membership', [
    untypedElement('id', membership.id),
    personElement(person),
    textElement('role', membership.role),
    project && parent('project', [untypedElement('id', project.id), textElement('name', project.name)]),
    invitation && invitationElement(invitation),
  ]);
}

/** *Ours*: no recorded answer has it. */
function invitationElement({ url, expiresAt, mailed }: Invitation): Element {
  return parent('invitation', [
    textElement('url', url),
    dateElement('expires_at', expiresAt),
    booleanElement('mailed', mailed),
  ]);
}

function personElement(person: {
  readonly email?: string;
  readonly name?: string;
  readonly initials?: string;
}): Element {
  return parent('person', [
    textElement('email', person.email),
    textElement('name', person.name),
    textElement('initials', person.initials),
  ]);
}

/** Those inside a project. */
export function membershipsElement(memberships: readonly Membership[]): Element {
  return arrayElement('memberships', memberships.map(membershipElement));
}

/** Those that are a document. */
export function membershipListElement(memberships: readonly Membership[]): Element {
  return listDocument('memberships', memberships.map(membershipElement));
}

/** The body of `POST …/memberships`; what is missing comes as empty text, for the service to refuse. */
export function readNewMembership(element: Element): NewMembership {
  const person = child(element, 'person') ?? element;
  return {
    role: word(element, 'role') ?? '',
    person: present({
      email: word(person, 'email') ?? '',
      name: filledText(person, 'name'),
      initials: filledText(person, 'initials'),
    }),
  };
}

export function newMembershipElement(membership: NewMembership): Element {
  return parent('membership', [textElement('role', membership.role), personElement(membership.person)]);
}

/** The body of `PUT …/memberships/M`. */
interface MembershipEdit {
  /** Empty where none is given. */
  readonly role: string;
  /** A name on stories that is to be the member's. */
  readonly keptName?: string;
}

export function readMembershipEdit(element: Element): MembershipEdit {
  const keptName = rawText(element, KEPT_NAME_ELEMENT);
  return { role: word(element, 'role') ?? '', ...(keptName !== undefined && { keptName }) };
}

export function roleElement(role: string): Element {
  return parent('membership', [textElement('role', role)]);
}

export function keptNameElement(name: string): Element {
  return parent('membership', [textElement(KEPT_NAME_ELEMENT, name)]);
}

/** The answer to a change with a kept name: the membership, and how many stories have or had the name. */
export function namedMembershipElement(membership: Membership, stories: number): Element {
  const { children } = membershipElement(membership);
  return parent('membership', [...children, integerElement(NAMED_STORIES_ELEMENT, stories)]);
}

export function readNamedStories(element: Element): number {
  expectRoot(element, 'membership');
  return integer(element, NAMED_STORIES_ELEMENT) ?? 0;
}
