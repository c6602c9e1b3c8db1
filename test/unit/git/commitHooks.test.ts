import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createCommitHooks } from '../../../src/git/commitHooks.ts';

const run = promisify(execFile);
const hooks = createCommitHooks();

describe('The hook for commit messages', function () {
  this.timeout(20_000);
  let folder: string;
  let root: string;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'story-tracker-hook-')));
    root = join(folder, "a repo's place");
    await mkdir(root);
    await git('init', '--quiet', '--initial-branch=feature/12-sort');
    await git('config', 'user.name', 'Ada');
    await git('config', 'user.email', 'ada@example.org');
    await git('config', 'branch.feature/12-sort.storyTrackerStory', '12');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function git(...args: readonly string[]): Promise<string> {
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_EDITOR: 'true' };
    return (await run('git', args, { cwd: root, env })).stdout;
  }

  async function committed(message: string, ...args: readonly string[]): Promise<string> {
    await git('commit', '--quiet', '--allow-empty', '-m', message, ...args);
    return (await git('log', '-1', '--format=%B')).trimEnd();
  }

  const hookFile = () => join(root, '.git/hooks/prepare-commit-msg');
  const hookFiles = async () => (await readdir(join(root, '.git/hooks'))).filter((name) => !name.endsWith('.sample'));

  it('names the story of the branch at the end of the subject, once', async () => {
    await hooks.install(root, 'fixes');
    assert.equal(await committed('Sort'), 'Sort [fixes #12]');
    assert.equal(
      await committed('Sort\n\nBody', '--signoff'),
      'Sort [fixes #12]\n\nBody\n\nSigned-off-by: Ada <ada@example.org>',
    );
    assert.equal(await committed('Sort [#34]'), 'Sort [#34]');
    assert.equal(await committed('Sort\n\n[delivers #3 #4]'), 'Sort\n\n[delivers #3 #4]');
    assert.equal(await committed('Übung "$(id)" \\1 &'), 'Übung "$(id)" \\1 & [fixes #12]');
    await git('commit', '--quiet', '--amend', '--allow-empty', '--no-edit');
    assert.equal((await git('log', '-1', '--format=%B')).trimEnd(), 'Übung "$(id)" \\1 & [fixes #12]');
  });

  it('writes the verb that was asked for', async () => {
    await hooks.install(root, '');
    assert.equal(await committed('Sort'), 'Sort [#12]');
    await hooks.install(root, 'delivers');
    assert.equal(await committed('Sort'), 'Sort [delivers #12]');
    assert.deepEqual(await hookFiles(), ['prepare-commit-msg']);
  });

  it('keeps the ends of lines', async () => {
    await hooks.install(root, 'fixes');
    await writeFile(join(folder, 'message'), 'Sort\r\n\r\nBody\r\n');
    await git('commit', '--quiet', '--allow-empty', '--cleanup=verbatim', '-F', join(folder, 'message'));
    assert.equal(await git('log', '-1', '--format=%B'), 'Sort [fixes #12]\r\n\r\nBody\r\n\n');
  });

  it('leaves room for the subject where an editor is opened, whatever a diff below says', async () => {
    await hooks.install(root, 'fixes');
    await git('commit', '--quiet', '--allow-empty', '-m', 'First [#1]');
    await writeFile(join(root, 'file'), 'arr[i #3]\n');
    await git('add', 'file');
    await git('config', 'core.commentChar', ';');
    const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    const script = join(folder, 'editor');
    await writeFile(
      script,
      `#!/bin/sh\ncp "$1" '${join(folder, 'seen')}'\n{ printf Typed; cat '${join(folder, 'seen')}'; } >"$1"\n`,
      { mode: 0o755 },
    );
    await run('git', ['commit', '--quiet', '--verbose'], { cwd: root, env: { ...env, GIT_EDITOR: script } });
    assert.match(await readFile(join(folder, 'seen'), 'utf8'), /^ \[fixes #12\]\n; Please enter/m);
    assert.equal((await git('log', '-1', '--format=%B')).trimEnd(), 'Typed [fixes #12]');
  });

  it('says nothing without a story, on a detached HEAD, and in merges and squashes', async () => {
    await hooks.install(root, 'fixes');
    for (const value of ['0', 'twelve', '12; id', '']) {
      await git('config', 'branch.feature/12-sort.storyTrackerStory', value);
      assert.equal(await committed('Sort'), 'Sort');
    }
    await git('config', 'branch.feature/12-sort.storyTrackerStory', '12');
    await git('checkout', '--quiet', '-b', 'other');
    assert.equal(await committed('Other'), 'Other');
    await git('checkout', '--quiet', '--detach');
    assert.equal(await committed('Detached'), 'Detached');
    await git('checkout', '--quiet', 'feature/12-sort');
    await git('merge', '--quiet', '--no-ff', '--no-edit', 'other');
    assert.equal((await git('log', '-1', '--format=%s')).trim(), "Merge branch 'other' into feature/12-sort");
  });

  it('leaves commits alone that Git is to work into others, and those that are picked from elsewhere', async () => {
    await git('commit', '--quiet', '--allow-empty', '-m', 'First');
    await git('commit', '--quiet', '--allow-empty', '-m', 'Sort');
    await hooks.install(root, 'fixes');
    await writeFile(join(root, 'file'), 'more\n');
    await git('add', 'file');
    await git('commit', '--quiet', '--fixup=HEAD');
    await git('-c', 'sequence.editor=true', 'rebase', '--quiet', '-i', '--autosquash', '--keep-empty', '--root');
    assert.equal((await git('log', '--format=%s')).trim(), 'Sort\nFirst');
    await git('checkout', '--quiet', '-b', 'other');
    await git('commit', '--quiet', '--allow-empty', '-m', 'Theirs');
    await git('checkout', '--quiet', 'feature/12-sort');
    await git('cherry-pick', '--allow-empty', 'other');
    assert.equal((await git('log', '-1', '--format=%B')).trim(), 'Theirs');
    assert.equal(await committed('Sort'), 'Sort [fixes #12]');
  });

  it('knows what Git is told to begin comments with', async () => {
    await hooks.install(root, 'fixes');
    await git('config', 'core.commentChar', ';');
    await git('config', 'core.commentString', '//');
    const file = join(root, '.git/COMMIT_EDITMSG');
    await writeFile(
      file,
      '\n// Please enter the message [a #1]\n// ------------------------ >8 ------------------------\n#3 [b #2]\n',
    );
    await run('sh', [hookFile(), file], { cwd: root });
    assert.match(await readFile(file, 'utf8'), /^ \[fixes #12\]\n\/\/ Please/);
  });

  it('runs the hook that was there first, obeys it, and gives it its place back', async () => {
    const theirs = '#!/bin/sh\nprintf "\\nTheirs: $2\\n" >>"$1"\n[ ! -e refuse ]\n';
    await mkdir(join(root, '.git/hooks'), { recursive: true });
    await writeFile(hookFile(), theirs);
    await chmod(hookFile(), 0o755);
    assert.equal((await hooks.place(root)).owner, 'others');
    await hooks.install(root, 'fixes');
    assert.equal((await hooks.place(root)).owner, 'us');
    assert.equal(await committed('Sort'), 'Sort [fixes #12]\n\nTheirs: message');
    await writeFile(join(root, 'refuse'), '');
    await assert.rejects(committed('Refused'));
    await rm(join(root, 'refuse'));
    assert.equal(await hooks.remove(root), true);
    assert.equal(await readFile(hookFile(), 'utf8'), theirs);
    assert.deepEqual(await hookFiles(), ['prepare-commit-msg']);
    assert.equal(await hooks.remove(root), false);
    assert.equal(await committed('Sort'), 'Sort\n\nTheirs: message');
  });

  it('is taken away without a trace', async () => {
    await hooks.install(root, 'fixes');
    assert.equal(await hooks.remove(root), true);
    assert.deepEqual(await hookFiles(), []);
    assert.equal(await committed('Sort'), 'Sort');
  });

  it('goes where core.hooksPath says, and tells when that is not of the repository', async () => {
    assert.deepEqual(await hooks.place(root), { file: hookFile(), isOwn: true, owner: 'nobody' });
    await git('config', 'core.hooksPath', 'their hooks');
    const file = join(root, 'their hooks/prepare-commit-msg');
    assert.deepEqual(await hooks.place(root), { file, isOwn: false, owner: 'nobody' });
    await hooks.install(root, 'fixes');
    assert.equal(await committed('Sort'), 'Sort [fixes #12]');
    await git('config', 'core.hooksPath', join(folder, 'shared'));
    assert.equal((await hooks.place(root)).isOwn, false);
    await git('config', 'core.hooksPath', '.git/ours');
    assert.equal((await hooks.place(root)).isOwn, true);
  });

  it('works in a worktree', async () => {
    await committed('First');
    const tree = join(folder, 'tree');
    await git('worktree', 'add', '--quiet', '-b', 'side', tree);
    await git('config', 'branch.side.storyTrackerStory', '#7');
    assert.equal((await hooks.place(tree)).file, hookFile());
    await hooks.install(tree, 'fixes');
    await git('-C', tree, 'commit', '--quiet', '--allow-empty', '-m', 'Beside');
    assert.equal((await git('log', '-1', '--format=%s', 'side')).trim(), 'Beside [fixes #7]');
  });
});
