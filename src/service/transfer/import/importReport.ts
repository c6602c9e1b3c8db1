import type { ImportRemark } from '../../../core/story/importReport.ts';
import type { NamedPerson } from './people.ts';
import type { Counts } from './storyWriter.ts';

/** What came of an import, or would. */
export interface ImportReport extends Readonly<Counts> {
  readonly project: { readonly id: number; readonly name: string; readonly isNew: boolean; readonly hasOwner: boolean };
  readonly isTrial: boolean;
  /** How many stories of the file are of each type, and in each state. */
  readonly types: Readonly<Record<string, number>>;
  readonly states: Readonly<Record<string, number>>;
  /** Whether the order of a newer file moved stories. */
  readonly hasMoved: boolean;
  /** How many attachments came with their file, and how many only by name. */
  readonly attached: { readonly withFile: number; readonly withoutFile: number };
  readonly people: readonly NamedPerson[];
  /** Names of which `--person` said who is meant, and which are not in the file. */
  readonly notNamed: readonly string[];
  /** Stories that named someone of whom `--person` says now who it is. */
  readonly handedOver: number;
  readonly remarks: readonly ImportRemark[];
  /** Those included that are too many to be kept. */
  readonly remarkCount: number;
}

/** The report for people. */
export function reportText(report: ImportReport): string {
  const { project, isTrial, remarks, remarkCount } = report;
  const into = `${project.isNew ? 'a new project' : 'project'} ${isTrial && project.isNew ? '' : `${project.id}, `}${project.name}`;
  const lines = [
    `${isTrial ? 'Would import' : 'Imported'} into ${into}: ${countsText(report)}.`,
    ...peopleLines(report),
  ];
  if (report.hasMoved) lines.push('The stories in the file were put in its order.');
  if (report.renumbered > 0) {
    const have = report.renumbered === 1 ? 'has' : 'have';
    lines.push(`${report.renumbered} of them ${have} another id than in the file, where theirs was none or was taken.`);
  }
  const { withFile, withoutFile } = report.attached;
  if (withFile > 0) lines.push(`Attached files: ${withFile}.`);
  if (withoutFile > 0) {
    const came = withoutFile === 1 ? 'attachment came without its file' : 'attachments came without their file';
    const they = withoutFile === 1 ? 'It is listed and cannot be opened.' : 'They are listed and cannot be opened.';
    lines.push(`${withoutFile} ${came}, which --attachments brings along. ${they}`);
  }
  if (!project.hasOwner) lines.push('The project has no owner. Pass one with --owner when you create it.');
  if (remarkCount > 0) lines.push('', `Not understood, or not kept as it stands there (${remarkCount}):`);
  for (const { row, id, column, value, why } of remarks)
    lines.push(`  ${row === 0 ? 'project' : `row ${row}, story ${id}`}, ${column} "${line(value)}": ${why}`);
  if (remarks.length < remarkCount) lines.push(`  … and ${remarkCount - remarks.length} more.`);
  return `${lines.join('\n')}\n`;
}

function countsText({ created, updated, unchanged, deleted, leftOut }: ImportReport): string {
  const others = [
    [updated, 'changed'],
    [unchanged, 'as before'],
    [deleted, 'deleted here since and not brought again'],
    [leftOut, 'left out'],
  ] as const;
  const told = others.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return [`${created} new ${created === 1 ? 'story' : 'stories'}`, ...told].join(', ');
}

function peopleLines({ people, notNamed, handedOver }: ImportReport): readonly string[] {
  const named = (is: string): string =>
    people
      .filter((person) => person.is === is)
      .map(({ name, times }) => `${name} (${times})`)
      .join(', ');
  const added = named('added');
  const unknown = named('text');
  return [
    ...(added === '' ? [] : [`Created users for ${added}. They cannot sign in until they have a password or a token.`]),
    ...(unknown === ''
      ? []
      : [
          `The project has no member named ${unknown}. The names are kept. Pass --add-people to create users for them.`,
        ]),
    ...people.flatMap(({ name, namesakes = [] }) =>
      namesakes.map((email) => `If ${name} is the user ${email}, import it again with --person "${name}=${email}".`),
    ),
    ...(handedOver === 0
      ? []
      : [`What ${handedOver} ${handedOver === 1 ? 'story' : 'stories'} said of names before is said of users now.`]),
    ...(notNamed.length === 0 ? [] : [`The file does not mention ${notNamed.join(', ')}.`]),
  ];
}

function line(value: string): string {
  return value.replace(/\s+/g, ' ').trim();
}
