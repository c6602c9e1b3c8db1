import assert from 'node:assert/strict';
import { addIntegration, switchIntegration } from '../../src/service/store/projects/projectParts.ts';
import { newProject, newStory } from './support/project.ts';
import { assertRefused, textOf, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

describe('tickets', () => {
  let service: TestService;
  let ada: TestUser;
  let path: string;
  let projectId: number;
  const ids: Record<string, number> = {};

  before(async () => {
    service = await startTestService();
    ada = await service.user('Ada Lovelace');
    projectId = await newProject(ada);
    path = `/projects/${projectId}/stories/${await newStory(ada, projectId, 'Linked')}`;
    ids.desk = await integrate('Other', 'Desk', 'other_id', 'https://desk.example.org/');
    ids.jira = await integrate('JIRA', 'Issues', 'jira_id', null);
    ids.second = await integrate('JIRA', 'More issues', 'jira_id', null);
    ids.off = await integrate('Lighthouse', 'Old', 'lighthouse_id', null, 0);
  });
  after(() => service.stop());

  function integrate(type: string, name: string, fieldName: string, ticketUrl: string | null, active = 1) {
    return service.running.database.write((tx) =>
      addIntegration(tx, { projectId, type, name, fieldName, fieldLabel: `${name} ticket`, ticketUrl, active }),
    );
  }

  const link = (elements: string) => ada.put(path, `<story>${elements}</story>`);

  /** The elements of the latest activity's story behind its id and address. */
  async function told(): Promise<string[]> {
    const { text } = await ada.get('/activities?limit=1');
    const [story = ''] = /<stories type="array">.*<\/stories>/s.exec(text) ?? [];
    const lines = story.split('\n').map((line) => line.trim());
    return lines.filter((line) => /^<(?!stories|story|\/|id |url>)/.test(line));
  }

  it('links by the name of the integration, with its address where there is one', async () => {
    const answer = await link('<other_id>A 7</other_id>');
    assert.deepEqual(
      ['other_id', 'other_url', 'integration_id'].map((name) => textOf(answer, name)),
      ['A 7', 'https://desk.example.org/A%207', String(ids.desk)],
    );
  });

  it('asks which one is meant when there are several of a kind', async () => {
    assertRefused(await link('<jira_id>J-1</jira_id>'), 422, /several integrations/);
    const answer = await link(`<jira_id>J-1</jira_id><integration_id>${ids.second}</integration_id>`);
    assert.deepEqual([textOf(answer, 'jira_id'), textOf(answer, 'integration_id')], ['J-1', String(ids.second)]);
    assert.deepEqual(texts(answer, 'other_id'), []);
  });

  it('takes other_id with an integration of any kind, as existing clients write it', async () => {
    const answer = await link(`<other_id>J-2</other_id><integration_id>${ids.jira}</integration_id>`);
    assert.deepEqual([textOf(answer, 'jira_id'), textOf(answer, 'integration_id')], ['J-2', String(ids.jira)]);
  });

  it('takes external_id for the same', async () => {
    const answer = await link(`<external_id>J-4</external_id><integration_id>${ids.second}</integration_id>`);
    assert.deepEqual([textOf(answer, 'jira_id'), textOf(answer, 'integration_id')], ['J-4', String(ids.second)]);
    assert.deepEqual(texts(answer, 'external_id'), []);
    const asParameters = `story[external_id]=A+8&story[integration_id]=${ids.desk}`;
    assert.equal(textOf(await ada.put(`${path}?${asParameters}`), 'other_id'), 'A 8');
    assert.deepEqual(texts(await link('<external-id/>'), 'other_id'), [], 'empty unlinks');
  });

  it('keeps the ticket of an integration that was switched off when a story is sent back', async () => {
    const id = await integrate('Zendesk', 'Help', 'zendesk_id', null);
    await link(`<zendesk_id>Z-1</zendesk_id><integration_id>${id}</integration_id>`);
    await service.running.database.write((tx) => switchIntegration(tx, projectId, id, false));
    const whole = (await ada.get(path)).text;
    const answer = await ada.put(path, whole.replace('>Linked<', '>Renamed<'));
    assert.deepEqual([textOf(answer, 'name'), textOf(answer, 'zendesk_id')], ['Renamed', 'Z-1']);
    assertRefused(await ada.put(path, whole.replace('Z-1', 'Z-2')), 422, /no active integration/);
    await link('<name>Linked</name><other_id/>');
    await service.running.database.write((tx) => tx.deleteFrom('integrations').where('id', '=', id).execute());
  });

  it('takes other_id alone where there is one integration only, of whatever kind', async () => {
    const single = await newProject(ada, 'Single');
    const jira = { projectId: single, type: 'JIRA', name: 'Issues', fieldName: 'jira_id', fieldLabel: '', active: 1 };
    await service.running.database.write((tx) => addIntegration(tx, { ...jira, ticketUrl: null }));
    const story = `/projects/${single}/stories/${await newStory(ada, single, 'Linked')}`;
    assert.equal(textOf(await ada.put(story, '<story><other_id>J-3</other_id></story>'), 'jira_id'), 'J-3');
  });

  it('refuses what cannot be linked and leaves the story as it is', async () => {
    await link(`<other_id>J-2</other_id><integration_id>${ids.jira}</integration_id>`);
    assertRefused(
      await link(`<integration_id>${ids.desk}</integration_id>`),
      422,
      /^Both the external_id and integration need to be set, but external_id is blank\.$/m,
    );
    assertRefused(
      await link(`<external_id/><integration_id>${ids.desk}</integration_id>`),
      422,
      /external_id is blank/,
    );
    assertRefused(await link(`<other_id/><integration_id>${ids.desk}</integration_id>`), 422, /external_id is blank/);
    assertRefused(
      await link('<other_id>1</other_id><integration_id>999</integration_id>'),
      422,
      /no active integration 999/,
    );
    assertRefused(
      await link('<lighthouse_id>1</lighthouse_id>'),
      422,
      /no active integration that takes lighthouse_id/,
    );
    assertRefused(
      await link(`<jira_id>1</jira_id><integration_id>${ids.desk}</integration_id>`),
      422,
      /takes other_id/,
    );
    assert.equal(textOf(await ada.get(path), 'jira_id'), 'J-2');
  });

  it('unlinks with an empty id and tells of it with an empty element', async () => {
    const answer = await link('<other_id/>');
    assert.deepEqual(texts(answer, 'jira_id').concat(texts(answer, 'integration_id')), []);
    assert.deepEqual(await told(), ['<jira_id/>', '<integration_id/>']);
  });

  it('tells of the ticket that a story has, and as empty of what it had before and has no more', async () => {
    await link('<other_id>7</other_id>');
    await link('<other_id>8</other_id>');
    const desk = `<integration_id type="integer">${ids.desk}</integration_id>`;
    assert.deepEqual(await told(), [
      '<other_id>8</other_id>',
      '<other_url>https://desk.example.org/8</other_url>',
      desk,
    ]);
    await link(`<jira_id>J-3</jira_id><integration_id>${ids.jira}</integration_id>`);
    const jira = `<integration_id type="integer">${ids.jira}</integration_id>`;
    assert.deepEqual(await told(), ['<jira_id>J-3</jira_id>', jira, '<other_id/>', '<other_url/>']);
    await link('<jira-id/>');
    assert.deepEqual(await told(), ['<jira_id/>', '<integration_id/>']);
  });

  it('lists the integrations of the project', async () => {
    const project = await ada.get(`/projects/${projectId}`);
    assert.deepEqual(texts(project, 'field_name'), ['other_id', 'jira_id', 'jira_id', 'lighthouse_id']);
    assert.deepEqual(texts(project, 'active'), ['true', 'true', 'true', 'false']);
  });
});
