import type { Asked } from './fixtureServerRoutes.ts';
import type { KeptStory } from './fixtureServerStore.ts';
import { iterationXml, list, storyXml } from './fixtureServerXml.ts';

const stateOf = ({ elements }: KeptStory) => />([^<]*)</.exec(elements.get('current_state') ?? '')?.[1] ?? '';

/** Done, current and backlog by a plain count: what is accepted, the first three, the rest. */
export function iterations({ path, query }: Asked, stories: readonly KeptStory[]): string {
  const group = query.get('group') ?? path.split('/').at(-1) ?? '';
  const done = stories.filter((story) => stateOf(story) === 'accepted');
  const planned = stories.filter((story) => !['accepted', 'unscheduled'].includes(stateOf(story)));
  const all = [
    { groups: ['done'], number: 11, from: '2011/06/20 00:00:00 EDT', to: '2011/07/04 00:00:00 EDT', stories: done },
    {
      groups: ['current', 'current_backlog'],
      number: 12,
      from: '2011/07/04 00:00:00 EDT',
      to: '2011/07/18 00:00:00 EDT',
      stories: planned.slice(0, 3),
    },
    {
      groups: ['backlog', 'current_backlog'],
      number: 13,
      from: '2011/07/18 00:00:00 EDT',
      to: '2011/08/01 00:00:00 XQT',
      stories: planned.slice(3),
    },
  ];
  const asked = all.filter(({ groups }) => group === 'iterations' || groups.includes(group));
  const filled = asked.filter((iteration) => stories.length > 0 && iteration.stories.length > 0);
  const items = filled.map(({ number, from, to, stories: inside }) => iterationXml(number, from, to, inside));
  return list('iterations', items);
}

/** Understands only the `state:` key of the filter; with a filter, done stories are hidden. */
export function listed({ query }: Asked, stories: readonly KeptStory[]): string {
  const filter = query.get('filter');
  const states = /\bstate:([\w,]+)/.exec(filter ?? '')?.[1]?.split(',');
  const found = stories.filter((story) => {
    const state = stateOf(story);
    return states ? states.includes(state) : filter === null || state !== 'accepted';
  });
  const offset = Number(query.get('offset') ?? 0);
  const page = found.slice(offset, offset + Number(query.get('limit') ?? found.length));
  return list('stories', page.map(storyXml));
}
