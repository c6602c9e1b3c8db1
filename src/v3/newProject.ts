import type { NewProject } from '../core/story/project.ts';
import { START_DATE_TYPE } from './assumptions.ts';
import {
  booleanElement,
  dateElement,
  type Element,
  integerElement,
  parent,
  textElement,
  untypedElement,
} from './element.ts';
import { boolean, date, decimal, filledText, integer, numbers, present, rawText, shortWord, word } from './fields.ts';

/** The body of `POST /projects`; a missing name comes as empty text, for the service to refuse. */
export function readNewProject(element: Element): NewProject {
  return present({
    name: rawText(element, 'name') ?? '',
    noOwner: boolean(element, 'no_owner'),
    iterationLength: integer(element, 'iteration_length'),
    weekStartDay: word(element, 'week_start_day'),
    pointScale: readWantedScale(element),
    account: filledText(element, 'account'),
    startDate: date(element, 'start_date'),
    initialVelocity: decimal(element, 'initial_velocity'),
    velocityScheme: shortWord(element, 'velocity_scheme', 'a velocity scheme'),
    numberOfDoneIterationsToShow: integer(element, 'number_of_done_iterations_to_show'),
    enableTasks: boolean(element, 'enable_tasks'),
    allowAttachments: boolean(element, 'allow_attachments'),
    useHttps: boolean(element, 'use_https'),
    bugsAndChoresAreEstimatable: boolean(element, 'bugs_and_chores_are_estimatable'),
    commitMode: boolean(element, 'commit_mode'),
  });
}

/** What is not a number comes as NaN, for the service to refuse. */
function readWantedScale(element: Element): readonly number[] | undefined {
  const scale = rawText(element, 'point_scale');
  return scale === undefined ? undefined : numbers(scale);
}

export function newProjectElement(project: NewProject): Element {
  return parent('project', [
    textElement('name', project.name),
    booleanElement('no_owner', project.noOwner),
    integerElement('iteration_length', project.iterationLength),
    textElement('week_start_day', project.weekStartDay),
    textElement('point_scale', project.pointScale?.join(',')),
    textElement('account', project.account),
    dateElement('start_date', project.startDate, START_DATE_TYPE),
    textElement('velocity_scheme', project.velocityScheme),
    untypedElement('initial_velocity', project.initialVelocity),
    untypedElement('number_of_done_iterations_to_show', project.numberOfDoneIterationsToShow),
    booleanElement('enable_tasks', project.enableTasks),
    booleanElement('allow_attachments', project.allowAttachments),
    booleanElement('use_https', project.useHttps),
    booleanElement('bugs_and_chores_are_estimatable', project.bugsAndChoresAreEstimatable),
    booleanElement('commit_mode', project.commitMode),
  ]);
}
