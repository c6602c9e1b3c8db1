import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { openMentionedStory, openOneOf } from '../../src/features/storyLinks/commands.ts';
import {
  CommitLinks,
  cardAt,
  commitCommands,
  documentLinks,
  terminalLinks,
} from '../../src/features/storyLinks/mentionLinks.ts';
import { StoryLinks } from '../../src/features/storyLinks/storyLinks.ts';
import { Accounts } from '../../src/host/accounts/accounts.ts';
import { createBacklogs } from '../../src/host/app.ts';
import { Engine } from '../../src/host/engine/engine.ts';
import { ActiveStoryHolder } from '../../src/host/git/activeStoryHolder.ts';
import { type CommitDetails, GitBridge } from '../../src/host/git/gitBridge.ts';
import { projectReference } from '../../src/host/projects/projectOrder.ts';
import { Messages } from '../../src/host/shell/messages.ts';
import { eventually } from '../support/eventually.ts';
import { type GitRepositoryFolder, gitRepository } from '../support/git/gitRepository.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { silentLog } from '../support/silentLog.ts';
import { MemorySecrets } from '../support/windows/memorySecrets.ts';
import { RecordedMessages } from '../support/windows/recordedMessages.ts';

const extensionPath = vscode.extensions.getExtension('story-tracker.story-tracker')?.extensionPath ?? '';
const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`storyTracker.${command}`, ...args);
const configure = (value: readonly string[] | undefined) =>
  vscode.workspace.getConfiguration('storyTracker').update('codeLinks', value, vscode.ConfigurationTarget.Global);

interface GitApi {
  readonly registerSourceControlHistoryItemDetailsProvider?: unknown;
  openRepository(root: vscode.Uri): Promise<unknown>;
}

async function gitApi(): Promise<GitApi> {
  const extension = vscode.extensions.getExtension<{ getAPI(version: 1): GitApi }>('vscode.git');
  assert.ok(extension);
  return (await extension.activate()).getAPI(1);
}

describe('Numbers of stories in documents', () => {
  let server: FixtureServer;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'story-tracker-mentions-'));
    server = await FixtureServer.start();
    await run('signIn', { baseUrl: server.url, token: server.token });
  });
  after(async () => {
    await configure(undefined);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await run('signOut', { baseUrl: server.url });
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function open(name: string, text: string): Promise<vscode.TextDocument> {
    const path = join(folder, name);
    await writeFile(path, text);
    const document = await vscode.workspace.openTextDocument(path);
    await vscode.window.showTextDocument(document);
    return document;
  }

  /** The texts of our links, with what they say. */
  async function linksIn(document: vscode.TextDocument): Promise<readonly (readonly [string, string | undefined])[]> {
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    return links
      .filter(({ target }) => target?.scheme === 'command')
      .map(({ range, tooltip }) => [document.getText(range), tooltip] as const);
  }

  const textsOf = async (document: vscode.TextDocument) => (await linksIn(document)).map(([text]) => text);

  it('are links in Markdown where the story is known, and only there', async () => {
    const text =
      'See #104 and [fixes #104], not #987654 nor `#104`.\n\n```\n#104\n```\n\n[#104](https://example.org) a#104\n';
    const document = await open('tide.md', text);
    await eventually(async () =>
      assert.deepEqual(await linksIn(document), [
        ['#104', 'Open Story'],
        ['#104', 'Open Story'],
      ]),
    );
  });

  it('are links in comments, not in code', async () => {
    const document = await open(
      'tide.ts',
      "const a = '#104'; // see #104\n// TODO(#104): sort\nconst b = '// #104';\n",
    );
    await eventually(async () => assert.deepEqual(await textsOf(document), ['#104', '#104']));
    const python = await open('tide.py', '#104\nx = 1  # as #104 says\n');
    await eventually(async () => assert.deepEqual(await textsOf(python), ['#104']));
  });

  it('show the card of the story', async () => {
    const document = await open('card.md', 'See #104.\n');
    const cards = await eventually(async () => {
      const found = await vscode.commands.executeCommand<vscode.Hover[]>(
        'vscode.executeHoverProvider',
        document.uri,
        new vscode.Position(0, 6),
      );
      assert.equal(found.length, 1);
      return found;
    });
    const [card] = cards.flatMap(({ contents }) => contents);
    const text = typeof card === 'string' ? card : (card?.value ?? '');
    assert.match(text, /#104/);
    assert.deepEqual(cards[0]?.range, new vscode.Range(0, 4, 0, 8));
  });

  it('are text where that is wished', async () => {
    const markdown = await open('wish.md', 'See #104.\n');
    const code = await open('wish.py', '# see #104\n');
    await eventually(async () => assert.deepEqual(await textsOf(markdown), ['#104']));
    await configure(['comments']);
    await eventually(async () => assert.deepEqual(await textsOf(markdown), []));
    assert.deepEqual(await textsOf(code), ['#104']);
    await configure([]);
    await eventually(async () => assert.deepEqual(await textsOf(code), []));
    await configure(undefined);
    await eventually(async () => assert.deepEqual(await textsOf(code), ['#104']));
  });

  it('are text while nobody is signed in', async () => {
    const document = await open('nobody.md', 'See #104.\n');
    await eventually(async () => assert.deepEqual(await textsOf(document), ['#104']));
    await run('signOut', { baseUrl: server.url });
    await eventually(async () => assert.deepEqual(await textsOf(document), []));
    await run('signIn', { baseUrl: server.url, token: server.token });
    await eventually(async () => assert.deepEqual(await textsOf(document), ['#104']));
  });

  it('are looked for on the server by nobody', async () => {
    const document = await open('quiet.md', 'See #104 and #987654.\n');
    await eventually(async () => assert.deepEqual(await textsOf(document), ['#104']));
    assert.deepEqual(
      server.requests.filter(({ path }) => path.includes('987654')),
      [],
    );
  });
});

describe('Numbers of stories', () => {
  const none = new vscode.CancellationTokenSource().token;
  let servers: readonly FixtureServer[];
  let engine: Engine;
  let accounts: Accounts;
  let backlogs: ReturnType<typeof createBacklogs>;
  let recorded: RecordedMessages;
  let activeStories: ActiveStoryHolder;
  let git: GitBridge;
  let repository: GitRepositoryFolder;
  /** Stories that were opened. */
  let opened: unknown[];
  const execute = vscode.commands.executeCommand;
  const { showQuickPick } = vscode.window;

  const needs = () => {
    const messages = new Messages(silentLog, () => undefined);
    return { accounts, activeStories, backlogs, git, history: engine.history, log: silentLog, messages };
  };
  const signIn = async (index: number) => {
    const server = servers[index];
    assert.ok(server);
    await accounts.add({ id: `s${index}`, label: `S${index}`, kind: 'server', baseUrl: server.url }, server.token);
  };
  const hostOf = (index: number) => new URL(servers[index]?.url ?? '').host;
  const root = () => vscode.Uri.file(repository.root);

  before(async () => {
    repository = await gitRepository();
    await repository.commit('Begin');
    await (await gitApi()).openRepository(root());
  });
  after(() => repository.remove());

  beforeEach(async () => {
    servers = await Promise.all([FixtureServer.start(), FixtureServer.start()]);
    engine = new Engine(join(extensionPath, 'dist/worker.js'), silentLog);
    const access = () => Promise.reject(new Error('There is no built-in service here.'));
    accounts = new Accounts(new MemorySecrets(), engine, { access });
    backlogs = createBacklogs(accounts, silentLog);
    activeStories = new ActiveStoryHolder();
    git = new GitBridge((program) => engine.useGit(program));
    recorded = new RecordedMessages();
    opened = [];
    Object.assign(vscode.commands, {
      executeCommand: async (command: string, ...args: readonly unknown[]) => {
        if (!command.startsWith('storyTracker.')) return execute(command, ...args);
        opened.push([command, ...args]);
        return undefined;
      },
    });
  });
  afterEach(async () => {
    Object.assign(vscode.commands, { executeCommand: execute });
    Object.assign(vscode.window, { showQuickPick });
    recorded.restore();
    backlogs.dispose();
    accounts.dispose();
    await engine.dispose();
    for (const server of servers) await server.stop();
  });

  /** The list of projects is there when one server has answered. */
  const bothAreKnown = async () => {
    await backlogs.projects();
    await eventually(async () => {
      await backlogs.all();
      const accountIds = backlogs.peekStories(104).map(({ key }) => key.accountId);
      assert.deepEqual(accountIds, ['s0', 's1']);
    });
  };
  const opening = (account: string) => [
    'storyTracker.openStory',
    { storyId: 104, accountId: account, projectId: 7, caller: 'person' },
  ];

  describe('in a terminal', () => {
    const linksIn = async (line: string, cwd?: vscode.Uri) => {
      const terminal = vscode.window.createTerminal({ name: 'links', hideFromUser: true, ...(cwd && { cwd }) });
      try {
        return await terminalLinks(needs(), { line, terminal }, none);
      } finally {
        terminal.dispose();
      }
    };

    it('are links to stories that are known, and open them', async () => {
      await signIn(0);
      const line = 'abc1234 Sort [fixes #104], as #104, not #987654';
      const links = await linksIn(line);
      assert.deepEqual(
        links.map(({ startIndex, length }) => line.slice(startIndex, startIndex + length)),
        ['#104', '#104'],
      );
      assert.doesNotMatch(links[0]?.tooltip ?? '', /127\.0\.0\.1/);
      const [first] = links;
      assert.ok(first);
      await openOneOf(needs(), first.number, first.found);
      assert.deepEqual(opened, [opening('s0')]);
    });

    it('say which server, and ask where several have one', async () => {
      await signIn(0);
      await signIn(1);
      await bothAreKnown();
      const [link] = await linksIn('    Sort [fixes #104]');
      assert.ok(link);
      assert.equal(link.tooltip, `Open Story on ${hostOf(0)} / ${hostOf(1)}…`);
      Object.assign(vscode.window, {
        showQuickPick: async (items: readonly { readonly description?: string }[]) =>
          items.find(({ description }) => description === 'S1'),
      });
      await openOneOf(needs(), link.number, link.found);
      assert.deepEqual(opened, [opening('s1')]);
    });

    it('are of a pull request at the end of a subject where the remote is a host that has them', async () => {
      await signIn(0);
      const line = 'abc1234 Sort (#104)';
      const count = async () => (await linksIn(line, root())).length;
      assert.equal(await count(), 1);
      const other = await gitRepository();
      try {
        await other.commit('Begin');
        await other.git('remote', 'add', 'origin', 'https://github.com/owner/repository.git');
        await (await gitApi()).openRepository(vscode.Uri.file(other.root));
        assert.deepEqual(await linksIn(line, vscode.Uri.file(other.root)), []);
        assert.equal((await linksIn('abc1234 Sort [#104]', vscode.Uri.file(other.root))).length, 1);
      } finally {
        await other.remove();
      }
    });
  });

  describe('in a document', () => {
    const open = (text: string) => vscode.workspace.openTextDocument({ language: 'markdown', content: text });

    it('say which server has the story, and show the card of each', async () => {
      await signIn(0);
      await signIn(1);
      await bothAreKnown();
      const document = await open('See #104.');
      const [link] = await documentLinks(needs(), document, none);
      assert.equal(link?.tooltip, `Open Story on ${hostOf(0)} / ${hostOf(1)}…`);
      const hover = await cardAt(needs(), document, new vscode.Position(0, 5), none);
      const texts = (hover?.contents ?? []).map((one) => (typeof one === 'string' ? one : one.value));
      assert.equal(texts.length, 4);
      assert.ok(texts[0]?.includes('127'));
      assert.equal(texts.filter((text) => text.includes('#104')).length, 2);
    });

    it('lead to a story that had the number before its project was moved, and ask where one has it now', async () => {
      const told = [
        [12, 104, 7],
        [105, 101, 7],
      ].map(([external, id, project]) => {
        const inside = `<id type="integer">${id}</id><external_id>${external}</external_id>`;
        return `<imported_story>${inside}<project_id type="integer">${project}</project_id></imported_story>`;
      });
      const body = `<?xml version="1.0"?><imported_stories type="array">${told.join('')}</imported_stories>`;
      servers[0]?.reply(/^GET \/imports$/, { status: 200, body }, 9);
      await signIn(0);
      await eventually(async () => {
        const document = await open('See #12 and #105.');
        const links = await documentLinks(needs(), document, none);
        const argument = encodeURIComponent(JSON.stringify([{ storyId: 104, accountId: 's0', projectId: 7 }]));
        assert.deepEqual(
          links.map(({ target, tooltip }) => [decodeURIComponent(target?.query ?? ''), tooltip]),
          [
            [decodeURIComponent(argument), 'Open Story'],
            ['105', 'Open Story…'],
          ],
        );
      });
      const offered: string[] = [];
      Object.assign(vscode.window, {
        showQuickPick: async (items: readonly { readonly label: string }[]) => {
          offered.push(...items.map(({ label }) => label.split(' ', 1)[0] ?? ''));
          return items[1];
        },
      });
      await openMentionedStory(needs(), 105);
      await openMentionedStory(needs(), 12);
      assert.deepEqual(offered, ['#105', '#101']);
      const ids = opened.map((one) => Object(one)[1].storyId);
      assert.deepEqual(ids, [101, 104]);
    });

    it('mean no story of a project that is hidden where another one has the number', async () => {
      await signIn(0);
      await signIn(1);
      await bothAreKnown();
      const settings = vscode.workspace.getConfiguration('storyTracker');
      const hide = (names: readonly string[] | undefined) =>
        settings.update('hiddenProjects', names, vscode.ConfigurationTarget.Global);
      const [copy] = (await backlogs.projects()).filter(({ key }) => key.accountId === 's0' && key.projectId === 7);
      assert.ok(copy);
      await hide([projectReference(copy)]);
      try {
        const [link] = await documentLinks(needs(), await open('See #104.'), none);
        assert.equal(link?.tooltip, `Open Story on ${hostOf(1)}`);
      } finally {
        await hide(undefined);
      }
    });

    it('mean the story on the server of the active story of its repository', async () => {
      await signIn(0);
      await signIn(1);
      await bothAreKnown();
      const story = { accountId: 's1', projectId: 7, storyId: 101 };
      const at = ({ path }: { readonly path: string }) => (path === root().path ? story : undefined);
      activeStories.attach(
        async () => ({ at, active: [story], onDidChange: () => vscode.Disposable.from() }),
        () => true,
      );
      await writeFile(join(repository.root, 'inside.md'), 'See #104.');
      const inside = await vscode.workspace.openTextDocument(join(repository.root, 'inside.md'));
      const [link] = await documentLinks(needs(), inside, none);
      assert.equal(link?.tooltip, `Open Story on ${hostOf(1)}`);
      const [outside] = await documentLinks(needs(), await open('See #104.'), none);
      assert.equal(outside?.tooltip, `Open Story on ${hostOf(0)} / ${hostOf(1)}…`);
    });
  });

  describe('in commits', () => {
    it('have a door in the Git of this VS Code', async () => {
      assert.equal(typeof (await gitApi()).registerSourceControlHistoryItemDetailsProvider, 'function');
      const details: CommitDetails = {
        provideAvatar: () => undefined,
        provideHoverCommands: async () => undefined,
        provideMessageLinks: async () => undefined,
      };
      const added = await git.addCommitDetails(details);
      added.dispose();
    });

    it('are links in the message that open the story', async () => {
      await signIn(0);
      await backlogs.all();
      const links = new CommitLinks(needs());
      const linked = await links.linkedMessage(root(), 'Sort [fixes #104]\n\nAs #104 says, not #987654 or PR #12.');
      const link = '[#104](command:storyTracker.openMentionedStory?104)';
      assert.equal(linked, `Sort [fixes ${link}]\n\nAs ${link} says, not #987654 or PR #12.`);
      assert.equal(await links.linkedMessage(root(), 'Sort #987654'), undefined);
      await openMentionedStory(needs(), 104);
      assert.deepEqual(opened, [opening('s0')]);
    });

    it('are not waited for when servers do not answer', async () => {
      await signIn(0);
      const letGo = servers[0]?.hold(/^GET /, 100);
      const links = new CommitLinks(needs());
      assert.equal(await links.linkedMessage(root(), 'Sort #104'), undefined);
      assert.equal(await links.linkedMessage(root(), 'Sort #104'), undefined);
      letGo?.();
      await eventually(async () => assert.match((await links.linkedMessage(root(), 'Sort #104')) ?? '', /command:/));
    });

    it('have a button that opens the story of a commit, asks which, or offers to link it', async () => {
      await signIn(0);
      const [command] = commitCommands(root());
      assert.equal(command?.command, 'storyTracker.openMentionedStory');
      const press = async (message: string) => {
        opened = [];
        await openMentionedStory(needs(), ...(command?.arguments ?? []), await repository.commit(message));
        return opened;
      };
      assert.deepEqual(await press('Sort [fixes #104]'), [opening('s0')]);
      let offered = 0;
      Object.assign(vscode.window, {
        showQuickPick: async (items: readonly unknown[]) => {
          offered = items.length;
          return items[0];
        },
      });
      const others = servers[0]?.routes.stories.map(({ id }) => id).filter((id) => id !== 104) ?? [];
      assert.deepEqual(await press(`Sort #104 and #${others[0]}`), [opening('s0')]);
      assert.equal(offered, 2);
      recorded.press('Link to Story…');
      const hash = await repository.commit('Sort nothing');
      await openMentionedStory(needs(), ...(command?.arguments ?? []), hash);
      assert.deepEqual(opened.at(-1), [
        'storyTracker.linkCommits',
        { commits: [hash], repository: root().toString(), caller: 'person' },
      ]);
    });
  });

  it('are looked for again in what is shown when more stories become known', async () => {
    await signIn(0);
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: 'See #104 and #105.' });
    await vscode.window.showTextDocument(document);
    let asked = 0;
    const { registerDocumentLinkProvider } = vscode.languages;
    const counted = (...args: Parameters<typeof registerDocumentLinkProvider>) => {
      asked += 1;
      return registerDocumentLinkProvider(...args);
    };
    Object.assign(vscode.languages, { registerDocumentLinkProvider: counted });
    const all = new StoryLinks(needs());
    try {
      await execute('vscode.executeLinkProvider', document.uri);
      const before = asked;
      await signIn(1);
      await backlogs.projects();
      await eventually(() => assert.ok(asked > before));
    } finally {
      all.dispose();
      Object.assign(vscode.languages, { registerDocumentLinkProvider });
      await execute('workbench.action.revertAndCloseActiveEditor');
    }
  });

  it('are nowhere a link any more when what tells VS Code of them ends', async () => {
    await signIn(0);
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: 'See #104.' });
    const links = async () => {
      const found = await execute<vscode.DocumentLink[]>('vscode.executeLinkProvider', document.uri);
      return found.filter(({ target }) => target?.scheme === 'command').length;
    };
    const all = new StoryLinks(needs());
    await eventually(async () => assert.equal(await links(), 1));
    all.dispose();
    await eventually(async () => assert.equal(await links(), 0));
  });
});
