import { type Backlog, storiesOf } from '../../../core/backlog/backlog.ts';
import { storyStates, storyTypes } from '../../../core/backlog/workflow.ts';
import { folded } from '../../../core/text.ts';
import { inSlices } from '../../../host/shell/turnBudget.ts';

/** What can follow each key of a filter; keys that take any number or any day have examples. */
export type FilterValues = ReadonlyMap<string, readonly string[]>;

const BOTH = ['true', 'false'];
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
  const names = ['me', ...sorted(people)];
  const integrations = new Set(backlogs.flatMap(({ project }) => project.integrations.map(({ name }) => name)));

  return new Map<string, readonly string[]>([
    ['type', [...types]],
    ['state', [...states]],
    ['owner', names],
    ['label', sorted(labels).filter((label) => label.trim() !== '')],
    ['requester', names],
    ['mywork', names],
    ['points', [...points, 'none']],
    ['estimate', [...points, 'none']],
    ['created_since', DAYS],
    ['modified_since', DAYS],
    ['has_attachment', BOTH],
    ['has_external_id', BOTH],
    ['external_id', []],
    ['integration', sorted(integrations)],
    ['includedone', BOTH],
    ['id', []],
  ]);
}

function sorted(values: Iterable<string>): readonly string[] {
  return [...values].toSorted((one, other) => folded(one).localeCompare(folded(other)));
}
