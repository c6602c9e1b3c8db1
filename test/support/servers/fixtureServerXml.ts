import { element, type KeptNote, type KeptStory, type KeptTask, text } from './fixtureServerStore.ts';

export const xml = (body: string) => `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`;

/** A list as old servers wrote it: an empty one is `nil-classes`. */
export const list = (name: string, items: readonly string[]) =>
  items.length === 0 ? '<nil-classes type="array"/>' : `<${name} type="array">\n${items.join('\n')}\n</${name}>`;

export const errors = (...sentences: readonly string[]) =>
  xml(`<errors>${sentences.map((sentence) => element('error', sentence)).join('')}</errors>`);

/** The other shape of an error: one sentence in the root. */
export const message = (sentence: string) => xml(element('message', sentence));

export const noteXml = ({ id, text: words, author }: KeptNote) =>
  `<note><id>${id}</id>${element('text', words)}${element('author', author)}<noted_at type="datetime">2011/07/01 10:00:00 EDT</noted_at></note>`;

export const taskXml = ({ id, description, complete }: KeptTask, index: number) =>
  `<task><id type="integer">${id}</id>${element('description', description)}<position>${index + 1}</position><complete>${complete}</complete></task>`;

export function attachmentXml(story: KeptStory, id: number, address?: string): string {
  const file = story.files.get(id);
  const url = address === undefined ? '' : element('url', address);
  return `<attachment><id type="integer">${id}</id>${element('filename', file?.filename ?? '')}<description></description><uploaded_by>Ana Example</uploaded_by>${url}</attachment>`;
}

/** Empty lists are left out of a story, as old servers did. */
export function storyXml(story: KeptStory): string {
  const { id, elements, files, notes, tasks } = story;
  const lists = [
    files.size > 0
      ? list(
          'attachments',
          [...files.keys()].map((file) => attachmentXml(story, file)),
        )
      : '',
    notes.length > 0 ? list('notes', notes.map(noteXml)) : '',
    tasks.length > 0 ? list('tasks', tasks.map(taskXml)) : '',
  ];
  return `<story><id type="integer">${id}</id>${[...elements.values(), ...lists].join('')}</story>`;
}

/** Every element but `id` and `name` untyped, and one that nobody knows. */
export const projectXml = (name: string) => `<project>
  <id>7</id>
  <name>${name}</name>
  <iteration_length type="integer">2</iteration_length>
  <week_start_day>Monday</week_start_day>
  <point_scale>0,1,2,3,5,8</point_scale>
  <current_iteration_number type="integer">12</current_iteration_number>
  <current_velocity>10</current_velocity>
  <labels>api,caf&eacute;</labels>
  <last_activity_at type="datetime">2010/01/16 17:39:10 CST</last_activity_at>
  <allow_attachments>true</allow_attachments>
  <public>false</public>
  <weather>sunny</weather>
  <memberships type="array">${membershipXml}</memberships>
  <integrations type="array"><integration><id type="integer">3</id><type>JIRA</type><name>Tickets</name><field_name>jira_id</field_name><active>true</active></integration></integrations>
</project>`;

export const membershipXml =
  '<membership><id>5</id><person><email>ana@example.test</email><name>Ana Example</name><initials>AE</initials></person><role>Captain</role></membership>';

/** A project that tells next to nothing and takes no attachments. */
export const poorProjectXml =
  '<project><id type="integer">8</id><name>Bare</name><allow_attachments>false</allow_attachments><memberships type="array"> </memberships></project>';

export const iterationXml = (
  number: number,
  start: string,
  finish: string,
  stories: readonly KeptStory[],
) => `<iteration>
  <id type="integer">${number}</id><number type="integer">${number}</number>
  <start type="datetime">${start}</start><finish>${finish}</finish>
  ${list('stories', stories.map(storyXml))}
</iteration>`;

/** An activity as it came for a project; its version counts per project. */
export const activityXml = (id: number, version: number, projectId: number, storyId: number) => `<activity>
  <id type="integer">${id}</id><version type="integer">${version}</version><event_type>story_teleport</event_type>
  <occurred_at type="datetime">2011/07/01 10:00:00 EDT</occurred_at><author>Ana Example</author>
  <project_id type="integer">${projectId}</project_id><description>${text('Ana moved "Bake <bread>"')}</description>
  <stories><story><id type="integer">${storyId}</id><url>http://127.0.0.1/services/v3/projects/${projectId}/stories/${storyId}</url><owned_by></owned_by></story></stories>
</activity>`;
