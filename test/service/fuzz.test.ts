import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ServiceEvent } from '../../src/service/ground/background.ts';
import { newBacklog, newProject, storyNames } from './support/project.ts';
import { rawHead, sendRaw } from './support/raw.ts';
import { assertStatus } from './support/request.ts';
import { startTestService } from './support/testService.ts';

describe('requests made of noise', () => {
  it('are refused, change nothing, and never count as a mistake of the service', async function () {
    this.timeout(120_000);
    const mistakes: ServiceEvent[] = [];
    const service = await startTestService({ log: (event) => mistakes.push(event) });
    const ada = await service.user('Ada Lovelace');
    const projectId = await newProject(ada);
    await newBacklog(ada, projectId, ['A', 'B']);
    const piece = fc.constantFrom(
      ...[
        'GET ',
        'POST ',
        'PUT ',
        'DELETE ',
        'HEAD ',
        'OPTIONS ',
        '/services/v3/projects/1',
        '/stories/1',
        '/moves',
        '?',
      ],
      ...[
        'move[move]=before',
        '&',
        '%',
        '%00',
        '../',
        ' HTTP/1.1',
        '\r\n',
        'Host: localhost',
        'Content-Length: 5',
        ': ',
      ],
      ...[
        'Transfer-Encoding: chunked',
        'Expect: 100-continue',
        '<story>',
        '<!DOCTYPE',
        '\0',
        '\u00ff',
        '[',
        ']',
        '5\r\n',
      ],
      ...['Content-Type: multipart/form-data; boundary=b', '--b', 'X-ServiceToken: nonsense', 'Origin: null'],
    );
    const noise = fc.array(fc.oneof({ weight: 6, arbitrary: piece }, fc.string()), { maxLength: 24 });
    await fc.assert(
      fc.asyncProperty(fc.array(noise, { minLength: 20, maxLength: 20 }), async (requests) => {
        const answers = requests.map((pieces) => sendRaw(service.url, rawHead(...pieces.join('').split('\r\n')), 100));
        for (const { status } of await Promise.all(answers)) assert.ok(status < 200 || status >= 400 || status === 200);
      }),
      { numRuns: 40 },
    );
    assertStatus(await ada.get('/projects'), 200);
    assert.deepEqual(await storyNames(ada, projectId), ['A', 'B']);
    assert.deepEqual(mistakes, []);
    await service.stop();
  });

  it('of a member are answered too, with nothing worse than a refusal', async function () {
    this.timeout(120_000);
    const mistakes: ServiceEvent[] = [];
    const service = await startTestService({ log: (event) => mistakes.push(event) });
    const ada = await service.user('Ada Lovelace');
    const projectId = await newProject(ada);
    const [storyId] = await newBacklog(ada, projectId, ['A', 'B']);
    const element = fc.constantFrom(
      ...[
        'name',
        'estimate',
        'current_state',
        'story_type',
        'labels',
        'owned_by',
        'deadline',
        'accepted_at',
        'jira_id',
      ],
      ...[
        'integration_id',
        'other_id',
        'project_id',
        'description',
        'created_at',
        'unknown',
        '__proto__',
        'constructor',
      ],
    );
    const value = fc.oneof(
      fc.constantFrom(
        '',
        '-1',
        '1',
        '99999999999999999999',
        '1e9',
        'started',
        'accepted',
        'release',
        'null',
        ',,,',
        '2026/01/01',
      ),
      fc.string().map((text) => text.replace(/[<&]/g, '')),
    );
    const fields = fc.array(fc.tuple(element, value), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fields, fc.constantFrom('put', 'post'), async (pairs, verb) => {
        const body = `<story>${pairs.map(([name, text]) => `<${name}>${text}</${name}>`).join('')}</story>`;
        const path = `/projects/${projectId}/stories`;
        const answer = verb === 'put' ? await ada.put(`${path}/${storyId}`, body) : await ada.post(path, body);
        assert.ok([200, 400, 422].includes(answer.status), answer.text);
        assertStatus(await ada.get(`${path}?limit=1`), 200);
      }),
      { numRuns: 300 },
    );
    assert.deepEqual(mistakes, []);
    await service.stop();
  });
});
