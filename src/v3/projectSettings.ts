import type {
  IterationStrength,
  KeptName,
  MovedStory,
  PlanChange,
  ProjectEdit,
  ProjectSettings,
  SettingsMember,
} from '../core/story/projectSettings.ts';
import {
  KEPT_NAMES_ELEMENT,
  OWN_ROLE_ELEMENT,
  OWNED_STORIES_ELEMENT,
  PLAN_CHANGE_ELEMENT,
  START_DATE_TYPE,
  STRENGTHS_ELEMENT,
  WEB_HOOK_SECRET_ELEMENT,
  WEB_HOOK_SIGNED_ELEMENT,
  WEB_HOOK_URL_ELEMENT,
} from './assumptions.ts';
import {
  arrayElement,
  booleanElement,
  dateElement,
  type Element,
  empty,
  integerElement,
  parent,
  textElement,
  untypedElement,
} from './element.ts';
import { boolean, date, filledText, id, integer, numbers, present, rawText, shortWord, word } from './fields.ts';
import { readSettingsIntegration, settingsIntegrationElement } from './integration.ts';
import { readChildList } from './list.ts';
import { membershipElement, readMembership } from './membership.ts';
import { readProject } from './project.ts';

/** The element of each field that a project's edit can have. */
const ELEMENTS: Readonly<Record<keyof ProjectEdit, string>> = {
  name: 'name',
  account: 'account',
  pointScale: 'point_scale',
  iterationLength: 'iteration_length',
  weekStartDay: 'week_start_day',
  startDate: 'start_date',
  velocityScheme: 'velocity_scheme',
  initialVelocity: 'initial_velocity',
  numberOfDoneIterationsToShow: 'number_of_done_iterations_to_show',
  bugsAndChoresAreEstimatable: 'bugs_and_chores_are_estimatable',
  enableTasks: 'enable_tasks',
  allowAttachments: 'allow_attachments',
  useHttps: 'use_https',
  commitMode: 'commit_mode',
  webHookUrl: WEB_HOOK_URL_ELEMENT,
  webHookSecret: WEB_HOOK_SECRET_ELEMENT,
  strengths: STRENGTHS_ELEMENT,
};

const FIELDS: ReadonlyMap<string, string> = new Map(Object.entries(ELEMENTS).map(([field, name]) => [name, field]));

/** The field of an edit that goes by this element; the name of the element where none does. */
export function projectFieldOf(element: string): string {
  return FIELDS.get(element) ?? element;
}

/** All of the answer to `GET …/settings`. */
export function projectSettingsElement(settings: ProjectSettings): Element {
  const own = ownSettingsElement(settings);
  return parent('project', [
    ...own.children,
    textElement(OWN_ROLE_ELEMENT, settings.role),
    arrayElement('memberships', settings.members.map(settingsMemberElement)),
    ...(settings.keptNames.length > 0
      ? [arrayElement(KEPT_NAMES_ELEMENT, settings.keptNames.map(keptNameElement))]
      : []),
    arrayElement('integrations', settings.integrations.map(settingsIntegrationElement)),
  ]);
}

/** What `PUT …/projects/P` can change of it, so that a change can be made to depend on that alone. */
export function ownSettingsElement(settings: ProjectSettings): Element {
  return parent('project', [
    untypedElement('id', settings.id),
    textElement('name', settings.name),
    integerElement('iteration_length', settings.iterationLength),
    textElement('week_start_day', settings.weekStartDay),
    textElement('point_scale', settings.pointScale.join(',')),
    textElement('account', settings.account),
    dateElement('start_date', settings.startDate, START_DATE_TYPE),
    booleanElement('enable_tasks', settings.enableTasks),
    textElement('velocity_scheme', settings.velocityScheme),
    untypedElement('initial_velocity', settings.initialVelocity),
    untypedElement('number_of_done_iterations_to_show', settings.numberOfDoneIterationsToShow),
    untypedElement('allow_attachments', settings.allowAttachments),
    untypedElement('public', settings.public),
    untypedElement('use_https', settings.useHttps),
    untypedElement('bugs_and_chores_are_estimatable', settings.bugsAndChoresAreEstimatable),
    untypedElement('commit_mode', settings.commitMode),
    textElement(WEB_HOOK_URL_ELEMENT, settings.webHookUrl),
    booleanElement(WEB_HOOK_SIGNED_ELEMENT, settings.isWebHookSigned),
    strengthsElement(settings.strengths),
  ]);
}

export function readProjectSettings(element: Element): ProjectSettings {
  const { memberships: _members, integrations: _integrations, labels: _labels, ...told } = readProject(element);
  return present({
    ...told,
    role: word(element, OWN_ROLE_ELEMENT) ?? '',
    webHookUrl: rawText(element, WEB_HOOK_URL_ELEMENT),
    isWebHookSigned: boolean(element, WEB_HOOK_SIGNED_ELEMENT),
    strengths: readChildList(element, STRENGTHS_ELEMENT, 'iteration', readStrength),
    members: readChildList(element, 'memberships', 'membership', readSettingsMember),
    keptNames: readChildList(element, KEPT_NAMES_ELEMENT, 'kept_name', readKeptName),
    integrations: readChildList(element, 'integrations', 'integration', readSettingsIntegration),
  });
}

function keptNameElement({ name, stories }: KeptName): Element {
  return parent('kept_name', [textElement('name', name), integerElement('stories', stories)]);
}

function readKeptName(element: Element): KeptName {
  return { name: rawText(element, 'name') ?? '', stories: integer(element, 'stories') ?? 0 };
}

/** A member with what they own. */
function readSettingsMember(element: Element): SettingsMember {
  return { ...readMembership(element), ownedStories: integer(element, OWNED_STORIES_ELEMENT) ?? 0 };
}

export function settingsMemberElement(member: SettingsMember): Element {
  const element = membershipElement(member);
  return parent('membership', [...element.children, integerElement(OWNED_STORIES_ELEMENT, member.ownedStories)]);
}

function strengthsElement(strengths: readonly IterationStrength[] | undefined): Element | undefined {
  return strengths && arrayElement(STRENGTHS_ELEMENT, strengths.map(strengthElement));
}

function strengthElement({ number, teamStrength, length }: IterationStrength): Element {
  return parent('iteration', [
    integerElement('number', number),
    untypedElement('team_strength', teamStrength),
    integerElement('iteration_length', length),
  ]);
}

/** What is no number comes as NaN, for the service to refuse. */
function readStrength(element: Element): IterationStrength {
  return present({
    number: wantedNumber(element, 'number') ?? Number.NaN,
    teamStrength: wantedNumber(element, 'team_strength') ?? 1,
    length: wantedNumber(element, 'iteration_length'),
  });
}

/** The body of `PUT …/projects/P`. What is no number comes as NaN, for the service to refuse by its field. */
export function readProjectEdit(element: Element): ProjectEdit {
  const hasStart = rawText(element, 'start_date') !== undefined;
  return present({
    name: rawText(element, 'name'),
    account: filledText(element, 'account'),
    pointScale: readWantedScale(element),
    iterationLength: wantedNumber(element, 'iteration_length'),
    weekStartDay: word(element, 'week_start_day'),
    startDate: hasStart ? (date(element, 'start_date') ?? null) : undefined,
    velocityScheme: shortWord(element, 'velocity_scheme', 'a velocity scheme'),
    initialVelocity: wantedNumber(element, 'initial_velocity'),
    numberOfDoneIterationsToShow: wantedNumber(element, 'number_of_done_iterations_to_show'),
    bugsAndChoresAreEstimatable: boolean(element, 'bugs_and_chores_are_estimatable'),
    enableTasks: boolean(element, 'enable_tasks'),
    allowAttachments: boolean(element, 'allow_attachments'),
    useHttps: boolean(element, 'use_https'),
    commitMode: boolean(element, 'commit_mode'),
    webHookUrl: rawText(element, WEB_HOOK_URL_ELEMENT),
    webHookSecret: rawText(element, WEB_HOOK_SECRET_ELEMENT),
    strengths: rawText(element, STRENGTHS_ELEMENT) === undefined ? undefined : readStrengths(element),
  });
}

function readStrengths(element: Element): readonly IterationStrength[] {
  return readChildList(element, STRENGTHS_ELEMENT, 'iteration', readStrength);
}

/** One that falls, or is none, ends where it does, for the rules to refuse; one that is blank is none. */
function readWantedScale(element: Element): readonly number[] | undefined {
  const text = rawText(element, 'point_scale');
  if (text === undefined) return undefined;
  const scale = numbers(text);
  const end = scale.findIndex((value, index) => !(value > (index === 0 ? -1 : (scale[index - 1] ?? 0))));
  return end < 0 ? scale : scale.slice(0, end + 1);
}

function wantedNumber(element: Element, name: string): number | undefined {
  const text = shortWord(element, name, 'a number');
  if (text === undefined) return undefined;
  return /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

export function projectEditElement(edit: ProjectEdit): Element {
  return parent('project', [
    textElement(ELEMENTS.name, edit.name),
    textElement(ELEMENTS.account, edit.account),
    textElement(ELEMENTS.pointScale, edit.pointScale?.join(',')),
    integerElement(ELEMENTS.iterationLength, edit.iterationLength),
    textElement(ELEMENTS.weekStartDay, edit.weekStartDay),
    edit.startDate === null
      ? empty(ELEMENTS.startDate)
      : dateElement(ELEMENTS.startDate, edit.startDate, START_DATE_TYPE),
    textElement(ELEMENTS.velocityScheme, edit.velocityScheme),
    untypedElement(ELEMENTS.initialVelocity, edit.initialVelocity),
    untypedElement(ELEMENTS.numberOfDoneIterationsToShow, edit.numberOfDoneIterationsToShow),
    booleanElement(ELEMENTS.bugsAndChoresAreEstimatable, edit.bugsAndChoresAreEstimatable),
    booleanElement(ELEMENTS.enableTasks, edit.enableTasks),
    booleanElement(ELEMENTS.allowAttachments, edit.allowAttachments),
    booleanElement(ELEMENTS.useHttps, edit.useHttps),
    booleanElement(ELEMENTS.commitMode, edit.commitMode),
    textElement(ELEMENTS.webHookUrl, edit.webHookUrl),
    textElement(ELEMENTS.webHookSecret, edit.webHookSecret),
    strengthsElement(edit.strengths),
  ]);
}

/** The answer to a dry run. */
export function planChangeElement(change: PlanChange): Element {
  return parent(PLAN_CHANGE_ELEMENT, [
    untypedElement('current_velocity', change.velocity),
    untypedElement('former_velocity', change.formerVelocity),
    arrayElement('stories', change.stories.map(movedStoryElement)),
    integerElement('story_count', change.count),
    integerElement('off_scale_count', change.offScaleCount),
  ]);
}

function movedStoryElement({ id: storyId, name, from, to }: MovedStory): Element {
  return parent('story', [
    integerElement('id', storyId),
    textElement('name', name),
    integerElement('former_iteration_number', from),
    integerElement('iteration_number', to),
  ]);
}

export function readPlanChange(element: Element): PlanChange {
  const stories = readChildList(element, 'stories', 'story', (story) => ({
    id: id(story),
    name: rawText(story, 'name') ?? '',
    from: integer(story, 'former_iteration_number') ?? 0,
    to: integer(story, 'iteration_number') ?? 0,
  }));
  return {
    velocity: wantedNumber(element, 'current_velocity') ?? 0,
    formerVelocity: wantedNumber(element, 'former_velocity') ?? 0,
    count: integer(element, 'story_count') ?? stories.length,
    stories,
    offScaleCount: integer(element, 'off_scale_count') ?? 0,
  };
}
