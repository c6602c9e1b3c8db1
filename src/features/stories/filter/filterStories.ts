import * as vscode from 'vscode';
import { TrackerError } from '../../../core/errors.ts';
import type { App } from '../../../host/app.ts';
import { isPlainObject } from '../../../host/shell/commands.ts';
import { groupingLabel } from '../tree/groupTexts.ts';
import type { ShownStories } from '../tree/shownStories.ts';
import { type GroupBy, groupings } from '../tree/treeShape.ts';
import { askFilter } from './askFilter.ts';
import { saveAs } from './filterCommands.ts';

type Needs = Pick<App, 'backlogs'>;

/** Shows only the stories that fit a filter: the one a program gives as `{ filter }`, or the one a person types. */
export async function filterStories(needs: Needs, shown: ShownStories, argument: unknown): Promise<void> {
  if (isPlainObject(argument)) return shown.filter(given(argument));
  await shown.current();
  const asked = await askFilter(needs, shown, { title: vscode.l10n.t('Filter Stories'), applied: shown.filterText });
  if (asked?.isToSave) await saveAs(asked.text);
  else if (asked) await shown.filter(asked.text);
}

function given({ filter }: Readonly<Record<string, unknown>>): string {
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
