import { fieldNames } from '../../core/fieldNames.ts';
import type { Story } from '../../core/story/story.ts';

/** The part of VS Code that translates, so that texts can be made without a window too. */
export interface Translating {
  readonly l10n: {
    t(message: string, ...args: readonly (string | number)[]): string;
    /** Where one English word has several meanings: the comment tells them apart. */
    t(message: { readonly message: string; readonly comment: string }): string;
  };
}

/** What has activities of its own, is the same always, or says nothing to a person. */
type UntoldField =
  | 'id'
  | 'projectId'
  | 'url'
  | 'createdAt'
  | 'updatedAt'
  | 'acceptedAt'
  | 'rank'
  | 'attachments'
  | 'notes'
  | 'tasks';

/** A field whose changes are told. */
type ToldField = Exclude<keyof Story, UntoldField>;

/** What they are called, in the order in which they are told. */
export function toldFields(vscode: Translating): Readonly<Record<ToldField, string>> {
  return {
    name: vscode.l10n.t('Name'),
    type: vscode.l10n.t('Type'),
    state: vscode.l10n.t('State'),
    estimate: vscode.l10n.t('Estimate'),
    ownedBy: vscode.l10n.t('Owner'),
    requestedBy: vscode.l10n.t('Requester'),
    labels: vscode.l10n.t('Labels'),
    deadline: vscode.l10n.t('Deadline'),
    ticket: vscode.l10n.t('Ticket'),
    description: vscode.l10n.t('Description'),
  };
}

/** What shows by where it stands what it is, or is not shown at all. */
type UnlabelledField =
  | 'id'
  | 'projectId'
  | 'type'
  | 'state'
  | 'name'
  | 'url'
  | 'estimate'
  | 'description'
  | 'rank'
  | 'attachments'
  | 'notes'
  | 'tasks';

/** A field that is shown beside its name. */
export type LabelledField = Exclude<keyof Story, UnlabelledField>;

/** In the order of the story tab. */
export function fieldLabels(vscode: Translating): Readonly<Record<LabelledField, string>> {
  const { ownedBy, requestedBy, labels, ticket, deadline } = toldFields(vscode);
  return {
    ...{ ownedBy, requestedBy, labels, ticket, deadline },
    createdAt: vscode.l10n.t('Created'),
    updatedAt: vscode.l10n.t('Updated'),
    acceptedAt: vscode.l10n.t('Accepted'),
  };
}

/** A field that is shown as it is, without anything to do about it. */
export type PlainField = Exclude<LabelledField, 'ownedBy' | 'labels' | 'ticket'>;

/** Whether the tooltip of a story has a line for it; who requested it stands there together with the owner. */
const IS_IN_HOVER: Readonly<Record<PlainField, boolean>> = {
  requestedBy: false,
  deadline: true,
  createdAt: false,
  updatedAt: false,
  acceptedAt: false,
};
export const HOVER_FIELDS = fieldNames(IS_IN_HOVER).filter((field) => IS_IN_HOVER[field]);

export function isPlainField(field: LabelledField): field is PlainField {
  return field in IS_IN_HOVER;
}

/** The words for choosing between what a person wrote and what someone else has written since, wherever one chooses. */
export function conflictTexts(vscode: Translating) {
  return {
    keepMine: vscode.l10n.t('Keep Mine'),
    takeTheirs: vscode.l10n.t('Take Theirs'),
    compare: vscode.l10n.t('Compare'),
    comparison: (storyId: number) => vscode.l10n.t('Story #{0}: Theirs ↔ Mine', storyId),
  };
}
