import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { newProject, newStory } from './support/project.ts';
import { assertRefused, assertStatus, textOf, texts } from './support/request.ts';
import { runService, type ServiceProcess, serveProcess } from './support/serviceProcess.ts';
import { type TestUser, temporaryFolder, userOf } from './support/testService.ts';

describe('the command project, beside a service that is running', function () {
  this.timeout(120_000);
  let folder: string;
  let service: ServiceProcess;
  let ada: TestUser;
  let projectId: number;

  before(async () => {
    folder = await temporaryFolder();
    const args = ['user', 'add', '--name', 'Ada', '--email', 'ada@example.org', '--data', folder];
    const token = (await runService(args)).stdout.trim().split('\n').at(-1) ?? '';
    service = await serveProcess(['--data', folder]);
    ada = userOf(service.url, 'Ada', 'ada@example.org', token);
    projectId = await newProject(ada, 'Apollo', '<initial_velocity>4</initial_velocity>');
    for (const name of ['A', 'B', 'C', 'D']) {
      await newStory(ada, projectId, name, '<estimate>2</estimate><current_state>unstarted</current_state>');
    }
  });
  after(async () => {
    assert.equal(await service.end('SIGTERM'), 0);
    await rm(folder, { recursive: true, force: true });
  });

  async function project(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runService(['project', ...args, '--data', folder]);
    assert.equal(code, 0, stderr);
    return stdout;
  }

  async function refused(sentence: RegExp, code: number, ...args: readonly string[]): Promise<void> {
    const failed = await runService(['project', ...args, '--data', folder]);
    assert.equal(failed.code, code, failed.stderr);
    assert.match(failed.stderr, sentence);
    assert.doesNotMatch(failed.stderr, /\n\s+at /);
  }

  async function planned(): Promise<string[]> {
    const { text } = await ada.get(`/projects/${projectId}/iterations/current_backlog`);
    return text
      .split('<iteration>')
      .slice(1)
      .map((one) => texts({ text: one }, 'name').join(''));
  }

  it('explains itself and lists the projects', async () => {
    assert.match((await runService(['project', '--help'])).stdout, /^Usage: service project/);
    assert.equal(await project('list'), `${projectId}\tApollo\tAda\n`);
  });

  it('changes settings, which count at once, and keeps the others', async () => {
    assert.deepEqual(await planned(), ['AB', 'CD']);
    const settings: Readonly<Record<string, string>> = {
      name: 'Apollo 11',
      velocity_scheme: 'Average of 2 iterations',
      commit_mode: 'true',
      use_https: 'true',
      allow_attachments: 'false',
      enable_tasks: 'false',
      bugs_and_chores_are_estimatable: 'true',
      number_of_done_iterations_to_show: '3',
      iteration_length: '2',
      week_start_day: 'Friday',
      point_scale: '0,2,4',
      account: 'Example',
      start_date: '2026/01/09',
      initial_velocity: '6',
    };
    const set = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    assert.match(await project('set', '--project', String(projectId), ...set), /Apollo 11/);
    const answer = await ada.get(`/projects/${projectId}`);
    for (const [name, value] of Object.entries(settings)) assert.equal(textOf(answer, name), value, name);
    await project('set', '--project', String(projectId), '--set', 'commit_mode=false', '--set', 'initial_velocity=4');
    assert.equal(textOf(await ada.get(`/projects/${projectId}`), 'week_start_day'), 'Friday');
    await project('set', '--project', String(projectId), '--set', 'start_date=');
    const without = await ada.get(`/projects/${projectId}`);
    assert.deepEqual([texts(without, 'start_date'), textOf(without, 'week_start_day')], [[], 'Friday']);
  });

  it('adds integrations and switches them on and off', async () => {
    const story = `/projects/${projectId}/stories/${texts(await ada.get(`/projects/${projectId}/stories`), 'id')[0]}`;
    const link = () => ada.put(story, '<story><jira_id>J-1</jira_id></story>');
    const id = String(projectId);
    const url = 'https://jira.example.org/browse/';
    const added = await project(
      'integration',
      '--project',
      id,
      '--type',
      'JIRA',
      '--name',
      'Issues',
      '--field',
      'jira_id',
      '--url',
      url,
    );
    const integration = /integration (\d+)/.exec(added)?.[1] ?? '';
    assert.equal(textOf(await link(), 'jira_url'), `${url}J-1`);
    await project('integration', '--project', id, '--id', integration, '--active', 'false');
    assertRefused(await link(), 422, /no active integration/);
    assert.deepEqual(texts(await ada.get(`/projects/${projectId}`), 'active'), ['false']);
    await project('integration', '--project', id, '--id', integration, '--active', 'true');
    assertStatus(await link(), 200);
  });

  it('gives an iteration its own strength and length, and the usual ones back', async () => {
    const current = await ada.get(`/projects/${projectId}/iterations/current`);
    const number = textOf(current, 'number');
    const iteration = (...more: readonly string[]) =>
      project('iteration', '--project', String(projectId), '--number', number, ...more);
    const before = await planned();
    assert.match(await iteration('--strength', '0.5', '--weeks', '4'), /of 4 weeks, with a team strength of 0\.5/);
    const changed = await ada.get(`/projects/${projectId}/iterations/current`);
    assert.equal(textOf(changed, 'team_strength'), '0.5');
    assert.notEqual(textOf(changed, 'finish'), textOf(current, 'finish'));
    await iteration('--strength', '0');
    assert.equal((await planned())[0], '');
    await iteration();
    assert.deepEqual(await planned(), before);
    assert.equal(textOf(await ada.get(`/projects/${projectId}/iterations/current`), 'team_strength'), '1');
  });

  it('makes members and owners, also of a project that was made without one, and takes them out again', async () => {
    const orphan = '<project><name>Orphan</name><no_owner type="boolean">true</no_owner></project>';
    const id = textOf(await ada.post('/projects', orphan), 'id');
    const member = (...more: readonly string[]) =>
      project('member', '--project', id, '--email', 'Ada@example.org', ...more);
    assertStatus(await ada.get(`/projects/${id}`), 404);
    assert.equal(await member('--role', 'Owner'), `Ada is Owner of project ${id}, Orphan.\n`);
    assert.deepEqual(texts(await ada.get(`/projects/${id}/memberships`), 'role'), ['Owner']);
    assert.match(await member(), /^Ada is Owner /);
    const given = ['member', '--project', id, '--email'];
    await refused(/only owner of the project/, 1, ...given, 'ada@example.org', '--remove');
    const args = ['user', 'add', '--name', 'Grace', '--email', 'grace@example.org', '--data', folder];
    assert.equal((await runService(args)).code, 0);
    const told = { project: Number(id), email: 'grace@example.org', role: 'Member' };
    assert.deepEqual(JSON.parse(await project(...given, 'grace@example.org', '--json')), told);
    assert.match(await project(...given, 'grace@example.org', '--remove'), /^Grace is no longer a member /);
    assert.deepEqual(texts(await ada.get(`/projects/${id}/memberships`), 'role'), ['Owner']);
  });

  it('refuses what cannot be, in a sentence, and changes nothing', async () => {
    const before = (await ada.get(`/projects/${projectId}`)).text;
    const id = ['--project', String(projectId)];
    await Promise.all([
      refused(/Unknown command project fly/, 2, 'fly'),
      refused(/--project must be/, 2, 'set', '--set', 'name=X'),
      refused(/No project has the ID 999/, 2, 'set', '--project', '999', '--set', 'name=X'),
      refused(/Nothing to change/, 2, 'set', ...id),
      refused(/NAME is one of name, iteration_length/, 2, 'set', ...id, '--set', 'colour=red'),
      refused(/Missing the value of name/, 2, 'set', ...id, '--set', 'name= '),
      refused(/should hold true or false/, 1, 'set', ...id, '--set', 'use_https=perhaps'),
      refused(/from 1 to 4 weeks/, 1, 'set', ...id, '--set', 'iteration_length=9'),
      refused(/such as jira_id/, 2, 'integration', ...id, '--name', 'X', '--field', 'owner_id'),
      refused(/start with http/, 2, 'integration', ...id, '--name', 'X', '--url', 'javascript:alert(1)'),
      refused(/has no integration 999/, 2, 'integration', ...id, '--id', '999', '--active', 'true'),
      refused(/--strength must be/, 2, 'iteration', ...id, '--number', '1', '--strength', 'all'),
      refused(/No user has the address nobody@/, 2, 'member', ...id, '--email', 'nobody@example.org'),
      refused(/role must be one of Owner/, 1, 'member', ...id, '--email', 'ada@example.org', '--role', 'Boss'),
      refused(
        /either --role or --remove/,
        2,
        'member',
        ...id,
        '--email',
        'ada@example.org',
        '--role',
        'Owner',
        '--remove',
      ),
      refused(/--weeks must be/, 2, 'iteration', ...id, '--number', '1', '--weeks', '5'),
    ]);
    assert.equal((await ada.get(`/projects/${projectId}`)).text, before);
  });
});
