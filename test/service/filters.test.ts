import assert from 'node:assert/strict';
import { addIntegration } from '../../src/service/store/projects/projectParts.ts';
import { addMember, newProject, newStory } from './support/project.ts';
import { assertRefused, assertStatus, request, texts } from './support/request.ts';
import { startTestService, type TestService, type TestUser } from './support/testService.ts';

/** A Monday. */
const START = Date.UTC(2026, 2, 2, 9);
const DAY = 86_400_000;

describe('a filter of stories', () => {
  let now = START;
  let service: TestService;
  let ada: TestUser;
  let grace: TestUser;
  let stories: string;
  let first = 0;

  before(async () => {
    service = await startTestService({ clock: () => now });
    ada = await service.user('Ada Lovelace');
    grace = await service.user('Grace Hopper');
    const projectId = await newProject(ada);
    await addMember(ada, projectId, grace, 'Member');
    stories = `/projects/${projectId}/stories`;
    const add = (name: string, fields: string) => newStory(ada, projectId, name, fields);
    const accepted = '<estimate>1</estimate><current_state>accepted</current_state>';
    first = await add('Alpha', accepted);
    now += 8 * DAY;
    await add('Beta', '<estimate>2</estimate><current_state>started</current_state><owned_by>Ada Lovelace</owned_by>');
    await add(
      'Gamma',
      '<story_type>bug</story_type><labels>api,to do</labels><requested_by>Grace Hopper</requested_by><owned_by>Grace Hopper</owned_by>',
    );
    now += 2 * DAY;
    const delta = await add('Delta: more', '<story_type>chore</story_type><current_state>unstarted</current_state>');
    await add('Epsilon', `${accepted}<labels>api</labels>`);
    const form = new FormData();
    form.set('Filedata', new Blob(['x']), 'x.txt');
    assertStatus(await ada.post(`${stories}/${delta}/attachments`, form), 200);
    const row = { projectId, type: 'Other', name: 'Desk', fieldName: 'other_id', fieldLabel: '', ticketUrl: null };
    await service.running.database.write((tx) => addIntegration(tx, { ...row, active: 1 }));
    assertStatus(await ada.put(`${stories}/${delta}`, '<story><other_id>7</other_id></story>'), 200);
  });
  after(() => service.stop());

  /** First letters of what is found, in the order of the answer; the accepted Alpha is of a done iteration. */
  async function found(filter: string, encode: (text: string) => string = encodeURIComponent): Promise<string> {
    const answer = await request(`${service.url}/services/v3${stories}?filter=${encode(filter)}`, { token: ada.token });
    assertStatus(answer, 200);
    return texts(answer, 'name')
      .map(([letter]) => letter)
      .join('');
  }

  const cases: Readonly<Record<string, string>> = {
    'type:bug': 'G',
    'type:bug,chore': 'DG',
    'state:started': 'B',
    'state:unscheduled,started': 'BG',
    'label:api': 'EG',
    'label:"to do"': 'G',
    'label:api type:bug': 'G',
    'requester:"Grace Hopper"': 'G',
    'requester:GH': 'G',
    'owner:"Ada Lovelace"': 'B',
    'owner:me': 'B',
    'mywork:AL': 'B',
    'mywork:Ada Lovelace state:started': 'B',
    'state:unscheduled mywork:Grace Hopper': 'G',
    'owner:grace  HOPPER': 'G',
    'requester:Grace Hopper type:bug': 'G',
    'label:to do': 'G',
    'label:api,to do type:bug': 'G',
    'label: api': 'EG',
    'type: bug': 'G',
    'type:bug gamma': 'G',
    'type:bug beta': '',
    hopper: 'G',
    lovelace: 'BDE',
    'external_id:7': 'D',
    'external_id:8': '',
    'integration:Desk': 'D',
    'integration:other': 'D',
    'integration:Jira': '',
    'created_since:2026/03/12': 'DE',
    'created_since:3/12/2026': 'DE',
    'created_since:Mar 12 2026': 'DE',
    'created_since:March 12, 2026 type:chore': 'D',
    'created_since:Mar 20, 2026,2026/03/12': 'DE',
    'modified_since:2026/03/12 type:chore': 'D',
    'has_attachment:true': 'D',
    'has_attachment:false type:chore': '',
    'has_external_id:true': 'D',
    'has_external_id:false type:bug': 'G',
    'includedone:true': 'ABDEG',
    'includedone:true state:accepted': 'AE',
    'state:accepted': 'E',
    'label:api includedone:true': 'EG',
    'story_type:bug,chore': 'DG',
    'current_state:unstarted,started': 'BD',
    'owned_by:"Ada Lovelace"': 'B',
    'requested_by:"Grace Hopper"': 'G',
    'labels:api': 'EG',
    beta: 'B',
    '"delta: more"': 'D',
    'points:>1': 'B',
    nothing: '',
    '': 'ABDEG',
  };
  for (const [filter, expected] of Object.entries(cases)) {
    it(`${filter || 'that is empty'} finds ${expected || 'nothing'}`, async () => {
      assert.equal([...(await found(filter))].sort().join(''), expected);
    });
  }

  it('means the one who asks by me, though others asked the same before', async () => {
    assert.equal(await found('owner:me'), 'B');
    assert.deepEqual(texts(await grace.get(`${stories}?filter=owner:me`), 'name'), ['Gamma']);
    assert.deepEqual(texts(await grace.get(`${stories}?filter=requester:me`), 'name'), ['Gamma']);
  });

  it('means the day on which it is asked by today, though it was asked the day before', async () => {
    assert.equal(await found('created_since:today'), 'DE');
    now += DAY;
    assert.equal(await found('created_since:today'), '');
    now -= DAY;
  });

  it('finds by ids, of done iterations too when it says so', async () => {
    assert.equal(await found(`id:${first},${first + 2}`), 'G');
    assert.equal(await found(`id:${first},${first + 2} includedone:true`), 'AG');
  });

  it('may be written with plus signs, and with raw quotes', async () => {
    assert.equal(await found('label:"to do" type:bug', (text) => text.replaceAll(' ', '+')), 'G');
  });

  it('may be given in several parts, whose values of one key are choices', async () => {
    const parts = (...filters: readonly string[]) => found(filters.join('&filter='), (text) => text);
    assert.equal(await parts('type:bug', 'type:chore'), 'DG');
    assert.equal(await parts('story_type:feature', 'type:bug%20label:api'), 'EG');
    assert.equal(await parts('type:bug', 'state:started'), '');
    assert.equal(await parts('', 'type:bug'), 'G');
    assert.equal(await parts('label:api%20label:%22to%20do%22'), 'G');
    const answer = await ada.get(`${stories}?filter=type:bug&filter=type:chore`);
    assert.match(answer.text, /<stories type="array" count="2" total="2" filter="type:bug type:chore">/);
  });

  it('is refused with a sentence where it cannot be meant', async () => {
    const refused = (filter: string, sentence: RegExp) =>
      ada.get(`${stories}?filter=${encodeURIComponent(filter)}`).then((answer) => assertRefused(answer, 422, sentence));
    await refused('colour:red', /Unknown filter key/);
    await refused('has_attachment:maybe', /true or false/);
    await refused('created_since:soon', /not a day/);
    await refused('label:"open', /unclosed/);
  });

  it('is refused when it has more words and values than 32, in one part or in several', async () => {
    const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`);
    const answer = (query: string) => ada.get(`${stories}?${query}`);
    assertStatus(await answer(`filter=${words(32).join('+')}`), 200);
    for (const query of [
      `filter=${words(33).join('+')}`,
      `filter=${Array.from({ length: 7_500 }, () => 'a').join('+')}`,
      `filter=id:${Array.from({ length: 33 }, (_, id) => id).join()}`,
      `filter=${words(20).join(',')}&filter=label:${words(13).join(',')}`,
    ]) {
      assertRefused(await answer(query), 422, /at most 32 words and values. Remove some/);
    }
  });

  it('is refused when a word of it is longer than 128 characters', async () => {
    assertStatus(await ada.get(`${stories}?filter=${'a'.repeat(128)}`), 200);
    assertRefused(await ada.get(`${stories}?filter=${'a'.repeat(129)}`), 422, /filter word can have at most 128/);
  });

  it('looks through a description of marks without end as soon as through any other', async () => {
    const marks = 'a\u0301\u0316'.repeat(3) + '\u0301\u0316'.repeat(49_990);
    const other = await newProject(ada, 'Marks');
    const list = `/projects/${other}/stories`;
    await newStory(ada, other, 'Plain', '<description>a tidy cafe\u0301</description>');
    await newStory(ada, other, 'Marked', `<description>${marks}</description>`);
    const before = process.cpuUsage();
    for (const word of ['CAFÉ', 'nothing', 'tidy']) {
      assert.deepEqual(
        texts(await ada.get(`${list}?filter=${encodeURIComponent(word)}`), 'name'),
        word === 'nothing' ? [] : ['Plain'],
      );
    }
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 2_000_000, `${user + system} microseconds of the processor`);
  });
});
