import type { Membership, NewMembership } from '../core/story/project.ts';
import { arrayElement, type Element, listDocument, parent, textElement, untypedElement } from './element.ts';
import { child, filledText, id, present, rawText, word } from './fields.ts';

export function readMembership(element: Element): Membership {
  const person = child(element, 'person') ?? element;
  const project = child(element, 'project');
  return present({
    id: id(element),
    person: present({
      email: filledText(person, 'email'),
      name: rawText(person, 'name') ?? '',
      initials: filledText(person, 'initials'),
    }),
    role: word(element, 'role') ?? '',
    project: project && { id: id(project), name: rawText(project, 'name') ?? '' },
  });
}

export function membershipElement(membership: Membership): Element {
  const { person, project } = membership;
  return parent('membership', [
    untypedElement('id', membership.id),
    personElement(person),
    textElement('role', membership.role),
    project && parent('project', [untypedElement('id', project.id), textElement('name', project.name)]),
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
