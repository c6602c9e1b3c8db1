import * as vscode from 'vscode';
import { TrackerError } from '../../../core/errors.ts';
import type { App } from '../../../host/app.ts';
import { isPlainObject } from '../../../host/shell/commands.ts';
import type { ShownStories } from '../tree/shownStories.ts';
import { askFilter } from './askFilter.ts';
import { saveAs } from './savedFilterCommands.ts';

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
