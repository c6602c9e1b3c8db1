import assert from 'node:assert/strict';
import { API_ROOT, endpointPath, endpoints, matchEndpoint } from '../../../src/v3/endpoints.ts';

/** The seven of api-v3.md and the table of protocol.md, with N for every number. */
const DOCUMENTED: readonly string[] = [
  ...['GET /projects/N/iterations/current_backlog', 'GET /activities', 'POST /projects/N/stories/N/moves'],
  ...['PUT /projects/N/stories/N', 'POST /projects/N/stories/N/attachments', 'POST /source_commits'],
  'POST /github_commits',
  ...['GET /projects', 'GET /projects/N', 'POST /projects', 'PUT /projects/N', 'GET /projects/N/settings'],
  'GET /memberships',
  ...['GET /projects/N/memberships', 'POST /projects/N/memberships'],
  ...['GET /projects/N/memberships/N', 'PUT /projects/N/memberships/N'],
  'DELETE /projects/N/memberships/N',
  ...['POST /projects/N/integrations', 'PUT /projects/N/integrations/N', 'DELETE /projects/N/integrations/N'],
  ...[
    'POST /imports',
    'GET /imports',
    'GET /imports/N',
    'POST /projects/N/imports',
    'GET /projects/N/imports',
    'GET /projects/N/export',
  ],
  ...['GET /projects/N/stories', 'GET /projects/N/stories/N', 'DELETE /projects/N/stories/N'],
  ...['POST /projects/N/stories', 'PUT /projects/N/stories/deliver_all_finished'],
  ...['GET /projects/N/stories/N/notes', 'POST /projects/N/stories/N/notes'],
  ...['GET /projects/N/stories/N/tasks', 'POST /projects/N/stories/N/tasks'],
  ...['GET /projects/N/stories/N/tasks/N', 'PUT /projects/N/stories/N/tasks/N', 'DELETE /projects/N/stories/N/tasks/N'],
  'GET /projects/N/stories/N/attachments/N',
  ...['GET /projects/N/iterations', 'GET /projects/N/iterations/done', 'GET /projects/N/iterations/current'],
  ...['GET /projects/N/iterations/backlog', 'GET /projects/N/activities'],
  ...['GET /tokens/active', 'POST /tokens/active'],
];

describe('endpoints', () => {
  it('stand where the document says', () => {
    assert.equal(
      endpointPath('currentBacklog', { projectId: 1 }),
      '/services/v3/projects/1/iterations/current_backlog',
    );
    assert.equal(endpointPath('listActivities', {}), '/services/v3/activities');
    assert.equal(endpointPath('moveStory', { projectId: 1, storyId: 2 }), '/services/v3/projects/1/stories/2/moves');
    assert.equal(endpointPath('updateStory', { projectId: 1, storyId: 2 }), '/services/v3/projects/1/stories/2');
    assert.equal(
      endpointPath('uploadAttachment', { projectId: 1, storyId: 2 }),
      '/services/v3/projects/1/stories/2/attachments',
    );
    assert.equal(endpointPath('postSourceCommit', {}), '/services/v3/source_commits');
    assert.equal(endpointPath('postHostedCommits', {}), '/services/v3/github_commits');
    const methods = [
      'currentBacklog',
      'listActivities',
      'moveStory',
      'updateStory',
      'uploadAttachment',
      'postSourceCommit',
      'postHostedCommits',
    ] as const;
    assert.deepEqual(
      methods.map((name) => endpoints[name].method),
      ['GET', 'GET', 'POST', 'PUT', 'POST', 'POST', 'POST'],
    );
  });

  it('are those of the two documents, and no others', () => {
    const told = Object.values(endpoints).map(({ method, path }) => `${method} ${path.replace(/:\w+/g, 'N')}`);
    assert.deepEqual(told.toSorted(), DOCUMENTED.toSorted());
  });

  it('are found again from their own paths', () => {
    for (const [name, { method, path }] of Object.entries(endpoints)) {
      const match = matchEndpoint(method, path.replace(/:\w+/g, '17'));
      assert.equal(match.kind, 'found', name);
      assert.equal(match.kind === 'found' && match.name, name);
      assert.equal(
        endpointPath(name as keyof typeof endpoints, match.kind === 'found' ? (match.params as never) : ({} as never)),
        API_ROOT + path.replace(/:\w+/g, '17'),
      );
    }
  });

  it('tell a wrong method from a wrong path', () => {
    assert.deepEqual(matchEndpoint('PATCH', '/projects/1/stories/2'), {
      kind: 'methodNotAllowed',
      allow: ['GET', 'PUT', 'DELETE'],
    });
    for (const path of [
      '/projects/x',
      '/projects/1/',
      '/nothing',
      '',
      '/projects/-1',
      '/projects/1234567890123456',
      '/projects/1/stories/2/moves/3',
    ]) {
      assert.deepEqual(matchEndpoint('GET', path), { kind: 'unknown' }, path);
    }
  });

  it('prefer the named path to a number', () => {
    assert.deepEqual(matchEndpoint('PUT', '/projects/1/stories/deliver_all_finished'), {
      kind: 'found',
      name: 'deliverAllFinished',
      params: { projectId: 1 },
    });
  });
});
