import assert from 'node:assert/strict';
import { isSameFolder, rootOfCommitBox } from '../../../../src/host/git/scmInput.ts';

const box = (query: string, scheme = 'vscode-scm') => ({ scheme, authority: '', path: 'git/scm0/input', query });

describe('the document of a commit box', () => {
  it('names its repository in the query', () => {
    assert.equal(rootOfCommitBox(box('rootUri=file%3A%2F%2F%2Fwork%2Fmy%2520app')), 'file:///work/my%20app');
    assert.equal(rootOfCommitBox(box('rootUri=file%3A%2F%2F%2Fwork%2Fc%2B%2B')), 'file:///work/c++');
    assert.equal(rootOfCommitBox(box('rootUri=file:///work/c++')), 'file:///work/c++');
  });

  it('is no other document', () => {
    assert.equal(rootOfCommitBox(box('rootUri=file%3A%2F%2F%2Fwork', 'file')), undefined);
    assert.equal(rootOfCommitBox(box('')), undefined);
  });
});

describe('one folder under two addresses', () => {
  const assertSame = (one: string, other: string, expected: boolean) =>
    assert.equal(isSameFolder({ path: one }, { path: other }), expected, `${one} ${other}`);

  it('is told by the path', () => {
    assertSame('/work/app', '/work/app/', true);
    assertSame('/C:/work', '/c:/work', true);
    assertSame('/work/app', '/work/App', false);
    assertSame('/work/app', '/work/app2', false);
    assertSame('/work/app', '/work', false);
  });
});
