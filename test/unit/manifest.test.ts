import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { referencePages } from '../../scripts/manifestTables.ts';
import { packagedReadme } from '../../scripts/packagedReadme.ts';
import { commandIds } from '../../src/commandIds.ts';
import { agentToolNames, editorToolName } from '../../src/core/agents/agentToolNames.ts';
import { agentTools } from '../../src/core/agents/agentTools.ts';

type Json = Readonly<Record<string, unknown>>;

interface MenuItem {
  readonly command: string;
  readonly when?: string;
}

interface Keybinding extends MenuItem {
  readonly key: string;
  readonly args?: { readonly commands?: readonly (string | MenuItem)[] };
}

interface SubmenuItem {
  readonly submenu: string;
  readonly when?: string;
}

interface Step {
  readonly id: string;
  readonly description: string;
  readonly when?: string;
  readonly media: { readonly image: string; readonly altText: string };
  readonly completionEvents: readonly string[];
}

interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly engines: { readonly vscode: string };
  readonly description: string;
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly icon: string;
  readonly license: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: Readonly<Record<string, readonly (MenuItem | SubmenuItem)[]>>;
    readonly submenus: readonly { readonly id: string }[];
    readonly keybindings: readonly Keybinding[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string; readonly icon: string }[] };
    readonly viewsWelcome: readonly { readonly view: string; readonly when: string; readonly contents: string }[];
    readonly walkthroughs: readonly { readonly id: string; readonly steps: readonly Step[] }[];
    readonly languageModelTools: readonly {
      readonly name: string;
      readonly toolReferenceName: string;
      readonly displayName: string;
      readonly userDescription: string;
      readonly modelDescription: string;
      readonly icon: string;
      readonly canBeReferencedInPrompt: boolean;
      readonly tags: readonly string[];
      readonly when: string;
      readonly inputSchema: unknown;
    }[];
    readonly mcpServerDefinitionProviders: readonly { readonly id: string; readonly when: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly scope?: string }>> };
  };
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
}

const root = join(import.meta.dirname, '../..');
const manifestText = readFileSync(join(root, 'package.json'), 'utf8');
const manifest: Manifest = JSON.parse(manifestText);
const texts: Json = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8'));
const { contributes } = manifest;
const code = sourcesOf(join(root, 'src')).join('\n');

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found]) => found ?? '');
}

const sorted = (items: Iterable<string>) => [...new Set(items)].sort();
const allMenuItems = Object.values(contributes.menus).flat();
const menuItems = allMenuItems.filter((item) => 'command' in item);
const { languageModelTools } = contributes;
const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
const completions = steps.flatMap(({ completionEvents }) => completionEvents.map((event) => event.split(':', 2)));
const whens = [
  ...[...allMenuItems, ...contributes.keybindings, ...contributes.viewsWelcome, ...languageModelTools, ...steps].map(
    ({ when }) => when ?? '',
  ),
  ...completions.flatMap(([kind, what = '']) => (kind === 'onContext' ? [what] : [])),
];

describe('package.json', () => {
  it('contributes exactly the commands of commandIds.ts', () => {
    const contributed = contributes.commands.map(({ command }) => command);
    assert.deepEqual(sorted(contributed), sorted(Object.values(commandIds)));
    assert.equal(contributed.length, new Set(contributed).size, 'no command twice');
  });

  it('has code that registers every command', () => {
    const registered = matches(code, /\bcommand\(\s*commandIds\.(\w+)/g);
    assert.deepEqual(sorted(registered), sorted(Object.keys(commandIds)));
  });

  it('puts every command under one category, in title case', () => {
    for (const { command, title, category } of contributes.commands) {
      assert.equal(category, 'Story Tracker', command);
      const text = String(texts[title.slice(1, -1)]);
      assert.match(text, /^[A-Z]/, command);
    }
  });

  it('words for one story and for several alike what a menu offers for several', () => {
    const rows = contributes.menus['view/item/context'] ?? [];
    const ofStories = rows.filter(
      ({ when = '' }) => when.includes('storyTracker.stories') && when.includes('^story\\b'),
    );
    const items = [...ofStories, ...(contributes.menus['storyTracker.editStory'] ?? [])];
    const forSeveral = items.filter((item) => !/!listMultiSelection|"inline/.test(JSON.stringify(item)));
    const titles = forSeveral.flatMap((item) => {
      const known = contributes.commands.find(({ command }) => 'command' in item && command === item.command);
      return known ? [String(texts[known.title.slice(1, -1)])] : [];
    });
    assert.ok(titles.length > 10, titles.join());
    assert.deepEqual(
      titles.filter((title) => /\bStory\b/.test(title)),
      [],
    );
  });

  it('names only its own commands in menus and keys, and those of lists that keys run first', () => {
    const own = new Set(contributes.commands.map(({ command }) => command));
    const inKeys = contributes.keybindings.flatMap(({ command, args }) =>
      command === 'runCommands'
        ? (args?.commands ?? []).map((one) => (typeof one === 'string' ? one : one.command))
        : [command],
    );
    for (const command of [...menuItems.map((item) => item.command), ...inKeys])
      assert.ok(own.has(command) || command.startsWith('list.'), command);
  });

  it('offers moving to a server and backing up where the built-in service is shown, and nowhere else', () => {
    for (const command of ['storyTracker.moveToServer', 'storyTracker.backUp']) {
      const when = (menu: string) =>
        (contributes.menus[menu] ?? []).find((item) => 'command' in item && item.command === command)?.when ?? '';
      assert.match(when('view/title'), /storyTracker\.hasBuiltIn/, command);
      const [, pattern = ''] = /viewItem =~ \/(.+)\/$/.exec(when('view/item/context')) ?? [];
      const rows = ['project', 'project.builtIn', 'project.pinned', 'project.pinned.builtIn', 'story.builtIn'];
      assert.deepEqual(
        rows.filter((row) => new RegExp(pattern).test(row)),
        ['project.builtIn', 'project.pinned.builtIn'],
      );
    }
    for (const [command, pinned] of [
      ['storyTracker.pinProject', false],
      ['storyTracker.unpinProject', true],
    ] as const) {
      const item = (contributes.menus['view/item/context'] ?? []).find(
        (one) => 'command' in one && one.command === command,
      );
      const [, pattern = ''] = /viewItem =~ \/(.+)\/$/.exec(item?.when ?? '') ?? [];
      for (const row of ['project', 'project.builtIn'])
        assert.equal(new RegExp(pattern).test(pinned ? row.replace('project', 'project.pinned') : row), true, command);
      assert.equal(new RegExp(pattern).test(pinned ? 'project.builtIn' : 'project.pinned.builtIn'), false, command);
    }
  });

  it('offers in a row to start a story above finishing it, and each where it can be done', () => {
    const item = (command: string) => {
      const found = (contributes.menus['view/item/context'] ?? []).find(
        (one) => 'command' in one && one.command === `storyTracker.${command}`,
      );
      const [, pattern = ''] = /viewItem =~ \/(.+)\/ &&/.exec(found?.when ?? '') ?? [];
      const states = ['unscheduled', 'unstarted', 'started', 'finished', 'delivered', 'rejected', 'accepted'];
      const rows = states.filter((state) => new RegExp(pattern).test(`story.feature.${state}.owned.active`));
      return { group: String(Object(found).group), rows };
    };
    const [start, finish] = [item('startStory'), item('finishStory')];
    assert.deepEqual(start.rows, ['unscheduled', 'unstarted', 'started', 'finished', 'delivered', 'rejected']);
    assert.deepEqual(finish.rows, ['started', 'finished', 'delivered', 'rejected', 'accepted']);
    assert.deepEqual([start.group, finish.group], ['0_story@3', '0_story@4']);
  });

  it('shows every submenu that it has, and fills it', () => {
    const ids = contributes.submenus.map(({ id }) => id);
    assert.deepEqual(sorted(allMenuItems.flatMap((item) => ('submenu' in item ? [item.submenu] : []))), sorted(ids));
    for (const id of ids) assert.ok((contributes.menus[id] ?? []).length > 1, id);
  });

  it('shows at most three icons in a row', () => {
    const perItem = Map.groupBy(
      contributes.menus['view/item/context'] ?? [],
      (item) => /viewItem =~ (\S+)/.exec(item.when ?? '')?.[1],
    );
    for (const [row, items] of perItem) {
      const icons = items.filter((item) => JSON.stringify(item).includes('"inline'));
      assert.ok(icons.length <= 3, `${row}: ${icons.length}`);
    }
  });

  it('uses only context keys that the code sets, and the code sets none in vain', () => {
    const used = whens.flatMap((when) => matches(when, /\bstoryTracker\.(\w+)(?![\w.]|\s*&&\s*view)/g));
    const views = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id.split('.')[1] ?? ''));
    const keys = used.filter((key) => !views.includes(key));
    const set = matches(code, /'storyTracker\.(signedIn|accountsKnown|noProjects|is[A-Z]\w+|has[A-Z]\w+)'/g);
    assert.deepEqual(sorted(keys), sorted(set));
  });

  it('names in `when` clauses and code only views that it contributes', () => {
    const views = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id));
    for (const when of whens) {
      for (const view of matches(when, /\b(?:view|focusedView) == ([\w.]+)/g)) assert.ok(views.includes(view), view);
    }
    assert.deepEqual(sorted(matches(code, /createTreeView(?:<[^>]*>)?\(\s*'([^']+)'/g)), sorted(views));
  });

  it('describes the tools for agents as they are defined', () => {
    assert.deepEqual(
      languageModelTools.map(({ icon: _, when: __, ...tool }) => tool),
      agentToolNames.map((name) => ({
        name: editorToolName(name),
        toolReferenceName: name,
        displayName: `%tool.${name}%`,
        userDescription: `%tool.${name}.description%`,
        modelDescription: agentTools[name].description,
        canBeReferencedInPrompt: true,
        tags: ['story-tracker', 'stories'],
        inputSchema: agentTools[name].inputSchema,
      })),
    );
    for (const name of agentToolNames) assert.equal(texts[`tool.${name}`], agentTools[name].displayName);
  });

  it('offers tools to agents only where AI features are on and someone is signed in, and Git only where trusted', () => {
    const offered = '!config.chat.disableAIFeatures && storyTracker.signedIn';
    const needGit = ['storyTracker_insertMarker', 'storyTracker_linkCommits'];
    for (const { name, when, icon } of languageModelTools) {
      assert.equal(when, needGit.includes(name) ? `${offered} && isWorkspaceTrusted` : offered, name);
      assert.match(icon, /^\$\([a-z-]+\)$/, name);
    }
  });

  it('offers servers to agents only where that is wished for', () => {
    assert.deepEqual(
      contributes.mcpServerDefinitionProviders.map(({ id, when }) => [id, when]),
      [
        [
          'storyTracker.servers',
          '!config.chat.disableAIFeatures && config.storyTracker.agents.offerServers && storyTracker.signedIn',
        ],
      ],
    );
    assert.match(code, /const PROVIDER = 'storyTracker\.servers'/);
  });

  it('has a text for every key and uses every text', () => {
    const used = matches(manifestText, /"%([\w.]+)%"/g);
    assert.deepEqual(sorted(used), sorted(Object.keys(texts)));
  });

  it('declares exactly the settings that the code reads', () => {
    const read = matches(code, /section\([^)]*\)\.get(?:<[^>]*>)?\(\s*'([\w.]+)'/g).map(
      (name) => `storyTracker.${name}`,
    );
    assert.deepEqual(sorted(read), sorted(Object.keys(contributes.configuration.properties)));
  });

  it('lets no workspace set what decides where a token goes', () => {
    const { properties } = contributes.configuration;
    for (const name of [
      'storyTracker.tokenHeader',
      'storyTracker.clientCertificates',
      'storyTracker.extraCertificates',
      'storyTracker.agents.offerServers',
      ...Object.keys(properties).filter((key) => key.includes('builtIn')),
    ]) {
      assert.equal(properties[name]?.scope, 'machine', name);
      assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes(name), name);
    }
  });

  it('has what the marketplaces show, within what they have room for', () => {
    const { description, categories, keywords, icon, license } = manifest;
    for (const language of ['package.nls.json', 'package.nls.de.json']) {
      const told: Json = JSON.parse(readFileSync(join(root, language), 'utf8'));
      const text = String(told[description.slice(1, -1)]);
      assert.ok(text.length > 30 && text.length <= 145, `${language}: ${text.length}`);
    }
    assert.ok(keywords.length > 5 && keywords.length <= 30 && keywords.length === new Set(keywords).size);
    const known = ['AI', 'Chat', 'Machine Learning', 'Notebooks', 'Other', 'SCM Providers', 'Testing', 'Visualization'];
    for (const category of categories) assert.ok(known.includes(category), category);
    const picture = readFileSync(join(root, icon));
    assert.equal(picture.toString('latin1', 1, 4), 'PNG');
    assert.ok(picture.readUInt32BE(16) >= 128 && picture.readUInt32BE(20) >= 128);
    assert.match(readFileSync(join(root, 'LICENSE'), 'utf8'), new RegExp(`^${license} `));
  });

  it('gives exact versions', () => {
    for (const [name, version] of Object.entries(manifest.devDependencies))
      assert.match(version, /^(?:npm:@types\/vscode@)?\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/, name);
  });

  it('is compiled for the oldest VS Code that it runs on, and for a newer one', () => {
    const { '@types/vscode': oldest = '', 'vscode-newest': newest = '' } = manifest.devDependencies;
    const minor = (version: string) => Number(/1\.(\d+)\.\d+$/.exec(version)?.[1]);
    assert.equal(manifest.engines.vscode, `^${oldest}`);
    assert.ok(minor(newest) > minor(oldest), newest);
  });

  it('names welcome commands that exist', () => {
    const own = new Set(contributes.commands.map(({ command }) => command));
    for (const { contents } of contributes.viewsWelcome) {
      const linked = matches(String(texts[contents.slice(1, -1)]), /\(command:([\w.]+)/g);
      // What goes by itself leads nowhere.
      assert.equal(linked.length > 0, contents !== '%welcome.loading%', contents);
      // VS Code's own, on every desktop.
      const known = new Set([...own, 'workbench.action.configureRuntimeArguments']);
      for (const command of linked) assert.ok(known.has(command), command);
    }
  });

  it('is what the tables of commands, keys and settings in the pages say', () => {
    const read = (path: string) => readFileSync(join(root, path), 'utf8');
    const pages = referencePages(JSON.parse(manifestText), JSON.parse(read('package.nls.json')), read('README.md'));
    for (const [path, text] of Object.entries(pages))
      assert.ok(read(path) === text, `${path} is stale: run "npm run reference" and commit what it writes.`);
  });

  it('has a README that fits a few screens', () => {
    assert.ok(readFileSync(join(root, 'README.md'), 'utf8').split('\n').length <= 251);
  });

  it('has a walkthrough whose links, events and pictures are there', () => {
    const own = new Set(contributes.commands.map(({ command }) => command));
    const views = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id));
    const known = new Set([...own, 'workbench.view.scm', ...views.map((id) => `${id}.focus`)]);
    const opened = /openWalkthrough', '([^']+)'/.exec(code)?.[1];
    const { publisher, name } = manifest;
    assert.deepEqual(
      contributes.walkthroughs.map(({ id }) => `${publisher}.${name}#${id}`),
      [opened],
    );
    for (const { id, description, completionEvents } of steps) {
      const links = matches(String(texts[description.slice(1, -1)]), /\(command:([\w.]+)/g);
      assert.ok(links.length > 0 && completionEvents.length > 0, id);
      for (const command of links) assert.ok(known.has(command), command);
    }
    // VS Code does not notice the commands that rows run.
    for (const [kind, what = ''] of completions) {
      const isTicked = code.includes(`tickStep('${what}')`) || code.includes(`setContext('${what}',`);
      assert.ok(kind === 'onContext' && isTicked, `${kind}:${what}`);
    }
  });

  it('shows a picture of its own at each step, described, and all of them small', () => {
    const size = ({ media }: Step) => statSync(join(root, media.image)).size;
    const total = steps.reduce((sum, step) => sum + size(step), 0);
    assert.ok(total < 40 * 1024, `${total} bytes`);
    assert.equal(new Set(steps.map(({ media }) => media.image)).size, steps.length);
    const packaged = readFileSync(join(root, '.vscodeignore'), 'utf8').split('\n');
    for (const { id, media } of steps) {
      assert.ok(packaged.includes(`!${dirname(media.image)}/*.png`), media.image);
      assert.match(String(texts[media.altText.slice(1, -1)]), /^[A-Z].{30,}\.$/, id);
    }
  });

  it('leads from its packaged pages nowhere but to the web, for what else they name is not in the package', () => {
    const read = (page: string) => readFileSync(join(root, page), 'utf8');
    for (const page of [packagedReadme(read('README.md')), read('CHANGELOG.md')]) {
      const targets = matches(page, /\]\(([^)]+)\)/g);
      assert.deepEqual(
        targets.filter((target) => !/^(?:https:|#)/.test(target)),
        [],
      );
    }
  });

  it('has in its README pictures that are described, and links to pages that are there', () => {
    const targets = [
      ...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/(!?)\[([^\]]+)\]\((?!https:|#)([^)]+)\)/g),
    ];
    const pictures = targets.filter(([, mark]) => mark === '!');
    assert.ok(pictures.length > 2 && pictures.every(([, , words = '']) => /^[A-Z].{20,}$/.test(words)));
    for (const [, , , path = ''] of targets) assert.ok(statSync(join(root, path)).size > 0, path);
  });
});
