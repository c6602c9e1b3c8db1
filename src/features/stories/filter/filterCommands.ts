import * as vscode from 'vscode';
import { TrackerError } from '../../../core/errors.ts';
import { parseFilter } from '../../../core/filter/filter.ts';
import type { App } from '../../../host/app.ts';
import { isPlainObject } from '../../../host/shell/commands.ts';
import { withoutIcons } from '../../../host/shell/plainText.ts';
import { SavedFilterNode } from '../../../host/tree/nodes.ts';
import { groupingLabel } from '../tree/groupTexts.ts';
import type { ShownStories } from '../tree/shownStories.ts';
import { type GroupBy, groupings } from '../tree/treeShape.ts';
import { askFilter } from './askFilter.ts';
import { putSavedFilter, removeSavedFilter, type SavedFilter, savedFilters } from './savedFilters.ts';

type Needs = Pick<App, 'backlogs' | 'messages'>;

/** Shows only the stories that fit a filter: the one a program gives as `{ filter }`, or the one a person types. */
export async function filterStories(
  needs: Pick<Needs, 'backlogs'>,
  shown: ShownStories,
  argument: unknown,
): Promise<void> {
  if (isPlainObject(argument)) return shown.filter(givenFilter(argument));
  await shown.current();
  const asked = await askFilter(needs, shown, { title: vscode.l10n.t('Filter Stories'), applied: shown.filterText });
  if (asked?.isToSave) await saveAs(asked.text);
  else if (asked) await shown.filter(asked.text);
}

function givenFilter({ filter }: Readonly<Record<string, unknown>>): string {
  if (typeof filter === 'string') return filter;
  throw new TrackerError('input', vscode.l10n.t('Pass the filter as { filter: string }.'));
}

/** Groups the stories of each project anew: as a program says with `{ by }`, or as a person picks. */
export async function groupBy(shown: ShownStories, argument: unknown): Promise<void> {
  const by = isPlainObject(argument) ? givenGroup(argument) : await picked((await shown.current()).groupBy);
  if (by) await shown.group(by);
}

function givenGroup({ by }: Readonly<Record<string, unknown>>): GroupBy {
  const known = groupings.find((one) => one === by);
  if (known) return known;
  throw new TrackerError('input', vscode.l10n.t('Stories can be grouped by: {0}.', groupings.join(', ')));
}

async function picked(current: GroupBy): Promise<GroupBy | undefined> {
  const items = groupings.map((by) => ({
    label: by === current ? `$(check) ${groupingLabel(by)}` : groupingLabel(by),
    description: by === 'iteration' ? vscode.l10n.t('in priority order') : '',
    by,
  }));
  const options = {
    title: vscode.l10n.t('Group Stories By'),
    placeHolder: vscode.l10n.t('Rows to show below each project'),
  };
  return (await vscode.window.showQuickPick(items, options))?.by;
}

const NAME_SUGGESTED = 40;

/** Gives a name to the filter of a program, `{ name, filter }`, to the one that is shown, or else to one that is typed. */
export async function saveFilter(needs: Needs, shown: ShownStories, argument: unknown): Promise<void> {
  if (isPlainObject(argument)) return putSavedFilter(given(argument));
  const asked = shown.filterText ?? (await askFilter(needs, shown, { title: vscode.l10n.t('Save Filter') }))?.text;
  if (asked) await saveAs(asked);
}

/** Asks for a name and saves the filter under it. */
async function saveAs(filter: string): Promise<void> {
  parseFilter(filter);
  const name = await askName(vscode.l10n.t('Save Filter'), filter.slice(0, NAME_SUGGESTED).trim());
  if (name !== undefined) await putSavedFilter({ name, filter });
}

export async function editFilter(needs: Needs, shown: ShownStories, argument: unknown): Promise<void> {
  const saved = await theFilter(argument, vscode.l10n.t('Edit which filter?'));
  if (!saved) return;
  const title = vscode.l10n.t('Edit Filter “{0}”', saved.name);
  const asked = await askFilter(needs, shown, { title, text: saved.filter });
  if (asked?.text) await putSavedFilter({ name: saved.name, filter: asked.text });
}

export async function renameFilter(argument: unknown): Promise<void> {
  const saved = await theFilter(argument, vscode.l10n.t('Rename which filter?'));
  if (!saved) return;
  const name = await askName(vscode.l10n.t('Rename Filter “{0}”', saved.name), saved.name, saved.name);
  if (name !== undefined) await putSavedFilter({ ...saved, name }, saved.name);
}

export async function removeFilter({ messages }: Needs, argument: unknown): Promise<void> {
  const saved = await theFilter(argument, vscode.l10n.t('Remove which filter?'));
  if (!saved) return;
  await removeSavedFilter(saved.name);
  if (isPlainObject(argument)) return;
  const undo = vscode.l10n.t('Undo');
  void messages.info(vscode.l10n.t('Removed the filter “{0}”.', saved.name), undo).then(async (answer) => {
    if (answer === undo) await putSavedFilter(saved);
  });
}

function given({ name, filter }: Readonly<Record<string, unknown>>): SavedFilter {
  if (typeof name !== 'string' || name.trim() === '' || typeof filter !== 'string' || filter.trim() === '') {
    throw new TrackerError('input', vscode.l10n.t('Pass the filter as { name: string, filter: string }.'));
  }
  parseFilter(filter);
  return { name: name.trim(), filter: filter.trim() };
}

/** The one of the row, the one a program names with `{ name }`, or the one picked; `undefined`: turned away. */
async function theFilter(argument: unknown, placeHolder: string): Promise<SavedFilter | undefined> {
  const all = savedFilters();
  const name = argument instanceof SavedFilterNode ? argument.name : nameIn(argument);
  if (name !== undefined) {
    const found = all.find((one) => one.name === name);
    if (found) return found;
    throw new TrackerError('notFound', vscode.l10n.t('No saved filter is named “{0}”.', name));
  }
  if (all.length === 0) throw new TrackerError('notFound', vscode.l10n.t('No saved filters yet.'));
  const items = all.map((saved) => ({
    label: withoutIcons(saved.name),
    description: withoutIcons(saved.filter),
    saved,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.saved;
}

function nameIn(argument: unknown): string | undefined {
  if (!isPlainObject(argument)) return undefined;
  return typeof argument.name === 'string' ? argument.name : '';
}

async function askName(title: string, value: string, itself?: string): Promise<string | undefined> {
  const taken = savedFilters().map(({ name }) => name);
  const name = await vscode.window.showInputBox({
    ...{ title, value, prompt: vscode.l10n.t('Name of its row in the Stories view') },
    validateInput: (typed) => {
      const wanted = typed.trim();
      if (wanted === '') return vscode.l10n.t('Enter a filter name.');
      return wanted !== itself && taken.includes(wanted)
        ? vscode.l10n.t('A filter with this name already exists.')
        : undefined;
    },
  });
  return name?.trim();
}
