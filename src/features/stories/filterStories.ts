import * as vscode from 'vscode';
import { TrackerError } from '../../core/errors.ts';
import type { App } from '../../host/app.ts';
import { isPlainObject } from '../../host/commands.ts';
import { FilterBox } from './filterBox.ts';
import { filterValues } from './filterValues.ts';
import type { ShownStories } from './shownStories.ts';

type Needs = Pick<App, 'backlogs'>;

/** Shows only the stories that fit a filter: the one a program gives as `{ filter }`, or the one a person types. */
export async function filterStories(needs: Needs, shown: ShownStories, argument: unknown): Promise<void> {
  const text = isPlainObject(argument) ? given(argument) : await asked(needs, shown);
  if (text !== undefined) await shown.filter(text);
}

function given({ filter }: Readonly<Record<string, unknown>>): string {
  if (typeof filter === 'string') return filter;
  throw new TrackerError('input', vscode.l10n.t('A filter is given as { filter: string }.'));
}

async function asked({ backlogs }: Needs, shown: ShownStories): Promise<string | undefined> {
  const projects = await backlogs.someProjects();
  const loaded = projects.flatMap(({ key }) => backlogs.peek(key) ?? []);
  const box = new FilterBox(shown.filterText, shown.history, filterValues(loaded));
  try {
    return await box.ask();
  } finally {
    box.dispose();
  }
}
