import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commitUrl, templatedUrl } from '../../../src/git/remoteHost.ts';

const HASH = '0123456789abcdef0123456789abcdef01234567';

function assertPage(remote: string, expected: string | undefined): void {
  it(`${JSON.stringify(remote)} → ${expected ?? 'no page'}`, () => {
    assert.equal(commitUrl(remote, HASH)?.replace(HASH, 'H'), expected);
  });
}

describe('page of a commit', () => {
  describe('of hosts everyone knows', () => {
    assertPage('https://github.com/team/app.git', 'https://github.com/team/app/commit/H');
    assertPage('https://github.com/team/app/', 'https://github.com/team/app/commit/H');
    assertPage('http://GitHub.com/team/app', 'https://github.com/team/app/commit/H');
    assertPage('git@github.com:team/app.git', 'https://github.com/team/app/commit/H');
    assertPage('github.com:team/app', 'https://github.com/team/app/commit/H');
    assertPage('ssh://git@github.com/team/app.git', 'https://github.com/team/app/commit/H');
    assertPage('ssh://git@ssh.github.com:443/team/app.git', 'https://github.com/team/app/commit/H');
    assertPage('git://github.com/team/app.git', 'https://github.com/team/app/commit/H');
    assertPage('git@gitlab.com:group/sub/app.git', 'https://gitlab.com/group/sub/app/-/commit/H');
    assertPage('git@bitbucket.org:team/app.git', 'https://bitbucket.org/team/app/commits/H');
    assertPage('https://codeberg.org/team/my.app.git', 'https://codeberg.org/team/my.app/commit/H');
  });

  describe('of Azure', () => {
    assertPage('https://dev.azure.com/org/app/_git/web', 'https://dev.azure.com/org/app/_git/web/commit/H');
    assertPage(
      'https://me:pat@dev.azure.com/org/My%20App/_git/web',
      'https://dev.azure.com/org/My%20App/_git/web/commit/H',
    );
    assertPage('https://dev.azure.com/org/_git/web', 'https://dev.azure.com/org/_git/web/commit/H');
    assertPage('git@ssh.dev.azure.com:v3/org/app/web', 'https://dev.azure.com/org/app/_git/web/commit/H');
    assertPage('ssh://git@ssh.dev.azure.com:22/v3/org/app/web', 'https://dev.azure.com/org/app/_git/web/commit/H');
    assertPage('org@vs-ssh.visualstudio.com:v3/org/app/web', 'https://dev.azure.com/org/app/_git/web/commit/H');
    assertPage('https://org.visualstudio.com/app/_git/web', 'https://org.visualstudio.com/app/_git/web/commit/H');
    assertPage(
      'https://tfs.example.org:8080/tfs/Team/app/_git/web',
      'https://tfs.example.org:8080/tfs/Team/app/_git/web/commit/H',
    );
    assertPage('https://dev.azure.com/org/app/web', undefined);
    assertPage('https://dev.azure.com.attacker.example/org/app/_git/web', undefined);
    assertPage('https://git.example.org/v3/org/app/web', undefined);
  });

  describe('of a Bitbucket of one’s own', () => {
    assertPage(
      'https://bitbucket.example.org/scm/APP/web.git',
      'https://bitbucket.example.org/projects/APP/repos/web/commits/H',
    );
    assertPage(
      'https://ada@bitbucket.example.org/x/scm/~ada/web.git',
      'https://bitbucket.example.org/x/users/ada/repos/web/commits/H',
    );
    assertPage('https://bitbucket.example.org/app/web.git', undefined);
  });

  describe('drops names, passwords, queries', () => {
    assertPage('https://me:secret@github.com/team/app.git', 'https://github.com/team/app/commit/H');
    assertPage(
      'https://token@gitlab.example.org/team/app?private_token=secret#x',
      'https://gitlab.example.org/team/app/-/commit/H',
    );
  });

  describe("of hosts of one's own, by https only", () => {
    assertPage('https://gitlab.example.org:8443/a/b.git', 'https://gitlab.example.org:8443/a/b/-/commit/H');
    assertPage('https://gitea.example.org/a/b', 'https://gitea.example.org/a/b/commit/H');
    assertPage('https://github.example.org/a/b', 'https://github.example.org/a/b/commit/H');
    assertPage('http://gitlab.example.org/a/b', undefined);
    assertPage('git@gitlab.example.org:a/b.git', undefined);
    assertPage('https://git.example.org/a/b.git', undefined);
    assertPage('https://example.org/gitlab/a/b', undefined);
    assertPage('https://notgithub.com/a/b', undefined);
    assertPage('https://github.com.attacker.example/a/b', undefined);
    assertPage('https://constructor/a/b', undefined);
  });

  describe('of nothing that is no such address', () => {
    for (const remote of [
      '',
      '/srv/app.git',
      '../app',
      'C:\\work\\app',
      'file:///srv/app.git',
      'ext::sh -c evil',
      'ext::https://github.com/a/b',
      '--upload-pack=evil',
      '-oProxyCommand=evil@github.com:a/b',
      'https://github.com/a/b\nhttps://github.com/c/d',
      'https://github.com/a/b c',
      'https://github.com/app',
      'https://github.com/a/..',
      'https://github.com/a/b"onclick="x',
      'javascript://github.com/a/b',
      'https://[::1]/a/b',
      'github.com:/a/b:c',
    ]) {
      assertPage(remote, undefined);
    }
  });

  it('wants a hash', () => {
    for (const hash of ['', 'HEAD', '../../evil', `${HASH}?x`, '-1']) {
      assert.equal(commitUrl('https://github.com/a/b', hash), undefined);
    }
  });

  it('is an https address or nothing, whatever the remote', () => {
    const hosts = fc.constantFrom('github.com', 'gitlab.com', 'gitlab.example.org', 'evil.example');
    const remote = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.constantFrom('https://', 'ssh://', 'git@', ''), hosts, fc.constantFrom('/', ':'), fc.string())
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(remote, (text) => {
        const page = commitUrl(text, HASH);
        if (page === undefined) return;
        const { protocol, username, password, search, hash, href } = new URL(page);
        assert.deepEqual([protocol, username, password, search, hash, href], ['https:', '', '', '', '', page]);
      }),
      { numRuns: 2000 },
    );
  });
});

describe('page of a commit by a template', () => {
  const remote = 'git@git.example.org:team/app.git';
  assertFilled('https://code.example.org/<path>/c/<commit>', remote, `https://code.example.org/team/app/c/${HASH}`);
  assertFilled('https://<host>/<path>?h=<commit>', remote, `https://git.example.org/team/app?h=${HASH}`);
  assertFilled('http://build.local:8080/<commit>', undefined, `http://build.local:8080/${HASH}`);
  assertFilled('https://<host>/<commit>', undefined, undefined);
  assertFilled('https://ada:secret@<host>/<commit>', remote, undefined);
  assertFilled('javascript:alert(<commit>)', remote, undefined);
  assertFilled('<commit>', remote, undefined);

  /** `<x>` is written for the placeholder of that name. */
  function assertFilled(written: string, from: string | undefined, expected: string | undefined): void {
    const template = written.replaceAll(/<(\w+)>/g, '$${$1}');
    it(`${template} of ${from}`, () => assert.equal(templatedUrl(template, from, HASH), expected));
  }
});
