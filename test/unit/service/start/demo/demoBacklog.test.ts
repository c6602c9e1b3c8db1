import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { demoRepository } from '../../../../../scripts/start/demoRepository.ts';
import { temporaryFolder } from '../../../../../scripts/vscode/temporaryFolder.ts';
import { plan } from '../../../../../src/core/backlog/planning.ts';
import { needsEstimate, statesOf } from '../../../../../src/core/backlog/workflow.ts';
import { demoBacklog } from '../../../../../src/service/start/demo/demoBacklog.ts';
import { gitIn } from '../../../../support/git/gitRepository.ts';

const moments = {
  'in the middle of a week': Date.UTC(2026, 10, 18, 10, 30),
  'the minute an iteration begins': Date.UTC(2026, 10, 16),
  'the last second of an iteration': Date.UTC(2026, 10, 22, 23, 59, 59),
  'on a leap day': Date.UTC(2028, 1, 29, 12),
};

describe('demo backlog', () => {
  for (const [when, now] of Object.entries(moments)) {
    describe(`started ${when}`, () => {
      const { project, members, stories } = demoBacklog(now);
      const numbered = stories.map((story, index) => ({ ...story, id: index + 1 }));
      const rules = { ...project, startAt: project.startDate, averagedIterations: 3 };
      const planned = plan(numbered, rules, now);

      it('has four done iterations, a current one and more to come', () => {
        assert.deepEqual(
          planned.done.map(({ points }) => points),
          [15, 17, 14, 18],
        );
        assert.equal(planned.velocity, 16);
        assert.equal(planned.current.points, 16);
        assert.deepEqual(
          planned.current.stories.map(({ state }) => state),
          [
            ...['accepted', 'accepted', 'accepted', 'delivered', 'delivered', 'finished', 'rejected'],
            ...['started', 'started', 'started', 'unstarted', 'unstarted', 'unstarted'],
          ],
        );
        assert.ok(planned.backlog.length >= 3);
        assert.equal(planned.icebox.length, 9);
      });

      it('tells of nothing that has yet to happen, and of nothing before its cause', () => {
        for (const { name, createdAt, acceptedAt, updatedAt, notes, attachments } of stories) {
          const later = [
            ...notes.map(({ notedAt }) => notedAt),
            ...attachments.map(({ uploadedAt }) => uploadedAt),
            ...(acceptedAt === null ? [] : [acceptedAt]),
          ];
          assert.ok(createdAt >= project.createdAt, name);
          assert.ok(
            later.every((moment) => createdAt <= moment && moment <= updatedAt),
            name,
          );
          assert.ok(updatedAt <= now, name);
        }
      });

      it('puts open releases into the future', () => {
        const releases = stories.filter(({ type, state }) => type === 'release' && state !== 'accepted');
        assert.ok(releases.length > 0 && releases.every(({ deadline }) => deadline !== null && deadline > now));
      });

      it('names only its members', () => {
        const names = new Set<string | null>([...members.map(({ name }) => name), null]);
        for (const { requestedBy, ownedBy } of stories) assert.ok(names.has(requestedBy) && names.has(ownedBy));
      });
    });
  }

  it('breaks no rule that the service keeps', () => {
    const { project, stories } = demoBacklog(moments['in the middle of a week']);
    const scale = project.pointScale.split(',').map(Number);
    const rules = { bugsAndChoresAreEstimatable: false };
    for (const { name, type, state, estimate, deadline, acceptedAt } of stories) {
      assert.ok(statesOf(type).includes(state), name);
      assert.ok(!needsEstimate(type, state, estimate, rules), name);
      assert.ok(estimate === null || (type === 'feature' && scale.includes(estimate)), name);
      assert.ok(deadline === null || type === 'release', name);
      assert.equal(acceptedAt !== null, state === 'accepted', name);
    }
  });

  it('has about sixty stories, none called like another, and one file', () => {
    const { stories, members } = demoBacklog(moments['in the middle of a week']);
    assert.ok(stories.length >= 58 && stories.length <= 65, String(stories.length));
    assert.equal(new Set(stories.map(({ name }) => name)).size, stories.length);
    assert.equal(stories.flatMap(({ attachments }) => attachments).length, 1);
    assert.deepEqual(
      members.map(({ role }) => role),
      ['Owner', 'Member', 'Member'],
    );
  });

  it('invites to commit, attach and reorder by three stories that the README of the demo repository names', async () => {
    const { stories } = demoBacklog(moments['in the middle of a week']);
    const folder = temporaryFolder('demo');
    try {
      const readme = await readFile(join(await demoRepository(join(folder.path, 'project')), 'README.md'), 'utf8');
      const named = [...readme.replace(/\s+/g, ' ').matchAll(/"#(\d+) ([^"]+)"/g)];
      assert.equal(named.length, 3);
      for (const [, id, name] of named) {
        const story = stories[Number(id) - 1];
        assert.deepEqual([story?.name, story?.state], [name, 'unstarted']);
        assert.match(story?.description ?? '', /\*\*Try it:\*\*/);
      }
    } finally {
      await folder.remove();
    }
  });

  it('comes with a repository that has a remote to push to, also one that was made without', async () => {
    const folder = temporaryFolder('demo');
    try {
      const { root, git } = await gitIn(await demoRepository(join(folder.path, 'project')));
      const remote = join(root, '.git', 'origin.git');
      const tracked = async () => (await git('rev-parse', '--abbrev-ref', 'main@{upstream}')).trim();
      assert.deepEqual([(await git('remote', 'get-url', 'origin')).trim(), await tracked()], [remote, 'origin/main']);
      assert.equal(await git('status', '--porcelain', '--ignored'), '');
      await git('push', '--quiet', 'origin', 'HEAD:refs/heads/feature/1');
      await git('remote', 'remove', 'origin');
      await rm(remote, { recursive: true });
      await demoRepository(root);
      assert.equal(await tracked(), 'origin/main');
    } finally {
      await folder.remove();
    }
  });
});
