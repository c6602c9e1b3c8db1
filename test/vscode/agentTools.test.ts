import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { type AgentToolName, agentToolNames, editorToolName } from '../../src/core/agents/agentToolNames.ts';
import { agentTools } from '../../src/core/agents/agentTools.ts';
import { invokeTool, prepareTool } from '../../src/features/agents/commands.ts';
import { offeredServers, serverWithToken } from '../../src/features/agents/offeredServers.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import { ActiveStoryHolder } from '../../src/host/git/activeStoryHolder.ts';
import { GitBridge } from '../../src/host/git/gitBridge.ts';
import { eventually } from '../support/eventually.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';
import { WorkspaceMemory } from '../support/windows/workspaceMemory.ts';

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);
const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

/** What a model gets as text. Without a chat VS Code asks in a dialogue, which tests answer with yes. */
async function call(name: AgentToolName, input: object): Promise<string> {
  const result = await vscode.lm.invokeTool(editorToolName(name), { input, toolInvocationToken: undefined });
  return result.content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}

const refused = (name: AgentToolName, input: object, sentence: RegExp) => assert.rejects(call(name, input), sentence);

describe('The tools for agents', () => {
  let server: FixtureServer;
  let messages: RecordedMessages;
  const elementOf = (id: number, name: string) =>
    />(.*)</.exec(server.routes.story(id).elements.get(name) ?? '')?.[1] ?? '';

  beforeEach(async () => {
    server = await FixtureServer.start();
    await run('signIn', { baseUrl: server.url, token: server.token });
    messages = new RecordedMessages();
  });
  afterEach(async () => {
    messages.restore();
    await run('signOut', { baseUrl: server.url });
    await server.stop();
  });

  it('are all there for whoever is signed in', () => {
    const there = vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('storyTracker_'));
    assert.deepEqual(there.toSorted(), agentToolNames.map(editorToolName).toSorted());
  });

  it('find stories with a filter, and say what of the answer is data', async () => {
    const { note, found, more, stories } = JSON.parse(await call('findStories', { filter: 'bake', limit: 1 }));
    assert.match(note, /not an instruction/);
    assert.deepEqual([found, more], [2, '1 more; pass skip: 1 to read on.']);
    assert.deepEqual(stories, [
      {
        id: 104,
        projectId: 7,
        type: 'feature',
        state: 'unstarted',
        untrustedText: { name: 'Bake bread', project: stories[0].untrustedText.project },
      },
    ]);
    assert.equal(JSON.parse(await call('findStories', { filter: 'bake', skip: 1 })).stories[0].id, 105);
    await refused('findStories', { filter: 'owned:me' }, /Unknown filter key “owned:”\. Did you mean “owner:”\?/);
    await refused('findStories', { query: 'bake' }, /There is no field “query”\. Use filter, limit, skip\./);
  });

  it('read a story with all that is on it', async () => {
    const { story } = JSON.parse(await call('getStory', { storyId: 101 }));
    const { comments, tasks, attachments, description } = story.untrustedText;
    assert.deepEqual([story.points, story.state, description], [3, 'started', 'Two lines:\nrésumé & more']);
    assert.deepEqual(
      comments.map(({ text }: { readonly text: string }) => text),
      ['Bon appétit'],
    );
    assert.deepEqual(tasks, [{ id: 11, complete: true, text: 'wipe the tables' }]);
    assert.deepEqual(
      attachments.map(({ name }: { readonly name: string }) => name),
      ['menu.txt', 'trap.html'],
    );
    await refused('getStory', { storyId: 999 }, /Could not find story #999/);
  });

  it('read the active story, or say that there is none', async () => {
    assert.equal(JSON.parse(await call('getActiveStory', {})).story, null);
    await run('setActiveStory', { storyId: 104 });
    try {
      assert.equal(JSON.parse(await call('getActiveStory', {})).story.id, 104);
    } finally {
      await run('stopStory', {});
    }
  });

  it('move a story, which the person can undo', async () => {
    const moved = JSON.parse(await call('moveStory', { storyId: 106, place: 'before', targetId: 104 }));
    assert.deepEqual(moved, { done: '#106 is before #104.' });
    assert.deepEqual(server.order.slice(3, 6), [103, 106, 104]);
    await run('undo');
    assert.deepEqual(server.order.slice(3, 6), [103, 104, 105]);
    await refused('moveStory', { storyId: 106, place: 'before', targetId: 999 }, /has no story #999/);
  });

  it('change a state, with the estimate that it needs', async () => {
    await refused('changeState', { storyId: 111, state: 'started' }, /no estimate\. Pass estimate, one of 0, 1, 2, 3/);
    await call('changeState', { storyId: 111, state: 'finished', estimate: 2 });
    assert.deepEqual([elementOf(111, 'current_state'), elementOf(111, 'estimate')], ['finished', '2']);
    await run('undoEdit');
    assert.equal(elementOf(111, 'current_state'), 'unscheduled');
    await refused('changeState', { storyId: 111, state: 'done' }, /“state” must be one of "unscheduled"/);
  });

  it('pass on in which words a server refuses', async () => {
    server.refuse(/^PUT .*\/104$/, ['Nobody starts on Fridays.']);
    await refused('changeState', { storyId: 104, state: 'started', estimate: 1 }, /Nobody starts on Fridays\./);
  });

  it('say that a change waits while the server is away', async () => {
    server.reply(/^POST /, { status: 503, body: '' }, 1000);
    const answer = JSON.parse(await call('addComment', { storyId: 104, text: 'Later' }));
    assert.match(answer.waiting, /^Saved on this computer\./);
    server.noMoreTrouble();
    await run('retryOutbox', {});
    assert.deepEqual(
      server.routes.story(104).notes.map(({ text }) => text),
      ['Later'],
    );
  });

  it('add a comment and create a story', async () => {
    await call('addComment', { storyId: 104, text: 'Merci' });
    assert.deepEqual(
      server.routes.story(104).notes.map(({ text }) => text),
      ['Merci'],
    );
    await refused('createStory', { name: 'Bake rye' }, /Pass projectId, one of these projects: 7 on .+, 8 on /);
    const made = JSON.parse(await call('createStory', { name: 'Bake rye', type: 'bug', projectId: 7 }));
    assert.equal(elementOf(made.storyId, 'name'), 'Bake rye');
    assert.deepEqual([made.projectId, elementOf(made.storyId, 'story_type')], [7, 'bug']);
  });

  describe('with files', () => {
    const name = `agent-${process.pid}.txt`;
    const attached = () => [...server.routes.story(104).files.values()].map(({ filename }) => filename);

    afterEach(() => rm(join(folder, name), { force: true }));

    it('attach those of the workspace, by either kind of path', async () => {
      await writeFile(join(folder, name), 'flour\n');
      await call('attachFiles', { storyId: 104, files: [name, join(folder, name)] });
      assert.deepEqual(attached(), [name]);
    });

    it('refuse what is likely a secret, and ask no one about it', async () => {
      await writeFile(join(folder, name), `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw'}\n`);
      await refused('attachFiles', { storyId: 104, files: [name] }, /may contain a secret: private key/);
      assert.deepEqual([attached(), messages.shown], [[], []]);
    });

    it('refuse what lies outside of the workspace, also by a link, and what Git keeps', async () => {
      const elsewhere = await mkdtemp(join(tmpdir(), 'story-tracker-'));
      await writeFile(join(elsewhere, 'a.txt'), 'salt');
      await symlink(join(elsewhere, 'a.txt'), join(folder, name));
      try {
        await refused('attachFiles', { storyId: 104, files: [join(elsewhere, 'a.txt')] }, /outside of the workspace/);
        await refused('attachFiles', { storyId: 104, files: [`../${elsewhere}/a.txt`] }, /outside of the workspace/);
        await refused('attachFiles', { storyId: 104, files: [`${folder}/../a.txt`] }, /outside of the workspace/);
        await refused('attachFiles', { storyId: 104, files: [name] }, /outside the folder/);
        await refused('attachFiles', { storyId: 104, files: ['.git/config'] }, /Git’s own files/);
        await rm(join(folder, name));
        await symlink(join('.git', 'config'), join(folder, name));
        await refused('attachFiles', { storyId: 104, files: [name] }, /Git’s own files/);
        await refused('attachFiles', { storyId: 104, files: ['nothing.txt'] }, /There is no file “nothing\.txt”/);
        await refused('attachFiles', { storyId: 104, files: ['.'] }, /is not a file/);
        assert.deepEqual(attached(), []);
      } finally {
        await rm(elsewhere, { recursive: true });
      }
    });
  });

  describe('with Git', () => {
    const git = async (...args: readonly string[]) =>
      (await promisify(execFile)('git', [...args], { cwd: folder })).stdout.trim();

    it('put a marker into the commit message, and nothing else', async () => {
      const answer = JSON.parse(await call('insertMarker', { storyIds: [104, 105], verb: '', repository: folder }));
      assert.match(answer.done, /\[#104 #105\]/);
      await run('removeMarker', { repository: folder });
      await refused('insertMarker', { storyIds: [104], repository: '/nowhere' }, /Pass the repository, one of/);
      await refused('insertMarker', { storyIds: [999], repository: folder }, /Could not find story #999/);
    });

    it('link commits without changing the state', async () => {
      const hash = await git('rev-parse', 'HEAD');
      await call('linkCommits', { storyId: 104, commits: [hash.slice(0, 10)], repository: folder });
      const [note] = server.routes.story(104).notes;
      assert.match(note?.text ?? '', new RegExp(hash));
      assert.equal(elementOf(104, 'current_state'), 'unstarted');
      await refused('linkCommits', { storyId: 104, commits: ['--all-of-it'], repository: folder }, /by their hashes/);
    });
  });
});

describe('Servers offered to agents', () => {
  const account = (host: string) => ({ id: host, label: host, kind: 'server', baseUrl: `https://${host}/` });
  let baseUrl: string;
  const needs = {
    accounts: {
      list: async () => [
        { id: 'builtIn', label: 'Built-in', kind: 'builtIn' },
        account('old.example'),
        account('new.example'),
      ],
      access: async () => ({ baseUrl, token: 'canary-7e1' }),
    },
    engine: { hasAgentDoor: async (asked: string) => asked === 'https://new.example/' },
  } as unknown as Parameters<typeof offeredServers>[0];

  it('are those that speak the protocol, and have the token only once they are started', async () => {
    baseUrl = 'https://new.example/';
    const [server, another] = await offeredServers(needs);
    assert.ok(server && !another);
    assert.deepEqual(
      [server.label, server.uri.toString(), server.headers],
      [...['Story Tracker: new.example', 'https://new.example/mcp', {}]],
    );
    const started = await serverWithToken(needs, server);
    assert.deepEqual(
      [started.uri.toString(), started.headers],
      [...['https://new.example/mcp', { Authorization: 'Bearer canary-7e1' }]],
    );
    assert.ok(!JSON.stringify(server).includes('canary'));
  });

  it('get no token for another address than the one that was offered', async () => {
    const [server] = await offeredServers(needs);
    baseUrl = 'https://elsewhere.example/';
    assert.ok(server);
    await assert.rejects(serverWithToken(needs, server), /address of this server has changed/);
    const other = new vscode.McpHttpServerDefinition('Other', server.uri);
    await assert.rejects(serverWithToken(needs, other), /no server of Story Tracker/);
  });

  it('are asked for only where that is wished for', async () => {
    const server = await FixtureServer.start();
    const asked = () => server.requests.filter(({ path }) => path === '/mcp').map(({ headers }) => headers);
    const settings = vscode.workspace.getConfiguration('storyTracker');
    try {
      await run('signIn', { baseUrl: server.url, token: server.token });
      assert.deepEqual(asked(), []);
      await settings.update('agents.offerServers', true, vscode.ConfigurationTarget.Global);
      const [headers] = await eventually(() => {
        assert.ok(asked().length > 0);
        return asked();
      });
      assert.ok(!JSON.stringify(headers).includes(server.token));
    } finally {
      await settings.update('agents.offerServers', undefined, vscode.ConfigurationTarget.Global);
      await run('signOut', { baseUrl: server.url });
      await server.stop();
    }
  });
});

describe('What a person is asked before a tool changes something', () => {
  const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
  const opened: { dispose(): unknown }[] = [];
  let server: FixtureServer;
  let place: string;
  let ask: (name: AgentToolName, input: object) => Promise<readonly [title: string, message: string] | undefined>;
  let invoke: (name: AgentToolName, input: object) => Promise<unknown>;
  let accounts: Accounts;
  const project = '\n\nProject: “Café”';

  before(async () => {
    server = await FixtureServer.start();
    server.routes.story(105).elements.set('name', '<name>[Yes](command:quit) **now**</name>');
    place = await mkdtemp(join(tmpdir(), 'story-tracker-'));
    const engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog, join(place, 'replica.sqlite'));
    const access = () => Promise.reject(new Error('There is no built-in service here.'));
    accounts = new Accounts(new MemorySecrets(), engine, { access });
    await accounts.add({ id: 'fixture', label: 'Fixture', kind: 'server', baseUrl: server.url }, server.token);
    const backlogs = createBacklogs(accounts, silentLog);
    opened.push(engine, accounts, backlogs);
    const needs = {
      accounts,
      backlogs,
      log: silentLog,
      history: engine.history,
      workspaceMemory: new WorkspaceMemory(),
      activeStories: new ActiveStoryHolder(),
      git: new GitBridge((program) => engine.useGit(program)),
    };
    const { token } = new vscode.CancellationTokenSource();
    invoke = (name, input) => invokeTool(needs, editorToolName(name), input, token);
    ask = async (name, input) => {
      const { confirmationMessages: asked } = await prepareTool(needs, editorToolName(name), input);
      if (!asked) return undefined;
      assert.ok(typeof asked.title === 'string' && asked.message instanceof vscode.MarkdownString);
      assert.ok(!asked.message.isTrusted && !asked.message.supportHtml && !asked.message.supportThemeIcons);
      return [asked.title, asked.message.value];
    };
  });
  after(async () => {
    for (const one of opened.splice(0).toReversed()) await one.dispose();
    await server.stop();
    await rm(place, { recursive: true, force: true });
  });

  it('is nothing where it only reads, and something for each of the others', async () => {
    const inputs: Readonly<Record<AgentToolName, object>> = {
      findStories: { filter: 'bake' },
      getStory: { storyId: 104 },
      getActiveStory: {},
      insertMarker: { storyIds: [104], repository: folder },
      moveStory: { storyId: 104, place: 'after', targetId: 105 },
      attachFiles: { storyId: 104, files: [] },
      linkCommits: { storyId: 104, commits: [], repository: folder },
      changeState: { storyId: 106, state: 'started' },
      addComment: { storyId: 104, text: 'Merci' },
      createStory: { name: 'Bake rye', projectId: 7 },
    };
    const withList = ['attachFiles', 'linkCommits'];
    for (const name of agentToolNames) {
      if (withList.includes(name)) await assert.rejects(ask(name, inputs[name]), /must be a list of 1 to/);
      else assert.equal((await ask(name, inputs[name])) !== undefined, agentTools[name].access === 'write', name);
    }
  });

  it('is nothing that cannot be done, and names each story once', async () => {
    const itself = { storyId: 104, place: 'after', targetId: 104 };
    await assert.rejects(ask('moveStory', itself), /cannot be moved next to itself/);
    await assert.rejects(ask('changeState', { storyId: 104, state: 'unstarted' }), /#104 is unstarted already/);
    await assert.rejects(ask('addComment', { storyId: 104, text: ' \n' }), /“text” must not be blank/);
    await assert.rejects(ask('createStory', { name: 'A', projectId: 7, labels: ['a,b'] }), /without commas/);
    const [, marker = ''] = (await ask('insertMarker', { storyIds: [104, 104], repository: folder })) ?? [];
    assert.match(marker, /^Add `\[fixes #104\]` to .+\n\n- \*\*#104\*\* “Bake bread”\n\nProject: “.+”$/);
  });

  it('names the stories, with nothing of theirs taken for markup', async () => {
    assert.deepEqual(await ask('moveStory', { storyId: 104, place: 'before', targetId: 105 }), [
      'Move Story?',
      `Move **#104** “Bake bread” before **#105** “\\[Yes\\]\\(command\\:quit\\) \\*\\*now\\*\\*”.${project}`,
    ]);
    const [, crossing] = (await ask('moveStory', { storyId: 111, place: 'before', targetId: 104 })) ?? [];
    assert.match(crossing ?? '', /\n\nThis also changes the state from “unscheduled” to “unstarted”\.\n\n/);
    assert.deepEqual(await ask('changeState', { storyId: 106, state: 'started', estimate: 1 }), [
      'Change State?',
      `Change the state of **#106** “Sweep the floor” from “unstarted” to “started” (1 point).${project}`,
    ]);
  });

  it('names the server where there are several, and is not about another one once it was answered', async () => {
    const other = await FixtureServer.start();
    const add = (id: string, { url, token }: FixtureServer) =>
      accounts.add({ id, label: id, kind: 'server', baseUrl: url }, token);
    const input = { storyId: 104, text: 'Merci' };
    try {
      const [, before = ''] = (await ask('addComment', input)) ?? [];
      assert.ok(before.endsWith(project), before);
      await add('other', other);
      await assert.rejects(
        ask('addComment', input),
        /Several servers have a story #104\. Pass its projectId and server/,
      );
      const [, named = ''] = (await ask('addComment', { ...input, server: other.url })) ?? [];
      assert.ok(named.replaceAll('\\', '').endsWith(`${project} on “${new URL(other.url).host}”`), named);
      await accounts.remove('fixture');
      await assert.rejects(invoke('addComment', input), /no longer about what the person confirmed/);
      assert.deepEqual(other.routes.story(104).notes, []);
    } finally {
      await add('fixture', server);
      await accounts.remove('other');
      await other.stop();
    }
  });

  it('has a comment and a new story whole', async () => {
    assert.deepEqual(await ask('addComment', { storyId: 104, text: 'a\n```\nb' }), [
      'Add Comment?',
      `Add this comment to **#104** “Bake bread”, in your name:\n\n\`\`\`\`text\na\n\`\`\`\nb\n\`\`\`\`${project}`,
    ]);
    const [, text = ''] =
      (await ask('createStory', { name: 'Bake rye', projectId: 7, labels: ['a*'], place: 'top', estimate: 2 })) ?? [];
    assert.match(text, /^Create a feature in “.+”, at the top of the backlog:\n\n```text\nBake rye\n```/);
    assert.match(text, /2 points\n\nLabels: “a\\\*”\n\nProject: “.+”$/);
  });

  it('names the files with their sizes, the marker with its repository, and each commit', async () => {
    const name = `agent_${process.pid}.txt`;
    await writeFile(join(folder, name), 'flour\n');
    try {
      const [, files = ''] = (await ask('attachFiles', { storyId: 104, files: [name] })) ?? [];
      assert.match(files, /- “agent\\_\d+\\\.txt” \(6 B\)\n\nEveryone who can see the story/);
    } finally {
      await rm(join(folder, name));
    }
    await eventually(async () => {
      const [, marker = ''] =
        (await ask('insertMarker', { storyIds: [104], verb: 'delivers', repository: folder })) ?? [];
      assert.match(
        marker,
        /^Add `\[delivers #104\]` to the commit message of “.+”\.\n\n- \*\*#104\*\* “Bake bread”\n\nProject: “.+”$/,
      );
    });
    const { stdout } = await promisify(execFile)('git', ['rev-parse', 'HEAD'], { cwd: folder });
    const [, commits = ''] =
      (await ask('linkCommits', { storyId: 104, commits: [stdout.trim()], repository: folder })) ?? [];
    assert.match(commits, new RegExp(`- \`${stdout.slice(0, 7)}\` “`));
  });
});
