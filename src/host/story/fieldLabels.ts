import { fieldNames } from '../../core/fieldNames.ts';
import type { Story } from '../../core/story/story.ts';

/** The part of VS Code that translates, so that texts can be made without a window too. */
export interface Translating {
  readonly l10n: { t(message: string, ...args: readonly (string | number)[]): string };
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
  return {
    ownedBy: vscode.l10n.t('Owner'),
    requestedBy: vscode.l10n.t('Requester'),
    labels: vscode.l10n.t('Labels'),
    ticket: vscode.l10n.t('Ticket'),
    deadline: vscode.l10n.t('Deadline'),
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
