import assert from 'node:assert/strict';
import { pullRequestUrl } from '../../../src/git/remoteHost.ts';

function assertPage(remote: string, expected: string | undefined, branch = 'feature/12-sort', base = 'main'): void {
  it(`${remote} → ${expected ?? 'no page'}`, () => {
    assert.equal(pullRequestUrl(remote, { branch, base }), expected);
  });
}

describe('page on which a pull request is opened', () => {
  assertPage('git@github.com:team/app.git', 'https://github.com/team/app/compare/main...feature/12-sort?expand=1');
  assertPage(
    'https://gitlab.example.org:8443/group/sub/app.git',
    'https://gitlab.example.org:8443/group/sub/app/-/merge_requests/new?merge_request%5Bsource_branch%5D=feature%2F12-sort&merge_request%5Btarget_branch%5D=main',
  );
  assertPage(
    'git@bitbucket.org:team/app.git',
    'https://bitbucket.org/team/app/pull-requests/new?source=feature%2F12-sort&dest=main',
  );
  assertPage(
    'https://bitbucket.example.org/scm/app/web.git',
    'https://bitbucket.example.org/projects/app/repos/web/pull-requests?create&sourceBranch=refs%2Fheads%2Ffeature%2F12-sort&targetBranch=refs%2Fheads%2Fmain',
  );
  assertPage(
    'git@ssh.dev.azure.com:v3/org/app/web',
    'https://dev.azure.com/org/app/_git/web/pullrequestcreate?sourceRef=feature%2F12-sort&targetRef=main',
  );
  assertPage('https://codeberg.org/team/app', 'https://codeberg.org/team/app/compare/main...feature/12-sort');

  describe('of a branch that is named to lead elsewhere', () => {
    assertPage(
      'git@github.com:team/app.git',
      'https://github.com/team/app/compare/main...x%3F%23/%26%25%22/a%20b?expand=1',
      'x?#/&%"/a b',
    );
    assertPage(
      'git@bitbucket.org:team/app.git',
      'https://bitbucket.org/team/app/pull-requests/new?source=x%26dest%3Dother%23&dest=main',
      'x&dest=other#',
    );
  });

  describe('of hosts that are not known', () => {
    assertPage('git@git.example.org:team/app.git', undefined);
    assertPage('https://github.com.example.org/team/app', undefined);
    assertPage('/srv/git/app.git', undefined);
    assertPage('javascript:alert(1)', undefined);
  });
});
