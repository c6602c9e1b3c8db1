import type { Project } from '../core/story/project.ts';
import { ORDER_DIGEST_ELEMENT, START_DATE_TYPE } from './assumptions.ts';
import {
  arrayElement,
  booleanElement,
  dateElement,
  type Element,
  integerElement,
  parent,
  textElement,
  untypedElement,
} from './element.ts';
import { boolean, date, decimal, id, integer, numbers, present, rawText, word, words } from './fields.ts';
import { integrationsElement, readIntegration } from './integration.ts';
import { readChildList } from './list.ts';
import { type LongElement, lazily } from './longDocument.ts';
import { membershipsElement, readMembership } from './membership.ts';
import { writeElement } from './write.ts';

export function readProject(element: Element): Project {
  return present({
    id: id(element),
    name: rawText(element, 'name') ?? '',
    iterationLength: integer(element, 'iteration_length'),
    weekStartDay: word(element, 'week_start_day'),
    pointScale: readPointScale(element),
    account: rawText(element, 'account'),
    startDate: date(element, 'start_date'),
    firstIterationStartTime: date(element, 'first_iteration_start_time'),
    currentIterationNumber: integer(element, 'current_iteration_number'),
    enableTasks: boolean(element, 'enable_tasks'),
    velocityScheme: rawText(element, 'velocity_scheme'),
    currentVelocity: decimal(element, 'current_velocity'),
    initialVelocity: decimal(element, 'initial_velocity'),
    numberOfDoneIterationsToShow: integer(element, 'number_of_done_iterations_to_show'),
    labels: words(rawText(element, 'labels') ?? ''),
    lastActivityAt: date(element, 'last_activity_at'),
    orderDigest: word(element, ORDER_DIGEST_ELEMENT),
    allowAttachments: boolean(element, 'allow_attachments'),
    public: boolean(element, 'public'),
    useHttps: boolean(element, 'use_https'),
    bugsAndChoresAreEstimatable: boolean(element, 'bugs_and_chores_are_estimatable'),
    commitMode: boolean(element, 'commit_mode'),
    memberships: readChildList(element, 'memberships', 'membership', readMembership),
    integrations: readChildList(element, 'integrations', 'integration', readIntegration),
  });
}

/** What is not a number is passed over. */
function readPointScale(element: Element): readonly number[] {
  return numbers(rawText(element, 'point_scale') ?? '').filter((points) => Number.isFinite(points));
}

export function projectElement(project: Project): Element {
  return parent('project', [
    untypedElement('id', project.id),
    textElement('name', project.name),
    integerElement('iteration_length', project.iterationLength),
    textElement('week_start_day', project.weekStartDay),
    textElement('point_scale', project.pointScale.join(',')),
    textElement('account', project.account),
    dateElement('start_date', project.startDate, START_DATE_TYPE),
    dateElement('first_iteration_start_time', project.firstIterationStartTime),
    integerElement('current_iteration_number', project.currentIterationNumber),
    booleanElement('enable_tasks', project.enableTasks),
    textElement('velocity_scheme', project.velocityScheme),
    untypedElement('current_velocity', project.currentVelocity),
    untypedElement('initial_velocity', project.initialVelocity),
    untypedElement('number_of_done_iterations_to_show', project.numberOfDoneIterationsToShow),
    textElement('labels', project.labels.join(',')),
    dateElement('last_activity_at', project.lastActivityAt),
    untypedElement('allow_attachments', project.allowAttachments),
    untypedElement('public', project.public),
    untypedElement('use_https', project.useHttps),
    untypedElement('bugs_and_chores_are_estimatable', project.bugsAndChoresAreEstimatable),
    untypedElement('commit_mode', project.commitMode),
    membershipsElement(project.memberships),
    integrationsElement(project.integrations),
    textElement(ORDER_DIGEST_ELEMENT, project.orderDigest),
  ]);
}

const PROJECTS = arrayElement('projects', []);

/** A document of projects, for as many as there may be. To be written once. */
export function longProjects(projects: readonly Project[]): LongElement {
  const item = (project: Project) => (depth: number) => writeElement(projectElement(project), depth);
  return { start: PROJECTS, items: lazily(projects, item) };
}
