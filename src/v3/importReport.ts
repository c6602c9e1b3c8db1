import type {
  ImportedId,
  ImportedPerson,
  ImportProgress,
  ImportRemark,
  ImportReport,
  RenumberedStory,
} from '../core/story/importReport.ts';
import {
  arrayElement,
  booleanElement,
  type Element,
  floatElement,
  integerElement,
  parent,
  textElement,
  untypedElement,
} from './element.ts';
import { boolean, child, decimal, expectRoot, id, integer, rawText } from './fields.ts';
import { readChildList } from './list.ts';

const COUNTS = {
  created: 'created',
  updated: 'updated',
  unchanged: 'unchanged',
  deleted: 'deleted',
  leftOut: 'left_out',
  renumbered: 'renumbered',
} as const;

export function importReportElement(report: ImportReport): Element {
  const { project, importer, people, remarks } = report;
  return parent('import_report', [
    booleanElement('dry_run', report.isTrial),
    parent('project', [
      untypedElement('id', report.isTrial && project.isNew ? undefined : project.id),
      textElement('name', project.name),
      booleanElement('new', project.isNew),
    ]),
    ...(importer
      ? [parent('importer', [textElement('name', importer.name), textElement('email', importer.email)])]
      : []),
    ...Object.entries(COUNTS).map(([field, name]) => integerElement(name, report[field as keyof typeof COUNTS])),
    integerElement('files_missing', report.filesMissing),
    arrayElement('types', tallyElements('type', report.types)),
    arrayElement('states', tallyElements('state', report.states)),
    arrayElement('people', people.map(personElement), { total: String(people.length) }),
    arrayElement(
      'not_named',
      report.notNamed.map((name) => parent('person', [textElement('name', name)])),
    ),
    arrayElement('remarks', remarks.map(remarkElement), { total: String(report.remarkCount) }),
  ]);
}

function tallyElements(name: string, counts: Readonly<Record<string, number>>): readonly Element[] {
  return Object.entries(counts).map(([value, count]) =>
    parent(name, [textElement('name', value), integerElement('count', count)]),
  );
}

function personElement({ name, times, is }: ImportedPerson): Element {
  return parent('person', [textElement('name', name), integerElement('count', times), textElement('status', is)]);
}

function remarkElement({ row, id: storyId, column, value, why }: ImportRemark): Element {
  return parent('remark', [
    integerElement('row', row),
    textElement('story_id', storyId),
    textElement('column', column),
    textElement('value', value),
    textElement('reason', why),
  ]);
}

export function readImportReport(element: Element): ImportReport {
  expectRoot(element, 'import_report');
  const project = child(element, 'project');
  const importer = child(element, 'importer');
  const email = importer ? rawText(importer, 'email') : undefined;
  const count = (name: string): number => integer(element, name) ?? 0;
  const remarks = readChildList(element, 'remarks', 'remark', readRemark);
  return {
    isTrial: boolean(element, 'dry_run') ?? false,
    project: {
      id: (project && integer(project, 'id')) ?? 0,
      name: (project && rawText(project, 'name')) ?? '',
      isNew: (project && boolean(project, 'new')) ?? false,
    },
    ...(importer && email && { importer: { name: rawText(importer, 'name') ?? email, email } }),
    created: count(COUNTS.created),
    updated: count(COUNTS.updated),
    unchanged: count(COUNTS.unchanged),
    deleted: count(COUNTS.deleted),
    leftOut: count(COUNTS.leftOut),
    renumbered: count(COUNTS.renumbered),
    filesMissing: count('files_missing'),
    types: readTally(element, 'types', 'type'),
    states: readTally(element, 'states', 'state'),
    people: readChildList(element, 'people', 'person', readPerson),
    notNamed: readChildList(element, 'not_named', 'person', (person) => rawText(person, 'name') ?? ''),
    remarks,
    remarkCount: Math.max(remarks.length, Number(child(element, 'remarks')?.attributes.total ?? 0) || 0),
  };
}

function readTally(element: Element, list: string, name: string): Readonly<Record<string, number>> {
  const pairs = readChildList(element, list, name, (one) => [rawText(one, 'name') ?? '', integer(one, 'count') ?? 0]);
  return Object.fromEntries(pairs);
}

function readPerson(element: Element): ImportedPerson {
  const is = rawText(element, 'status') ?? '';
  return { name: rawText(element, 'name') ?? '', times: integer(element, 'count') ?? 0, is };
}

function readRemark(element: Element): ImportRemark {
  const text = (name: string): string => rawText(element, name) ?? '';
  return {
    row: integer(element, 'row') ?? 0,
    id: text('story_id'),
    column: text('column'),
    value: text('value'),
    why: text('reason'),
  };
}

export function importProgressElement(importId: number, { part, stories }: ImportProgress): Element {
  return parent('import', [
    integerElement('id', importId),
    floatElement('part', part),
    integerElement('stories', stories),
  ]);
}

export function readImportProgress(element: Element): ImportProgress {
  expectRoot(element, 'import');
  return { part: decimal(element, 'part') ?? 0, stories: integer(element, 'stories') ?? 0 };
}

export function importedIdsElement(ids: readonly ImportedId[]): Element {
  const one = ({ externalId, storyId }: ImportedId): Element =>
    parent('imported_story', [integerElement('id', storyId), textElement('external_id', externalId)]);
  return arrayElement('imported_stories', ids.map(one));
}

/** As stories that were imported, each with its project. */
export function renumberedElement(stories: readonly RenumberedStory[]): Element {
  const one = ({ formerId, storyId, projectId }: RenumberedStory): Element =>
    parent('imported_story', [
      integerElement('id', storyId),
      textElement('external_id', String(formerId)),
      integerElement('project_id', projectId),
    ]);
  return arrayElement('imported_stories', stories.map(one));
}

/** `formerId` is 0 where the file had no number. */
export function readRenumbered(element: Element): RenumberedStory {
  const given = rawText(element, 'external_id') ?? '';
  const formerId = isStoryNumber(given) ? Number(given) : 0;
  return { formerId, storyId: id(element), projectId: integer(element, 'project_id') ?? 0 };
}

/** Whether what a file calls a story is a number as markers have it. */
export function isStoryNumber(externalId: string): boolean {
  return /^[1-9]\d{0,14}$/.test(externalId);
}

export function readImportedId(element: Element): ImportedId {
  return { storyId: id(element), externalId: rawText(element, 'external_id') ?? '' };
}
