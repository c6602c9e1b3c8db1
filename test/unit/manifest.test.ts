import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandIds } from '../../src/commandIds.ts';

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

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: Readonly<Record<string, readonly (MenuItem | SubmenuItem)[]>>;
    readonly submenus: readonly { readonly id: string }[];
    readonly keybindings: readonly Keybinding[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string; readonly icon: string }[] };
    readonly viewsWelcome: readonly { readonly view: string; readonly when: string; readonly contents: string }[];
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
const whens = [...allMenuItems, ...contributes.keybindings, ...contributes.viewsWelcome].map(({ when }) => when ?? '');

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
      ...Object.keys(properties).filter((key) => key.includes('builtIn')),
    ]) {
      assert.equal(properties[name]?.scope, 'machine', name);
      assert.ok(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations.includes(name), name);
    }
  });

  it('gives exact versions', () => {
    for (const [name, version] of Object.entries(manifest.devDependencies))
      assert.match(version, /^\d+\.\d+\.\d+(?:-[a-z]+\.\d+)?$/, name);
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

  it('leads from its pages nowhere but to the web, for what else they name is not in the package', () => {
    for (const page of ['README.md', 'CHANGELOG.md']) {
      const targets = matches(readFileSync(join(root, page), 'utf8'), /\]\(([^)]+)\)/g);
      assert.deepEqual(
        targets.filter((target) => !/^(?:https:|#)/.test(target)),
        [],
      );
    }
  });
});
