import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';
import { type GitRepositoryFolder, gitRepository } from '../support/git/gitRepository.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { elementText, type RunningService, runningService } from '../support/servers/runningService.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

interface GitApi {
  readonly repositories: readonly { readonly rootUri: vscode.Uri }[];
  openRepository(root: vscode.Uri): Promise<unknown>;
}

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);

interface Shown {
  readonly item: vscode.StatusBarItem;
  isVisible: boolean;
}

/** What stands in the status bar; the extension makes its item when commits are first asked about. */
const statusItems: Shown[] = [];
const { createStatusBarItem } = vscode.window;
Object.assign(vscode.window, {
  createStatusBarItem: (id: string, alignment?: vscode.StatusBarAlignment, priority?: number) => {
    const item = createStatusBarItem(id, alignment, priority);
    const shown = { item, isVisible: false };
    const { show, hide } = item;
    Object.assign(item, {
      show: () => {
        shown.isVisible = true;
        show.call(item);
      },
      hide: () => {
        shown.isVisible = false;
        hide.call(item);
      },
    });
    statusItems.push(shown);
    return item;
  },
});

describe('Commits made anywhere', () => {
  let service: RunningService;
  let messages: RecordedMessages;
  let repository: GitRepositoryFolder;
  let script: string;
  let projectId: number;
  let storyId: number;

  const settings = () => vscode.workspace.getConfiguration('storyTracker');
  const set = (name: string, value: unknown) => settings().update(name, value, vscode.ConfigurationTarget.Global);
  const story = (id = storyId) => service.ask('GET', `/projects/${projectId}/stories/${id}`);
  const commentsOf = async (id = storyId) => (await story(id)).split('<note>').length - 1;
  const linked = (hash: string) =>
    eventually(async () => assert.ok((await story()).includes(hash), `${hash} is on the story`), 20_000);

  before(async () => {
    const extension = vscode.extensions.getExtension('story-tracker.story-tracker');
    script = join(extension?.extensionPath ?? '', 'dist/service.js');
    service = await runningService(script);
    await run('signIn', { baseUrl: service.url, token: service.token });
    projectId = Number(elementText(await service.ask('GET', '/projects'), 'id'));
    const gitExtension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
    assert.ok(gitExtension);
    const git = (await gitExtension.activate()).getAPI(1);
    repository = await gitRepository();
    await repository.git('config', 'user.email', 'ada@example.org');
    await repository.commit('History [#1]');
    await git.openRepository(vscode.Uri.file(repository.root));
    await eventually(() => assert.ok(git.repositories.some(({ rootUri }) => rootUri.path === repository.root)));
    // The first look remembers where the repository stands.
    await sleep(3000);
  });

  after(async () => {
    await set('commit.link', undefined);
    await set('commit.linkByProject', undefined);
    await run('signOut', { baseUrl: service.url });
    await service.stop();
    await repository.remove();
  });

  beforeEach(async () => {
    messages = new RecordedMessages();
    await set('commit.linkByProject', undefined);
    const fields = '<current_state>unstarted</current_state><estimate>2</estimate><story_type>feature</story_type>';
    const answer = await service.ask(
      'POST',
      `/projects/${projectId}/stories`,
      `<story><name>Sort by rank</name>${fields}</story>`,
    );
    storyId = Number(elementText(answer, 'id'));
  });
  afterEach(async () => {
    messages.restore();
    await run('linkNewCommits', { link: false });
  });

  it('are linked once where that is wished, amended ones anew', async () => {
    await set('commit.link', 'api');
    const hash = await repository.commit(`Sort by rank [fixes #${storyId}]`);
    await linked(hash);
    assert.equal(elementText(await story(), 'current_state'), 'finished');
    await repository.git('commit', '--quiet', '--amend', '-m', `Sort by rank, faster [fixes #${storyId}]`);
    await linked((await repository.git('rev-parse', 'HEAD')).trim());
    assert.equal(await commentsOf(), 2);
    assert.deepEqual(messages.shown, []);
  });

  it('are linked to a story that had the ID of the marker before its project was moved', async () => {
    await set('commit.link', 'api');
    const folder = await mkdtemp(join(tmpdir(), 'story-tracker-former-'));
    try {
      const file = join(folder, 'moved.csv');
      const formerId = 1_000_000_123; // Above what is kept.
      await writeFile(file, `Id,Title,Type,Estimate,Current State\n${formerId},Moved,feature,1,started\n`);
      await run('importStories', { file, projectName: 'Moved' });
      const [id, movedTo] = ['id', 'project_id'].map(
        (name) => async () => Number(elementText(await service.ask('GET', '/imports'), name)),
      );
      const path = `/projects/${await movedTo?.()}/stories/${await id?.()}`;
      const hash = await repository.commit(`Sort by rank [fixes #${formerId}]`);
      await eventually(async () => assert.ok((await service.ask('GET', path)).includes(hash)), 20_000);
      const moved = await service.ask('GET', path);
      assert.equal(elementText(moved, 'current_state'), 'finished');
      assert.match(moved, new RegExp(`\\[fixes #${await id?.()}\\]`));
      assert.equal(moved.split('<note>').length - 1, 1);
      assert.deepEqual(messages.shown, []);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('are asked about, and linked when someone says so', async () => {
    await set('commit.link', 'ask');
    messages.press('Link');
    const hash = await repository.commit(`Sort again [#${storyId}]`);
    await linked(hash);
    assert.deepEqual(messages.shown, [
      {
        kind: 'info',
        text: `Link commit ${hash.slice(0, 7)} “Sort again [#${storyId}]” to #${storyId} Sort by rank?`,
        buttons: ['Link', 'Always Link', 'Never for This Project'],
      },
    ]);
  });

  it('are said to finish or deliver what they do', async () => {
    await set('commit.link', 'ask');
    messages.press(`Link and Finish #${storyId}`);
    await linked(await repository.commit(`Sort it [fixes #${storyId}]`));
    assert.equal(elementText(await story(), 'current_state'), 'finished');
    messages.press('Link');
    await linked(await repository.commit(`Sort it better [fixes #${storyId}]`));
    messages.press(`Link and Deliver #${storyId}`);
    await linked(await repository.commit(`Sort it well [delivers #${storyId}]`));
    assert.deepEqual(
      messages.shown.map(({ buttons }) => buttons.slice(0, 2)),
      [
        [`Link and Finish #${storyId}`, 'Always Link and Finish'],
        ['Link', 'Always Link'],
        [`Link and Deliver #${storyId}`, 'Always Link and Deliver'],
      ],
    );
  });

  const mark = () => {
    const found = statusItems.find(({ item }) => item.id?.endsWith('storyTracker.newCommits'));
    return found?.isVisible ? found.item : undefined;
  };
  const isMarked = (text: string | undefined) => eventually(() => assert.equal(mark()?.text, text), 20_000);

  it('stay in the status bar until someone answers, though the question was closed', async () => {
    await set('commit.link', 'ask');
    const close = messages.leaveOpen();
    const first = await repository.commit(`First to mark [fixes #${storyId}]`);
    await isMarked('$(git-commit) 1 Commit to Link');
    close();
    const { showQuickPick } = vscode.window;
    const labels: string[] = [];
    const placeHolders: (string | undefined)[] = [];
    const answering = (pick: number | undefined) =>
      Object.assign(vscode.window, {
        showQuickPick: async (items: readonly vscode.QuickPickItem[], options: vscode.QuickPickOptions) => {
          labels.splice(0, labels.length, ...items.map(({ label }) => label));
          placeHolders.push(options.placeHolder);
          return pick === undefined ? undefined : items[pick];
        },
      });
    answering(undefined);
    await run('linkNewCommits').then(undefined, (thrown: unknown) => {
      Object.assign(vscode.window, { showQuickPick });
      throw thrown;
    });
    assert.deepEqual(placeHolders, [`Link commit ${first.slice(0, 7)} to #${storyId}?`]);
    const second = await repository.commit(`Second to mark [#${storyId}]`);
    await isMarked('$(git-commit) 2 Commits to Link');
    assert.equal(mark()?.command, 'storyTracker.linkNewCommits');
    try {
      answering(undefined);
      await run('linkNewCommits');
      assert.equal(mark()?.text, '$(git-commit) 2 Commits to Link');
      answering(0);
      await run('linkNewCommits');
    } finally {
      Object.assign(vscode.window, { showQuickPick });
    }
    assert.deepEqual(labels, [
      `$(link) Link and Finish #${storyId}`,
      '$(check-all) Always Link and Finish',
      '$(circle-slash) Never for This Project',
      '$(close) Do Not Link These Commits',
    ]);
    for (const hash of [first, second]) await linked(hash);
    await isMarked(undefined);
  });

  it('are no longer asked about once someone wants them not to be linked, or links them otherwise', async () => {
    await set('commit.link', 'ask');
    await repository.commit(`Unwanted [#${storyId}]`);
    await isMarked('$(git-commit) 1 Commit to Link');
    await run('linkNewCommits', { link: false });
    await isMarked(undefined);
    assert.equal(await commentsOf(), 0);
    const hash = await repository.commit(`Linked by hand [#${storyId}]`);
    await isMarked('$(git-commit) 1 Commit to Link');
    await run('linkCommits', { commits: [hash], repository: repository.root });
    await isMarked(undefined);
    assert.equal(await commentsOf(), 1);
    await assert.rejects(async () => run('linkNewCommits', { link: 'yes' }), /link: boolean/);
  });

  it('are not linked when someone never wants that for the project, nor asked about again', async () => {
    await set('commit.link', 'ask');
    messages.press('Never for This Project');
    await repository.commit(`Never [#${storyId}]`);
    await eventually(() => assert.equal(messages.shown.length, 1), 20_000);
    const key = `${new URL(service.url).host}/${projectId}`;
    await eventually(() => assert.deepEqual(settings().get('commit.linkByProject'), { [key]: 'off' }));
    await repository.commit(`Never again [#${storyId}]`);
    await set('commit.linkByProject', { [key]: 'api' });
    const hash = await repository.commit(`Now [#${storyId}]`);
    await linked(hash);
    assert.equal(messages.shown.length, 1);
  });

  it('are linked by the answer to a question only as far as they were in it', async () => {
    await set('commit.link', 'ask');
    const [answerFirst, answerSecond] = [messages.leaveOpen(), messages.leaveOpen()];
    const first = await repository.commit(`First [#${storyId}]`);
    await eventually(() => assert.equal(messages.shown.length, 1), 20_000);
    const second = await repository.commit(`Second [#${storyId}]`);
    await eventually(() => assert.equal(messages.shown.length, 2), 20_000);
    answerFirst('Link');
    await linked(first);
    await sleep(1000);
    assert.equal(await commentsOf(), 1);
    answerSecond('Link');
    await linked(second);
    assert.equal(await commentsOf(), 2);
  });

  /** A story of another project than that of `storyId`. */
  async function elsewhere(
    name: string,
  ): Promise<{ readonly id: number; readonly project: string; comments(): Promise<string> }> {
    const ids = await service.ask('POST', '/projects', `<project><name>${name}</name></project>`);
    const project = Number(elementText(ids, 'id'));
    const answer = await service.ask('POST', `/projects/${project}/stories`, `<story><name>${name}</name></story>`);
    const id = Number(elementText(answer, 'id'));
    await run('refresh');
    const comments = () => service.ask('GET', `/projects/${project}/stories/${id}/notes`);
    return { id, project: `${new URL(service.url).host}/${project}`, comments };
  }

  it('are linked where that is wished when another project that they name wants none', async () => {
    const other = await elsewhere('Unwilling');
    const own = `${new URL(service.url).host}/${projectId}`;
    await set('commit.link', 'ask');
    await set('commit.linkByProject', { [own]: 'api' });
    messages.press('Never for This Project');
    await linked(await repository.commit(`Both [#${storyId} #${other.id}]`));
    assert.deepEqual(settings().get('commit.linkByProject'), { [own]: 'api', [other.project]: 'off' });
    assert.doesNotMatch(await other.comments(), /Both/);
  });

  it('are told to be new versions of commits with a comment only where there is one', async () => {
    await set('commit.link', 'ask');
    const said: string[] = [];
    const { setStatusBarMessage } = vscode.window;
    Object.assign(vscode.window, { setStatusBarMessage: (text: string) => void said.push(text) });
    try {
      messages.leaveOpen();
      await repository.commit(`Draft [#${storyId}]`);
      await eventually(() => assert.equal(messages.shown.length, 1), 20_000);
      messages.press('Link');
      await repository.git('commit', '--quiet', '--amend', '-m', `Final [#${storyId}]`);
      await eventually(() => assert.equal(said.length, 1), 20_000);
      assert.match(messages.texts[1] ?? '', /a new version of/);
      assert.deepEqual(said, [`Linked 1 commit to #${storyId}, started.`]);
    } finally {
      Object.assign(vscode.window, { setStatusBarMessage });
    }
  });

  it('are asked about again when someone turned away from saying which server is meant', async () => {
    const other = await runningService(script);
    const { showQuickPick } = vscode.window;
    try {
      await run('signIn', { baseUrl: other.url, token: other.token });
      const id = elementText(await service.ask('GET', `/projects/${projectId}/stories?limit=1`), 'id');
      await set('commit.link', 'ask');
      Object.assign(vscode.window, { showQuickPick: async () => undefined });
      messages.press('Link');
      const hash = await repository.commit(`Which [#${id}]`);
      await eventually(() => assert.equal(messages.shown.length, 1), 20_000);
      await repository.commit('Go on');
      await eventually(() => assert.equal(messages.shown.length, 2), 20_000);
      for (const text of messages.texts) assert.ok(text.startsWith(`Link commit ${hash.slice(0, 7)}`), text);
    } finally {
      Object.assign(vscode.window, { showQuickPick });
      await run('signOut', { baseUrl: other.url });
      await other.stop();
    }
  });

  it('are left to the server where its own hook links them', async () => {
    const other = await elsewhere('Hooked');
    await set('commit.link', 'api');
    await set('commit.linkByProject', { [other.project]: 'serverHook' });
    await repository.commit(`By the hook [#${other.id}]`);
    await linked(await repository.commit(`By both [#${storyId} #${other.id}]`));
    assert.deepEqual([await commentsOf(), messages.shown], [1, []]);
    assert.doesNotMatch(await other.comments(), /By/);
  });

  it('of a rewritten history are asked about once with their number, also where none is asked about', async () => {
    await set('commit.link', 'api');
    messages.press('Link');
    const hashes: string[] = [];
    for (let at = 1; at <= 31; at++) {
      const parent = hashes.at(-1) ?? 'HEAD';
      const written = ['commit-tree', 'HEAD^{tree}', '-p', parent, '-m', `Rewritten ${at} [#${storyId}]`];
      hashes.push((await repository.git(...written)).trim());
    }
    await repository.git('reset', '--quiet', '--hard', hashes.at(-1) ?? '');
    for (const hash of hashes) await linked(hash);
    assert.equal(await commentsOf(), 31);
    assert.deepEqual(messages.texts, [`Link 31 new commits to the stories they mention (#${storyId})?`]);
  });

  it('finish nothing when they take one back, and are not linked while they wait to be worked into another', async () => {
    await set('commit.link', 'api');
    await linked(await repository.commit(`Sort by rank [fixes #${storyId}]`));
    const restarted = '<story><current_state>started</current_state></story>';
    await service.ask('PUT', `/projects/${projectId}/stories/${storyId}`, restarted);
    await repository.git('commit', '--quiet', '--allow-empty', '--fixup=HEAD');
    const fixup = (await repository.git('rev-parse', 'HEAD')).trim();
    await repository.git('revert', '--no-edit', 'HEAD~1');
    await linked((await repository.git('rev-parse', 'HEAD')).trim());
    const now = await story();
    assert.deepEqual([elementText(now, 'current_state'), now.includes(fixup)], ['started', false]);
    assert.match(now, /Revert &quot;Sort by rank \[#\d+\]&quot;|Revert "Sort by rank \[#\d+\]"/);
  });

  it('are asked about again when a server did not tell of their story after someone said so', async () => {
    const server = await FixtureServer.start();
    const { setStatusBarMessage } = vscode.window;
    try {
      await set('commit.link', 'ask');
      await run('signIn', { baseUrl: server.url, token: server.token });
      await run('refresh');
      const stories = `${server.url}/services/v3/projects/7/stories`;
      const headers = { 'X-ServiceToken': server.token, 'Content-Type': 'application/xml' };
      const made = await fetch(stories, { method: 'POST', headers, body: '<story><name>New</name></story>' });
      const id = elementText(await made.text(), 'id');
      // Nothing but single stories can be read from now on.
      const away = { status: 503, body: '' };
      server.reply(/\/(?!source_commits)[a-z_]+$/, away, 1000);
      const press = messages.leaveOpen();
      const hash = await repository.commit(`Unknown here [#${id}]`);
      await eventually(() => assert.equal(messages.shown.length, 1), 20_000);
      const said: string[] = [];
      Object.assign(vscode.window, { setStatusBarMessage: (text: string) => void said.push(text) });
      server.reply(/\/stories\/\d+$/, away, 1000);
      press('Link');
      await eventually(() => assert.match(said.join(), /Linked 0 of 1 commits/), 20_000);
      server.noMoreTrouble();
      messages.press('Link');
      await repository.commit('Go on');
      await eventually(() => assert.equal(messages.shown.length, 2), 20_000);
      const posted = () => server.requests.some(({ body }) => body.toString().includes(hash));
      await eventually(() => assert.ok(posted()), 20_000);
    } finally {
      Object.assign(vscode.window, { setStatusBarMessage });
      await run('signOut', { baseUrl: server.url });
      await server.stop();
    }
  });

  it('wait for a server that takes none now, and are posted once then', async () => {
    const server = await FixtureServer.start();
    try {
      await set('commit.link', 'api');
      await run('signIn', { baseUrl: server.url, token: server.token });
      server.reply(/\/source_commits$/, { status: 503, body: '' }, 1000);
      const hash = await repository.commit('Later [#104]');
      const posts = () => server.requests.filter(({ body }) => body.toString().includes(hash)).length;
      await eventually(() => assert.ok(posts() > 0), 20_000);
      server.noMoreTrouble();
      const refused = posts();
      await run('retryOutbox', {});
      await eventually(() => assert.equal(posts(), refused + 1), 20_000);
      await run('retryOutbox', {});
      await sleep(1000);
      assert.deepEqual([posts(), messages.shown], [refused + 1, []]);
    } finally {
      await run('signOut', { baseUrl: server.url });
      await server.stop();
    }
  });
});
