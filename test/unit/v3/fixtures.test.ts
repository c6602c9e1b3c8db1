import assert from 'node:assert/strict';
import type { Activity } from '../../../src/core/story/activity.ts';
import type { Project } from '../../../src/core/story/project.ts';
import type { Story } from '../../../src/core/story/story.ts';
import { longActivities } from '../../../src/v3/activity.ts';
import { readAttachment, uploadedAttachmentElement } from '../../../src/v3/attachment.ts';
import type { Element } from '../../../src/v3/element.ts';
import { errorListElement, errorSentences } from '../../../src/v3/errorList.ts';
import { membershipListElement } from '../../../src/v3/membership.ts';
import { newProjectElement, readNewProject } from '../../../src/v3/newProject.ts';
import { notesElement } from '../../../src/v3/note.ts';
import { projectElement, readProject } from '../../../src/v3/project.ts';
import { readText } from '../../../src/v3/read.ts';
import { readSourceCommit, sourceCommitElement } from '../../../src/v3/sourceCommit.ts';
import { readStory, readStoryEdit, storyEditElement, storyElement } from '../../../src/v3/story.ts';
import { tasksElement } from '../../../src/v3/task.ts';
import { readToken, tokenElement } from '../../../src/v3/token.ts';
import { writeDocument } from '../../../src/v3/write.ts';
import {
  iterationsElement,
  readActivities,
  readIterations,
  readMemberships,
  readNotes,
  readStories,
  readTasks,
  storiesElement,
  wholeDocument,
} from '../../support/v3/lists.ts';
import { fixture } from './fixture.ts';

const activitiesDocument = (activities: readonly Activity[]) => wholeDocument(longActivities(activities, (one) => one));
const utc = (text: string, iso: string) => ({ text, time: Date.parse(iso) });

const project: Project = {
  id: 26,
  name: 'Warp Core',
  iterationLength: 2,
  weekStartDay: 'Monday',
  pointScale: [0, 1, 2, 3, 5, 8],
  account: 'Starfleet',
  startDate: utc('2010/01/04', '2010-01-04T00:00:00Z'),
  firstIterationStartTime: utc('2010/01/04 00:00:00 EST', '2010-01-04T05:00:00Z'),
  currentIterationNumber: 11,
  enableTasks: true,
  velocityScheme: 'Average of 3 iterations',
  currentVelocity: 12,
  initialVelocity: 10,
  numberOfDoneIterationsToShow: 12,
  labels: ['bridge', 'café', 'safety'],
  lastActivityAt: utc('2010/05/19 18:30:05 EDT', '2010-05-19T22:30:05Z'),
  allowAttachments: true,
  public: false,
  useHttps: true,
  bugsAndChoresAreEstimatable: false,
  commitMode: false,
  memberships: [
    { id: 1006, person: { email: 'kirk@example.org', name: 'James T. Kirk', initials: 'JTK' }, role: 'Owner' },
    { id: 1007, person: { email: 'q@example.org', name: 'Q', initials: 'Q' }, role: 'Omnipotent' },
  ],
  integrations: [
    { id: 3, type: 'JIRA', name: "Ship's log", fieldName: 'jira_id', fieldLabel: 'Ticket', active: false },
  ],
};

const story: Story = {
  id: 202,
  projectId: 26,
  type: 'feature',
  url: 'https://tracker.example/story/show/202',
  estimate: -1,
  state: 'accepted',
  ticket: { prefix: 'jira', externalId: 'ENG-7', url: 'https://jira.example/browse/ENG-7?a=1&b=2', integrationId: 3 },
  description: 'First line\n\n  Third line, indented <tag>\n',
  name: ' Beam me up テ ',
  requestedBy: 'James T. Kirk',
  ownedBy: 'Montgomery Scott',
  createdAt: utc('2010/01/19 18:30:05 EST', '2010-01-19T23:30:05Z'),
  updatedAt: utc('2010/05/19 18:30:05 EDT', '2010-05-19T22:30:05Z'),
  acceptedAt: { text: '2010/05/19 18:30:05 SST' },
  labels: ['bridge', 'engine room'],
  attachments: [
    {
      id: 4,
      filename: 'plan & sketch.png',
      description: '',
      uploadedBy: 'Spock',
      uploadedAt: utc('2010/05/01 00:00:00 UTC', '2010-05-01T00:00:00Z'),
    },
  ],
  notes: [
    {
      id: 5,
      text: "She can't take much more",
      author: 'Montgomery Scott',
      notedAt: utc('2010/05/02 12:00:00 +0200', '2010-05-02T10:00:00Z'),
    },
  ],
  tasks: [
    {
      id: 6,
      description: 'true',
      position: 1,
      complete: false,
      createdAt: utc('2010/05/02 12:00:00 UTC', '2010-05-02T12:00:00Z'),
    },
    { id: 7, description: 'Realign', position: 2, complete: true },
  ],
};

const activities: readonly Activity[] = [
  {
    id: 1031,
    version: 176,
    eventType: 'story_update',
    occurredAt: utc('2010/05/19 10:00:00 PST', '2010-05-19T18:00:00Z'),
    author: 'James T. Kirk',
    projectId: 26,
    description: 'James T. Kirk accepted "Beam me up"',
    stories: [
      {
        id: 202,
        url: 'https://tracker.example/services/v3/projects/26/stories/202',
        changed: { state: 'accepted', acceptedAt: utc('2010/05/19 10:00:00 PST', '2010-05-19T18:00:00Z') },
        cleared: [],
      },
    ],
  },
  {
    id: 1030,
    version: 175,
    eventType: 'story_update',
    occurredAt: utc('2010/05/19 09:59:00 PST', '2010-05-19T17:59:00Z'),
    author: 'Spock',
    projectId: 26,
    description: 'Spock edited "Beam me up"',
    stories: [
      {
        id: 202,
        url: 'https://tracker.example/services/v3/projects/26/stories/202',
        changed: { name: 'Beam me up' },
        cleared: ['estimate', 'ownedBy', 'acceptedAt', 'labels', 'ticket'],
      },
    ],
  },
  {
    id: 1029,
    version: 174,
    eventType: 'moon_landing',
    occurredAt: { text: '2010/05/19 09:58:00 XYZ' },
    author: 'Q',
    projectId: 26,
    description: '',
    stories: [],
  },
];

describe('the fixtures', () => {
  function assertReads<T>(name: string, read: (element: Element) => T, expected: T): void {
    assert.deepEqual(read(readText(fixture(name))), expected);
  }

  /** The same elements in the same order with the same attributes; how entities are spelled may differ. */
  function assertWrites(name: string, element: Element): void {
    assert.deepEqual(readText(writeDocument(element)), readText(fixture(name)));
  }

  it('a project', () => {
    assertReads('project', readProject, project);
    assertWrites('project', projectElement(project));
  });
  it('a story', () => {
    assertReads('story', readStory, story);
    const typed = writeDocument(storyElement(story));
    assert.equal(typed.split('<story>').length, 2);
    assert.match(
      typed,
      /<id type="integer">202<\/id>\n {2}<project_id type="integer">26<\/project_id>\n {2}<story_type>feature</,
    );
    assert.deepEqual(readStory(readText(typed)), story);
  });
  it('a story in the order of elements and with the types of recordings', () => {
    const recorded = readText(fixture('story'));
    const written = readText(writeDocument(storyElement(story)));
    assert.deepEqual(written.children.slice(0, -1), recorded.children.slice(0, -1));
  });
  it('iterations', () => {
    const iterations = readIterations(readText(fixture('iterations')));
    assert.deepEqual(
      iterations.map(({ number, teamStrength, finish }) => [number, teamStrength, finish?.time]),
      [
        [12, 0.75, Date.parse('2010-05-10T04:00:00Z')],
        [13, 1, Date.parse('2010-05-17T04:00:00Z')],
        [14, 1, Date.parse('2010-05-24T04:00:00Z')],
      ],
    );
    const [raise, number] = iterations[0]?.stories ?? [];
    assert.equal(raise?.name, 'Raise shields & lower them again');
    assert.equal(raise?.description, undefined);
    assert.equal(number?.name, '1e5');
    assert.equal(number?.estimate, undefined);
    assertWrites('iterations', iterationsElement(iterations));
  });
  it('activities with cleared fields', () => {
    assertReads('activities', readActivities, activities);
    assert.deepEqual(readActivities(readText(activitiesDocument(activities))), activities);
  });
  it('activities of tickets that are gone, whatever they were called', () => {
    const ticket = { prefix: 'jira', externalId: 'ENG-7', url: 'https://jira.example/browse/ENG-7', integrationId: 3 };
    const unlinked = { id: 202, changed: {}, cleared: ['ticket' as const] };
    const relinked = { id: 202, changed: { ticket: { ...ticket, prefix: 'desk' } }, cleared: [] };
    for (const change of [unlinked, relinked]) {
      const activity = { id: 1, version: 1, eventType: 'story_update', description: 'Untied' };
      const written = activitiesDocument([{ ...activity, stories: [{ ...change, formerTicket: ticket }] }]);
      assert.match(written, /<jira_id\/>/);
      assert.deepEqual(readActivities(readText(written)), [{ ...activity, stories: [change] }]);
    }
  });
  it('memberships', () => {
    const memberships = readMemberships(readText(fixture('memberships')));
    assert.deepEqual(memberships[0]?.project, { id: 26, name: 'Warp Core' });
    assertWrites('memberships', membershipListElement(memberships));
  });
  it('notes', () => {
    const notes = readNotes(readText(fixture('notes')));
    assert.deepEqual(notes, [
      { id: 5, text: 'Two\nlines', author: 'Spock', notedAt: utc('2010/07/02 12:00:00 BST', '2010-07-02T11:00:00Z') },
    ]);
    assertWrites('notes', notesElement(notes));
  });
  it('tasks', () => {
    const tasks = readTasks(readText(fixture('tasks')));
    assert.equal(tasks[0]?.complete, true);
    assertWrites('tasks', tasksElement(tasks));
  });
  it('the answer to an upload', () => {
    assertReads('attachment', readAttachment, { id: 4, filename: '', status: 'Pending' });
    assertWrites('attachment', uploadedAttachmentElement({ id: 4, status: 'Pending' }));
  });
  it('an attachment that is named by its path', () => {
    const named = (filename: string) => readText(`<attachment><id>4</id><filename>${filename}</filename></attachment>`);
    const cases = { 'C:\\plans\\a b.txt': 'a b.txt', '/tmp/a.txt': 'a.txt', 'a.txt': 'a.txt', 'a/': 'a' };
    for (const [path, name] of Object.entries(cases)) assert.equal(readAttachment(named(path)).filename, name);
  });
  it('a source commit', () => {
    const commit = readSourceCommit(readText(fixture('sourceCommit')));
    assert.equal(commit.message, '[fixes #202] Lower the shields\n\nBefore raising them');
    assert.equal(commit.author, 'Montgomery Scott');
    assertWrites('sourceCommit', sourceCommitElement(commit));
  });
  it('a token', () => {
    assertReads('token', readToken, { guid: 'c93f12c71bec27843c1d84b3bdd547f3', id: 1 });
    assertWrites('token', tokenElement({ guid: 'c93f12c71bec27843c1d84b3bdd547f3', id: 1 }));
  });
  it('errors', () => {
    const expected = ['Stories in the started state must be estimated.', "Name can't be blank & more"];
    assert.deepEqual(errorSentences(fixture('errors')), expected);
    assertWrites('errors', errorListElement(expected));
  });
  it('a new project without owner', () => {
    assertReads('noOwner', readNewProject, { name: 'Warp Core', noOwner: true });
    assertWrites('noOwner', newProjectElement({ name: 'Warp Core', noOwner: true }));
  });
  it('a link to a ticket', () => {
    const edit = { ticket: { prefix: 'jira', externalId: 'ENG-7', integrationId: 3 } };
    assertReads('ticketEdit', readStoryEdit, edit);
    assertWrites('ticketEdit', storyEditElement(edit));
  });
  it('a story of a server we do not know', () => {
    assertReads('lenient', readStory, {
      id: 9,
      projectId: 1,
      name: 'naïve テ café\u00a0<b> & co',
      type: 'epic',
      state: 'on_hold',
      labels: ['a', 'b'],
      ticket: { prefix: 'zendesk', externalId: '77' },
      attachments: [],
      notes: [],
      tasks: [],
    });
  });

  it('lists that are empty in other ways', () => {
    for (const xml of [
      '<stories type="array"/>',
      '<stories type="array">\n \n</stories>',
      '<nil-classes type="array"/>',
      '<nil-classes type="array"> </nil-classes>',
    ]) {
      assert.deepEqual(readStories(readText(xml)), []);
    }
    assert.throws(() => readStories(readText('<story/>')), {
      name: 'XmlError',
      message: /a list of stories was expected/,
    });
  });
  it('a list of stories says how many there are', () => {
    const xml = writeDocument(storiesElement([{ ...story, notes: [] }], { total: 7, limit: 1, filter: 'label:"a b"' }));
    assert.match(xml, /<stories type="array" count="1" total="7" limit="1" filter="label:&quot;a b&quot;">/);
  });
  it('lists that are empty, as recordings have them', () => {
    const bodyOf = (document: string) => document.replace(/^.*\n/, '');
    const body = (element: Element) => bodyOf(writeDocument(element));
    assert.equal(body(storiesElement([])), '<stories type="array" count="0" total="0"></stories>\n');
    const lists = [tasksElement, notesElement, iterationsElement, membershipListElement];
    for (const list of lists) assert.equal(body(list([])), '<nil-classes type="array"/>\n');
    assert.equal(bodyOf(activitiesDocument([])), '<activities type="array"/>\n');
  });
});
