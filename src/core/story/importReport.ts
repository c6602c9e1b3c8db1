/** A person whom an imported file names. */
export interface ImportedPerson {
  readonly name: string;
  /** How often the file names them. */
  readonly times: number;
  /** `member`: of the project already. `joined`: a user who becomes one. `added`: made. `text`: only the name is kept. Others may come. */
  readonly is: string;
}

/** Something in a file that was not understood, or that could not be kept as it stands there. */
export interface ImportRemark {
  /** 0 of the project. */
  readonly row: number;
  /** Of the story where it came from. */
  readonly id: string;
  /** The column or element. */
  readonly column: string;
  readonly value: string;
  readonly why: string;
}

/** How many stories of a file are what. */
interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Deleted there since they were imported, and therefore not brought again. */
  readonly deleted: number;
  readonly leftOut: number;
  /** Created under another ID than in the file. */
  readonly renumbered: number;
}

/** What came of an import, or would. */
export interface ImportReport extends ImportCounts {
  readonly isTrial: boolean;
  /** Where it went; of a trial into a new project, the number says nothing. */
  readonly project: { readonly id: number; readonly name: string; readonly isNew: boolean };
  readonly types: Readonly<Record<string, number>>;
  readonly states: Readonly<Record<string, number>>;
  /** Attachments that came without their file. */
  readonly filesMissing: number;
  /** Who imports, where the server tells. */
  readonly importer?: { readonly name: string; readonly email: string };
  readonly people: readonly ImportedPerson[];
  /** Names that were matched to someone and are not in the file. */
  readonly notNamed: readonly string[];
  readonly remarks: readonly ImportRemark[];
  /** Those included that are too many to be told. */
  readonly remarkCount: number;
}

/** How far an import is that is under way. */
export interface ImportProgress {
  /** Of the file, from 0 to 1. */
  readonly part: number;
  readonly stories: number;
}

/** A story as a file called it, and its ID here. */
export interface ImportedId {
  readonly externalId: string;
  readonly storyId: number;
}

/** A story with another ID than it had where its project came from. */
export interface RenumberedStory {
  readonly formerId: number;
  readonly storyId: number;
  readonly projectId: number;
}

export const EXPORT_FORMATS = ['csv', 'xml'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ImportOptions {
  /** Into this project; into a new one without it. */
  readonly projectId?: number;
  /** Of a new project; the file's own where it tells one. */
  readonly projectName?: string;
  /** Email addresses by the names in the file. */
  readonly people?: Readonly<Record<string, string>>;
  readonly dryRun?: boolean;
  /** By which its progress is asked for. */
  readonly importId?: number;
}
