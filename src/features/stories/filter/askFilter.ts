import type { App } from '../../../host/app.ts';
import type { ShownStories } from '../tree/shownStories.ts';
import { type AskedFilter, FilterBox, type FilterQuestion } from './filterBox.ts';
import { filterValues } from './filterValues.ts';

type Needs = Pick<App, 'backlogs'>;

/** Lets a person type a filter; `undefined` when the person turned away. */
export async function askFilter(
  { backlogs }: Needs,
  shown: ShownStories,
  question: FilterQuestion,
): Promise<AskedFilter | undefined> {
  const projects = await backlogs.requireProjects();
  const loaded = projects.flatMap(({ key }) => backlogs.peek(key) ?? []);
  const box = new FilterBox(question, shown.history, filterValues(loaded));
  try {
    return await box.ask();
  } finally {
    box.dispose();
  }
}
