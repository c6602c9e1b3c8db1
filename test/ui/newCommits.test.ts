import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { type GitRepositoryFolder, gitIn } from '../support/git/gitRepository.ts';
import { openVsCode, type VsCode } from '../support/windows/vscodeHost.ts';
import { runCommand } from './commandPalette.ts';
import { CommitWorkspace, type LinkedStory } from './commitWorkspace.ts';
import { StoriesPane } from './storiesPane.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const screenshots = join(root, 'out', 'screenshots');

describe('Commits made in a terminal, in a real window with two folders', function () {
  this.timeout(180_000);
  let workspace: CommitWorkspace;
  let code: VsCode;
  let one: GitRepositoryFolder;
  let two: GitRepositoryFolder;
  let tree: GitRepositoryFolder;
  let linked: LinkedStory;
  let hooked: LinkedStory;
  let unlinked: LinkedStory;
  let asked: LinkedStory;
  let past: GitRepositoryFolder;
  let history: readonly string[];
  let steps = 0;

  const screenshot = (title: string) => code.page.screenshot({ path: join(screenshots, `newCommits-${title}.png`) });
  const says = (text: string | RegExp) => code.page.locator('.statusbar', { hasText: text }).waitFor();
  const toasts = (page: Page) => page.locator('.notification-toast', { hasText: /new commits|Link commit/ });
  const empty = ['commit', '--quiet', '--allow-empty'] as const;
  const hashOf = async (repository: GitRepositoryFolder, revision = 'HEAD') =>
    (await repository.git('rev-parse', revision)).trim();

  /** Commits until the window is seen to follow: what is committed before its first look is history. */
  async function followed(repository: GitRepositoryFolder): Promise<void> {
    for (let tries = 1; ; tries++) {
      const hash = await repository.commit(`Look ${tries} [#${linked.storyId}]`, 'look.txt');
      const isSeen = await Promise.race([
        workspace.linked(linked, hash).then(() => true),
        new Promise<boolean>((resolve) => setTimeout(resolve, 4000, false)),
      ]).catch(() => false);
      if (isSeen) return;
      if (tries === 10) throw new Error('The window takes no notice of commits.');
    }
  }

  /** When this one is on its story, everything that was committed before has been decided about. */
  async function decided(repository: GitRepositoryFolder): Promise<void> {
    const text = `And on, ${++steps} [#${linked.storyId}]`;
    await workspace.linked(linked, await repository.commit(text, 'on.txt'));
  }

  /** A program that is Git and notes with what it was called. */
  async function gitOfTheirOwn(): Promise<string> {
    const program = workspace.beside('my git');
    await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$*" >> "$0.calls"\nexec git "$@"\n`, { mode: 0o755 });
    return program;
  }

  before(async () => {
    await mkdir(screenshots, { recursive: true });
    workspace = await CommitWorkspace.create(join(root, 'dist/service.js'));
    const stories = [];
    for (const name of ['Linked', 'Hooked', 'Unlinked', 'Asked']) stories.push(await workspace.story(name));
    const [api, serverHook, off, ask] = stories;
    assert.ok(api && serverHook && off && ask);
    [linked, hooked, unlinked, asked] = [api, serverHook, off, ask];
    [one, two] = [await workspace.repository('one'), await workspace.repository('../two')];
    past = await gitIn(workspace.beside('past'));
    await past.git('init', '--quiet', '--initial-branch=past');
    const ago = `Long ago [#${linked.storyId}]`;
    history = [await one.commit(ago), await past.commit(`${ago}, elsewhere`)];
    await two.commit('Begin', 'README.md');
    await one.git('worktree', 'add', '--quiet', '-b', 'side', join(workspace.root, 'tree'));
    tree = await gitIn(join(workspace.root, 'tree'));
    const roots = workspace.beside('roots.code-workspace');
    await writeFile(roots, JSON.stringify({ folders: [{ path: workspace.root }, { path: two.root }] }));
    code = await openVsCode({
      folder: roots,
      extensionPath: root,
      installed: true,
      userSettings: {
        'storyTracker.commit.linkByProject': {
          [api.wishName]: 'api',
          [serverHook.wishName]: 'serverHook',
          [off.wishName]: 'off',
        },
        'storyTracker.commit.emails': ['agent@example.org'],
        'git.path': await gitOfTheirOwn(),
      },
    });
    const pane = new StoriesPane(code.page);
    await pane.show();
    await pane.signIn(workspace.url.replace('http://', ''), workspace.token);
    await pane
      .row(/Linked/)
      .first()
      .waitFor();
    for (const repository of [one, two]) await followed(repository);
  });
  after(async () => {
    await code.close();
    await workspace.remove();
  });

  it('are on their story with what the marker asks for, and the person is told', async () => {
    const story = await workspace.story('Tell the tide');
    const [hash] = await Promise.all([
      one.commit(`Tell the tide [#${linked.storyId}]\n\n[#${story.storyId}]`),
      says(`Linked 1 commit to #${linked.storyId}`),
    ]);
    await screenshot('linked');
    await workspace.linked(linked, hash);
    const finishing = await one.commit(`Tell it well [fixes #${linked.storyId}]`);
    await workspace.linked(linked, finishing);
    assert.equal(await workspace.state(linked), 'finished');
    assert.deepEqual(await workspace.counts(linked, [hash, finishing]), [1, 1]);
  });

  it('are found with the Git that the window is set to', async () => {
    const calls = (await readFile(`${workspace.beside('my git')}.calls`, 'utf8')).split('\n');
    // VS Code switches nothing off.
    assert.ok(calls.some((call) => /core\.hooksPath=\/dev\/null.* rev-list /.test(call)));
  });

  it('are linked from the terminal of the window too', async () => {
    await runCommand(code.page, 'Terminal: Create New Terminal (In Active Workspace)');
    const terminal = code.page.locator('.integrated-terminal .terminal-wrapper.active .xterm');
    await terminal.waitFor();
    await terminal.click();
    const subject = `From the window [#${linked.storyId}]`;
    await code.page.keyboard.type(`git -C '${one.root}' commit --allow-empty --message '${subject}'\n`);
    await eventually(async () => {
      assert.equal((await one.git('log', '-1', '--format=%s')).trim(), subject);
    }, 30_000);
    await workspace.linked(linked, await hashOf(one));
    await screenshot('terminal');
    await runCommand(code.page, 'Terminal: Kill the Active Terminal Instance');
  });

  it('are linked anew when they are amended, which is said', async () => {
    const before = await one.commit(`Sort [#${linked.storyId}]`);
    await workspace.linked(linked, before);
    await Promise.all([
      one.git('commit', '--quiet', '--amend', '-m', `Sort by rank [#${linked.storyId}]`),
      says(`This is a new version of ${before.slice(0, 7)}. The earlier comment stays.`),
    ]);
    await screenshot('amended');
    const after = await hashOf(one);
    await workspace.linked(linked, after);
    assert.deepEqual(await workspace.counts(linked, [before, after]), [1, 1]);
  });

  it('are each linked anew after a rebase, which is said once for all', async () => {
    await one.git('branch', 'upstream');
    const before = [];
    for (const name of ['a', 'b', 'c']) before.push(await one.commit(`${name} [#${linked.storyId}]`, `${name}.txt`));
    for (const hash of before) await workspace.linked(linked, hash);
    await one.git('checkout', '--quiet', 'upstream');
    await one.commit('Theirs', 'theirs.txt');
    await one.git('checkout', '--quiet', 'main');
    await Promise.all([
      one.git('rebase', '--quiet', 'upstream'),
      says(
        `Linked 3 commits to #${linked.storyId}, finished. These are new versions of 3 commits. The earlier comments stay.`,
      ),
    ]);
    await screenshot('rebased');
    const after = [await hashOf(one, 'HEAD~2'), await hashOf(one, 'HEAD~1'), await hashOf(one)];
    for (const hash of after) await workspace.linked(linked, hash);
    assert.deepEqual(await workspace.counts(linked, [...before, ...after]), [1, 1, 1, 1, 1, 1]);
  });

  it('are left alone where the server links them or nobody wants it', async () => {
    const hook = await one.commit(`By the hook [fixes #${hooked.storyId}]`);
    const off = await one.commit(`By nobody [fixes #${unlinked.storyId}]`);
    const both = await one.commit(`By both [#${hooked.storyId} #${linked.storyId}]`);
    await workspace.linked(linked, both);
    assert.deepEqual(await workspace.counts(hooked, [hook, both]), [0, 0]);
    assert.deepEqual(await workspace.counts(unlinked, [off]), [0]);
    assert.deepEqual(await workspace.counts(linked, [both]), [1]);
    assert.equal(await toasts(code.page).count(), 0);
  });

  it('are linked from every repository and worktree of the window', async () => {
    const inTwo = await two.commit(`In the second [#${linked.storyId}]`);
    await workspace.linked(linked, inTwo);
    const inTree = await tree.commit(`In the worktree [#${linked.storyId}]`, 'tree.txt');
    await workspace.linked(linked, inTree);
    await decided(one);
    assert.deepEqual(await workspace.counts(linked, [inTwo, inTree]), [1, 1]);
  });

  it("are those of this person among what is pulled, an agent's too", async () => {
    const elsewhere = await gitIn(workspace.beside('elsewhere'));
    await elsewhere.git('clone', '--quiet', two.root, '.');
    const author = (email: string, text: string) =>
      elsewhere.git(...empty, '--author', `Somebody <${email}>`, '-m', `${text} [#${linked.storyId}]`);
    const hashes = [];
    for (const [email, text] of [
      ['grace@example.org', 'Of a colleague'],
      ['ADA@example.org', 'Of mine, elsewhere'],
      ['agent@example.org', 'Of my agent'],
    ] as const) {
      await author(email, text);
      hashes.push(await hashOf(elsewhere));
    }
    await two.git('pull', '--quiet', '--ff-only', elsewhere.root, 'main');
    await workspace.linked(linked, hashes[2] ?? '');
    await decided(two);
    assert.deepEqual(await workspace.counts(linked, hashes), [0, 1, 1]);
  });

  it('are no history: neither what was there at the first look nor what is fetched later', async () => {
    await two.git('fetch', '--quiet', past.root, 'past:past');
    await two.git('checkout', '--quiet', 'past');
    await decided(two);
    await two.git('checkout', '--quiet', 'main');
    assert.deepEqual(await workspace.counts(linked, history), [0, 0]);
  });

  it('wait for a server that is away, also when the window is killed, and are linked once', async () => {
    await workspace.goAway();
    const [seen] = await Promise.all([one.commit(`Seen [#${linked.storyId}]`), says('Saved 1 commit.')]);
    await screenshot('waiting');
    await kill();
    const unseen = await two.commit(`Unseen [#${linked.storyId}]`);
    code = await code.restart();
    await code.page.locator('.monaco-workbench').waitFor();
    const late = await one.commit(`Late [#${linked.storyId}]`);
    await workspace.comeBack();
    for (const hash of [seen, unseen, late]) await workspace.linked(linked, hash);
    for (const repository of [one, two]) await decided(repository);
    assert.deepEqual(await workspace.counts(linked, [seen, unseen, late]), [1, 1, 1]);
  });

  it('are no longer asked about once an amend took their place, and only what came of them is linked', async () => {
    const before = await one.commit(`Ask [#${asked.storyId}]`);
    await toasts(code.page)
      .filter({ hasText: `Link commit ${before.slice(0, 7)}` })
      .waitFor();
    await one.git('commit', '--quiet', '--amend', '-m', `Ask again [#${asked.storyId}]`);
    const after = await hashOf(one);
    const question = toasts(code.page).filter({ hasText: `${after.slice(0, 7)} “Ask again` });
    await question.waitFor();
    await screenshot('asked-again');
    assert.match((await question.textContent()) ?? '', new RegExp(`a new version of ${before.slice(0, 7)}, to #`));
    await question.getByRole('button', { name: 'Link', exact: true }).click();
    await workspace.linked(asked, after);
    await runCommand(code.page, 'Notifications: Clear All Notifications');
    await decided(one);
    assert.deepEqual(await workspace.counts(asked, [before, after]), [0, 1]);
    assert.equal(await toasts(code.page).count(), 0);
  });

  it('stay in the status bar when the question is closed, also after the window was loaded again', async () => {
    const hash = await one.commit(`Do not forget [fixes #${asked.storyId}]`);
    const question = toasts(code.page).filter({ hasText: 'Do not forget' });
    await question.getByRole('button', { name: `Link and Finish #${asked.storyId}` }).waitFor();
    await screenshot('finishing');
    await runCommand(code.page, 'Notifications: Clear All Notifications');
    const mark = () => code.page.locator('.statusbar-item', { hasText: '1 Commit to Link' });
    await mark().waitFor();
    await code.page.reload();
    await code.page.locator('.monaco-workbench .part.statusbar').waitFor();
    await mark().waitFor({ timeout: 60_000 });
    await question.waitFor();
    await runCommand(code.page, 'Notifications: Clear All Notifications');
    await screenshot('marked');
    await mark().click();
    const item = code.page.locator('.quick-input-list .monaco-list-row', { hasText: 'Link and Finish #' });
    await item.waitFor();
    await screenshot('marked-pick');
    assert.deepEqual(await workspace.counts(asked, [hash]), [0]);
    await item.click();
    await workspace.linked(asked, hash);
    assert.equal(await workspace.state(asked), 'finished');
    await mark().waitFor({ state: 'detached' });
  });

  it('are asked about in one of two windows only, linked once, and the answer is kept', async () => {
    const other = await code.page.context().newPage();
    await other.goto(code.page.url());
    const otherPane = new StoriesPane(other);
    await otherPane.show();
    await otherPane
      .row(/Linked/)
      .first()
      .waitFor();
    const pages = [code.page, other];
    const shown = async () => (await Promise.all(pages.map((page) => toasts(page).count()))).reduce((a, b) => a + b);
    const first = await one.commit(`Ask me [#${asked.storyId}]`);
    await Promise.race(pages.map((page) => toasts(page).waitFor({ timeout: 60_000 })));
    const page = (await toasts(other).count()) > 0 ? other : code.page;
    // It goes by itself after some seconds unless the mouse is on it.
    await toasts(page).hover();
    await decided(two);
    assert.equal(await shown(), 1);
    await page.screenshot({ path: join(screenshots, 'newCommits-asked.png') });
    assert.deepEqual(await workspace.counts(asked, [first]), [0]);
    await toasts(page).getByRole('button', { name: 'Always' }).click();
    await workspace.linked(asked, first);
    const next = await one.commit(`Do not ask me [#${asked.storyId}]`);
    await workspace.linked(asked, next);
    await decided(one);
    assert.deepEqual([await workspace.counts(asked, [first, next]), await shown()], [[1, 1], 0]);
    await other.close();
  });

  /** Ends VS Code's server, every extension host and the window, none of which can finish anything. */
  async function kill(): Promise<void> {
    const { process: server } = code.server;
    const ended = once(server, 'exit');
    process.kill(-(server.pid ?? Number.NaN), 'SIGKILL');
    await ended;
  }
});
