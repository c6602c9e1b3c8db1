import { type Backlog, storiesOf } from '../../../core/backlog/backlog.ts';
import { storyStates, storyTypes } from '../../../core/backlog/workflow.ts';
import { INCLUDE_DONE } from '../../../core/filter/filter.ts';
import { type FilterValueKind, filterKeys, NONE } from '../../../core/filter/filterKeys.ts';
import { PROJECT, SORT, SORT_VALUES } from '../../../core/filter/viewTerms.ts';
import { folded } from '../../../core/text.ts';
import { inSlices } from '../../../host/shell/turnBudget.ts';

/** What can follow each key of a filter; keys that take any number or any day have examples. */
export type FilterValues = ReadonlyMap<string, readonly string[]>;

const BOTH = ['true', 'false'];
const USED_MOST = ['type', 'state', 'owner', 'label', SORT, PROJECT, 'requester', 'mywork', 'points', 'estimate'];
const LAST = Number.POSITIVE_INFINITY;
const DAYS = ['today', 'yesterday', '7d', '2w'];

/** The values there are in these projects. Gives way while it looks at them. */
export async function filterValues(backlogs: readonly Backlog[]): Promise<FilterValues> {
  const people = new Set(backlogs.flatMap(({ project }) => project.memberships.map(({ person }) => person.name)));
  const labels = new Set(backlogs.flatMap(({ project }) => project.labels.map(String)));
  const [types, states] = [new Set<string>(storyTypes), new Set<string>(storyStates)];
  const points = new Set(backlogs.flatMap(({ project }) => project.pointScale.map(String)));
  await inSlices(backlogs.flatMap(storiesOf), (story) => {
    for (const name of [story.ownedBy, story.requestedBy]) if (name !== undefined) people.add(name);
    for (const label of story.labels) labels.add(label);
    types.add(story.type);
    states.add(story.state);
  });
  const integrations = new Set(backlogs.flatMap(({ project }) => project.integrations.map(({ name }) => name)));
  const values: Readonly<Record<FilterValueKind, readonly string[]>> = {
    number: [],
    text: [],
    type: [...types],
    state: [...states],
    label: sorted(labels).filter((label) => label.trim() !== ''),
    person: ['me', ...sorted(people)],
    day: DAYS,
    claim: BOTH,
    integration: sorted(integrations),
    points: [...points, NONE],
  };
  const known = new Map([...filterKeys].map(([key, { values: kind }]) => [key, values[kind]]));
  for (const key of ['owner', 'requester', 'label']) known.set(key, [...(known.get(key) ?? []), NONE]);
  known.set(PROJECT, sorted(new Set(backlogs.map(({ project }) => project.name))));
  known.set(SORT, SORT_VALUES);
  known.set(INCLUDE_DONE, BOTH);
  return new Map([...known].toSorted(([one], [other]) => placeOf(one) - placeOf(other)));
}

/** In which order keys are offered: those that are used most first. */
function placeOf(key: string): number {
  if (key === 'id') return LAST;
  const place = USED_MOST.indexOf(key);
  return place < 0 ? USED_MOST.length : place;
}

function sorted(values: Iterable<string>): readonly string[] {
  return [...values].toSorted((one, other) => folded(one).localeCompare(folded(other)));
}
