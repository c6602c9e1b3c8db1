/** A story as the fixture server keeps it: its elements as XML, by name, in the order they are answered. */
export type StoryElements = Map<string, string>;

export interface KeptFile {
  readonly filename: string;
  readonly bytes: Buffer;
  /** What is answered as `url`; `undefined` for none. */
  url: string | undefined;
}

export interface KeptNote {
  readonly id: number;
  readonly text: string;
  readonly author: string;
}

export interface KeptTask {
  readonly id: number;
  description: string;
  complete: boolean;
}

/** One story with what hangs below it. */
export interface KeptStory {
  readonly id: number;
  readonly elements: StoryElements;
  readonly files: Map<number, KeptFile>;
  readonly notes: KeptNote[];
  readonly tasks: KeptTask[];
}

export const text = (value: string) => value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** One XML element that holds text. */
export const element = (name: string, value: string | number, type?: string) =>
  `<${name}${type ? ` type="${type}"` : ''}>${text(String(value))}</${name}>`;

function story(id: number, ...elements: readonly string[]): KeptStory {
  const named = elements.map((xml) => [/^<(\w+)/.exec(xml)?.[1] ?? '', xml] as const);
  return { id, elements: new Map(named), files: new Map(), notes: [], tasks: [] };
}

/** Elements without a `type` attribute, and only the ones that must be there. */
const bare = (id: number, type: string, state: string, name: string) =>
  story(id, `<story_type>${type}</story_type>`, `<current_state>${state}</current_state>`, element('name', name));

/** The stories of project 7 in priority order: three done, three current, four in the backlog, two in the icebox. */
export function firstStories(): KeptStory[] {
  const rich = story(
    101,
    '<project_id type="integer">7</project_id>',
    '<story_type>feature</story_type>',
    '<url>https://tracker.example.test/story/show/101</url>',
    '<estimate type="integer">3</estimate>',
    '<current_state>started</current_state>',
    '<description>Two lines:&#10;r&eacute;sum&eacute; &amp; more</description>',
    '<name>Caf&eacute; &#12486;&#12473;&#12488; &lt;menu&gt;</name>',
    '<requested_by>Zo&euml; Example</requested_by>',
    '<owned_by>Ana Example</owned_by>',
    '<created_at type="datetime">2010/12/01 09:30:00 EST</created_at>',
    '<updated_at type="datetime">2011/07/01 09:30:00 EDT</updated_at>',
    '<labels>api,caf&eacute;</labels>',
    '<jira_id>007</jira_id>',
    '<jira_url>https://tickets.example.test/007</jira_url>',
    '<galaxy><arm>Orion</arm></galaxy>',
  );
  rich.tasks.push({ id: 11, description: 'wipe the tables', complete: true });
  rich.notes.push({ id: 21, text: 'Bon appétit', author: 'Ana Example' });
  rich.files.set(31, { filename: 'menu.txt', bytes: Buffer.from('soup\n'), url: undefined });
  rich.files.set(32, { filename: 'trap.html', bytes: Buffer.from('x'), url: 'javascript:alert(1)' });
  const accepted = bare(100, 'feature', 'accepted', 'Open the doors');
  accepted.elements.set('accepted_at', '<accepted_at>2011/07/04 18:00:00 EDT</accepted_at>');
  accepted.elements.set('created_at', '<created_at type="datetime">2010/11/30 08:00:00 XQT</created_at>');
  const unestimated = bare(111, 'feature', 'unscheduled', 'Sell by the slice');
  unestimated.elements.set('estimate', '<estimate>-1</estimate>');
  return [
    accepted,
    rich,
    bare(102, 'bug', 'on_hold', '007'),
    bare(103, 'epic', 'unstarted', 'Move house'),
    bare(104, 'feature', 'unstarted', 'Bake bread'),
    bare(105, 'feature', 'unstarted', 'Bake rolls'),
    bare(106, 'chore', 'unstarted', 'Sweep the floor'),
    bare(107, 'release', 'unstarted', 'Opening day'),
    unestimated,
    bare(112, 'bug', 'unscheduled', 'true'),
  ];
}
