import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fieldNames } from '../../src/core/fieldNames.ts';
import type { Story, StoryEdit, StoryFields } from '../../src/core/story/story.ts';
import { openAttachmentFiles } from '../../src/service/attachments/openAttachmentFiles.ts';
import { addIntegration } from '../../src/service/store/projects/projectParts.ts';
import { exportProject } from '../../src/service/transfer/exportProject.ts';
import { importFile } from '../../src/service/transfer/import/importFile.ts';
import { readText } from '../../src/v3/read.ts';
import { readStory, storyEditElement } from '../../src/v3/story.ts';
import { writeDocument } from '../../src/v3/write.ts';
import { aDate } from '../support/builders/builders.ts';
import { readActivities, readStories } from '../support/v3/lists.ts';
import { newProject } from './support/project.ts';
import { assertStatus } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

/** What sets each field, with all that it needs. */
const edits: { readonly [K in keyof StoryFields]: StoryEdit & { readonly [F in K]: StoryFields[K] } } = {
  type: { type: 'bug' },
  state: { state: 'unstarted' },
  name: { name: 'Sew the sails' },
  estimate: { estimate: 2 },
  description: { description: 'Of canvas.' },
  requestedBy: { requestedBy: 'Bo' },
  ownedBy: { ownedBy: 'Bo' },
  labels: { labels: ['harbour', 'sails'] },
  deadline: { type: 'release', deadline: aDate('2026-03-09T00:00:00Z') },
  createdAt: { createdAt: aDate('2026-03-02T00:00:00Z') },
  acceptedAt: { type: 'chore', state: 'accepted', acceptedAt: aDate('2026-03-03T00:00:00Z') },
  ticket: { ticket: { prefix: 'other', externalId: '7' } },
};
const fields = fieldNames(edits);
const blank: Pick<StoryFields, 'name' | 'createdAt'> = { name: 'A', createdAt: aDate('2026-03-01T00:00:00Z') };

describe('every field of a story', function () {
  this.timeout(60_000);
  let service: TestService;
  let ada: TestUser;
  let folder: string;
  let projectId: number;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-fields-'));
    service = await startTestService();
    ada = await service.user('Ada');
    projectId = await newProject(ada);
    const bo = await service.user('Bo');
    const person = `<person><email>${bo.email}</email><name>Bo</name></person>`;
    await ada.post(`/projects/${projectId}/memberships`, `<membership><role>Member</role>${person}</membership>`);
    const integration = { type: 'Other', name: 'Help desk', fieldName: 'other_id', fieldLabel: 'Help desk' };
    await service.running.database.write((tx) =>
      addIntegration(tx, { projectId, ...integration, ticketUrl: null, active: 1 }),
    );
    for (const field of fields) await create(edits[field]);
  });
  after(async () => {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function create(edit: StoryEdit): Promise<Story> {
    const body = writeDocument(storyEditElement({ ...blank, ...edit }));
    const answer = await ada.post(`/projects/${projectId}/stories`, body);
    assertStatus(answer, 200);
    return readStory(readText(answer.text));
  }

  function assertHas(story: Story | Partial<Story> | undefined, field: keyof StoryFields): void {
    assert.deepEqual(comparable(story?.[field]), comparable(edits[field][field]), field);
  }

  async function storiesOf(id: number): Promise<readonly Story[]> {
    return readStories(readText((await ada.get(`/projects/${id}/stories`)).text));
  }

  it('is kept, and answered', async () => {
    const stories = await storiesOf(projectId);
    const ids = stories.map(({ id }) => id).toSorted((one, other) => one - other);
    for (const [index, field] of fields.entries())
      assertHas(
        stories.find(({ id }) => id === ids[index]),
        field,
      );
  });

  it('is told when an edit changes it', async () => {
    for (const field of fields) {
      const { id } = await create({ name: 'Before', requestedBy: 'Ada' });
      const path = `/projects/${projectId}/stories/${id}`;
      await ada.put(path, writeDocument(storyEditElement(edits[field])));
      const feed = readActivities(readText((await ada.get('/activities?limit=1')).text));
      assertHas(feed[0]?.stories[0]?.changed, field);
    }
  });

  for (const format of ['xml', 'csv'] as const) {
    it(`goes along into ${format}, and comes back`, async () => {
      const path = join(folder, `stories.${format}`);
      const store = { database: service.running.database, folder: service.folder };
      await exportProject(store, { projectId, format, path, now: Date.now() });
      const wishes = {
        addsPeople: false,
        keepsIds: false,
        isTrial: false,
        now: Date.now(),
        onProgress: () => undefined,
      };
      const target = { ...store, files: await openAttachmentFiles(store) };
      const { id } = (await importFile(target, { path, name: `From ${format}`, owner: ada.email, ...wishes })).project;
      const [before, after] = [await storiesOf(projectId), await storiesOf(id)];
      assert.ok(before.length > fields.length && after.length === before.length);
      for (const field of fields) {
        if (format === 'csv' && field === 'ticket') continue; // The table of the closed service has none.
        assert.ok(
          before.some((story) => story[field] !== undefined),
          field,
        );
        assert.deepEqual(
          after.map((story) => comparable(story[field])),
          before.map((story) => comparable(story[field])),
          field,
        );
      }
    });
  }
});

/** Tickets are the same by their ids, which projects do not share; moments by what the text says. */
function comparable(value: unknown): unknown {
  const { externalId, text } = Object(value) as { readonly externalId?: unknown; readonly text?: unknown };
  return externalId ?? text ?? value;
}
