/** The tables of commands, keys and settings in README.md and docs/, made from package.json and its texts. */

interface Menu {
  readonly command?: string;
  readonly when?: string;
}

interface Keybinding {
  readonly command: string;
  readonly key: string;
  readonly mac?: string;
  readonly when?: string;
  readonly args?: { readonly commands?: readonly (string | { readonly command: string })[] };
}

interface Setting {
  readonly order?: number;
  readonly scope?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly enumDescriptions?: readonly string[];
  readonly items?: Pick<Setting, 'enum' | 'enumDescriptions'>;
  readonly markdownDescription: string;
}

export interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: Readonly<Record<string, readonly Menu[]>>;
    readonly keybindings: readonly Keybinding[];
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
  };
}

export type Texts = Readonly<Record<string, string>>;

const PREFIX = 'storyTracker.';

/** The commands that the README begins with, and what each is for. */
const README_COMMANDS: Readonly<Record<string, string>> = {
  findStory: 'open a story by its ID or by words, in all projects',
  filterStories: 'show only some stories, as in `type:bug owner:me`; [`docs/filters.md`](docs/filters.md) has all keys',
  newStoryInTab: 'write a new story in a tab, with all its fields',
  startStory: 'start a story: its state, its owner and its branch, or a worktree of its own',
  finishStory: 'push the branch, finish the story, open the pull request and return to the base branch',
  insertMarker: 'add `[fixes #12]` to the message box of the right repository',
  commitAndFinish: 'commit, and finish the story that the message names',
  linkCommits: 'show commits made earlier on their story',
  attachFiles: 'attach files or folders to a story',
  moveStoryUp: 'move the selected stories up; down, to the top and to the bottom likewise',
  undo: 'undo the last move or edit, up to 100 for each project',
  showOutbox: 'see what waits for its server, what was refused and why',
  copyMyActivity: 'copy what you did since yesterday, for a stand-up',
  checkConnection: 'find the step between you and a server that fails, and the setting that fixes it',
};

/** The settings that the README begins with. */
const README_SETTINGS: readonly string[] = [
  'commit.verb',
  'commit.link',
  'commit.insertActive',
  'branchTemplate',
  'baseBranch',
  'editorsPerStory',
  'codeLinks',
  'notifications',
  'attachmentLimit',
  'pollSeconds',
  'tokenHeader',
  'extraCertificates',
  'clientCertificates',
];

const SCOPES: Readonly<Record<string, string>> = {
  resource: 'user, workspace, folder',
  window: 'user, workspace',
  'machine-overridable': 'user, workspace, folder',
  machine: 'user',
};

/** Every page with a generated part, by its path, as it must be. */
export function referencePages(manifest: Manifest, texts: Texts, readme: string): Readonly<Record<string, string>> {
  const told = new Told(manifest, texts);
  return {
    'README.md': withPart(withPart(readme, 'commands', told.shortCommands()), 'settings', told.shortSettings()),
    'docs/commands.md': told.commandsPage(),
    'docs/settings.md': told.settingsPage(),
  };
}

/** Replaces what stands between the two comments that name a part. */
function withPart(page: string, name: string, part: string): string {
  const [begin, end] = [`<!-- ${name}: npm run reference -->\n`, `\n<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md has no part ${name}.`);
  return `${page.slice(0, from + begin.length)}\n${part}\n${page.slice(to)}`;
}

class Told {
  private readonly contributes: Manifest['contributes'];
  private readonly texts: Texts;

  constructor({ contributes }: Manifest, texts: Texts) {
    this.contributes = contributes;
    this.texts = texts;
  }

  shortCommands(): string {
    const rows = Object.entries(README_COMMANDS).map(([name, use]) => {
      const command = this.contributes.commands.find((one) => one.command === PREFIX + name);
      if (!command) throw new Error(`There is no command ${name}.`);
      return [`*${this.text(command.title)}*`, this.keysOf(command.command), use];
    });
    return table(['command', 'key', 'to'], rows);
  }

  shortSettings(): string {
    const { properties } = this.contributes.configuration;
    const rows = README_SETTINGS.map((name) => {
      const setting = properties[PREFIX + name];
      if (!setting) throw new Error(`There is no setting ${name}.`);
      return [
        code(PREFIX + name),
        valueText(setting.default),
        firstSentence(this.markdown(setting.markdownDescription)),
      ];
    });
    return table(['setting', 'default', 'meaning'], rows);
  }

  commandsPage(): string {
    const shown = this.contributes.commands
      .map(({ command, title }) => ({ command, title: this.text(title), places: this.placesOf(command) }))
      .filter(({ command, places }) => places.length > 0 || this.keysOf(command) !== '')
      .toSorted((one, other) => one.title.localeCompare(other.title, 'en'));
    const rows = shown.map(({ command, title, places }) => [
      `*${title}*`,
      places.join(', '),
      this.keysOf(command),
      code(command),
    ]);
    const intro = `Made from \`package.json\` by \`npm run reference\`. In the Command Palette, all titles begin with *Story Tracker:*. Commands that only
the extension's own rows and links run are left out.`;
    const keys = `Keys of the *Stories* view work while it has the focus. *Preferences: Open Keyboard Shortcuts* changes all of them; search there for "Story Tracker".
[Using Story Tracker](using.md#by-keyboard) has the keys of a story's tab.`;
    const commands = table(['command', 'where', 'key', 'ID'], rows);
    return `# Commands and keys\n\n${intro}\n\n${commands}\n\n## Keys\n\n${keys}\n\n${this.keysTable()}\n`;
  }

  settingsPage(): string {
    const { properties } = this.contributes.configuration;
    const all = Object.entries(properties).toSorted(([, one], [, other]) => (one.order ?? 0) - (other.order ?? 0));
    const rows = all.map(([name, setting]) => [
      code(name),
      valueText(setting.default),
      SCOPES[setting.scope ?? 'window'] ?? '',
      [this.markdown(setting.markdownDescription), ...this.valueTexts(setting)].join('<br>'),
    ]);
    const intro = `Made from \`package.json\` by \`npm run reference\`. What decides where your token goes can be set for the user only, never by a workspace.`;
    return `# Settings\n\n${intro}\n\n${table(['setting', 'default', 'set for', 'meaning'], rows)}\n`;
  }

  private keysTable(): string {
    const rows = this.contributes.keybindings.map((binding) => {
      const title = this.contributes.commands.find(({ command }) => command === boundCommand(binding))?.title ?? '';
      const isStories = binding.when?.includes(`focusedView == ${PREFIX}stories`) === true;
      return [
        keyText(binding.key),
        macText(binding),
        `*${this.text(title)}*`,
        isStories ? '*Stories* view' : 'anywhere else',
      ];
    });
    return table(['key', 'on a Mac', 'command', 'where'], rows);
  }

  /** Where a person finds a command. */
  private placesOf(id: string): readonly string[] {
    const { menus } = this.contributes;
    const inMenu = (menu: string) => (menus[menu] ?? []).filter(({ command }) => command === id);
    const isHidden = inMenu('commandPalette').some(({ when }) => when === 'false');
    const titles = inMenu('view/title').map(({ when = '' }) => (when.includes('activity') ? 'Activity' : 'Stories'));
    const isIn = (...names: readonly string[]) => names.some((name) => inMenu(name).length > 0);
    const scm = Object.keys(menus).filter((name) => name.startsWith('scm/'));
    return [
      ...(isHidden ? [] : ['Command Palette']),
      ...[...new Set(titles)].map((view) => `title of *${view}*`),
      ...(isIn('view/item/context', `${PREFIX}editStory`) ? ['rows'] : []),
      ...(isIn('explorer/context') ? ['Explorer'] : []),
      ...(isIn('editor/title/context') ? ['editor tabs'] : []),
      ...(isIn('editor/context') ? ['editors'] : []),
      ...(isIn(...scm) ? ['Source Control'] : []),
    ];
  }

  private keysOf(id: string): string {
    const bindings = this.contributes.keybindings.filter((binding) => boundCommand(binding) === id);
    return [...new Set(bindings.map(({ key }) => keyText(key)))].join(', ');
  }

  private valueTexts(setting: Setting): readonly string[] {
    const { enum: values = [], enumDescriptions = [] } = setting.items ?? setting;
    return values.map((value, index) => {
      const meaning = this.markdown(enumDescriptions[index] ?? '');
      return meaning === '' ? code(String(value)) : `${valueText(value)}: ${meaning}`;
    });
  }

  private text(key: string): string {
    const text = this.texts[key.replaceAll('%', '')];
    if (text === undefined && key !== '') throw new Error(`There is no text ${key}.`);
    return text ?? '';
  }

  /** As a page shows it: VS Code makes links of settings between number signs. */
  private markdown(key: string): string {
    return this.text(key)
      .replace(/`#([\w.]+)#`/g, '`$1`')
      .replace(/\n+/g, ' ')
      .replaceAll('|', '\\|');
  }
}

/** The command of ours that a key runs, last where it runs several. */
function boundCommand({ command, args }: Keybinding): string {
  const last = command === 'runCommands' ? args?.commands?.at(-1) : command;
  return typeof last === 'string' ? last : (last?.command ?? '');
}

const KEY_NAMES: Readonly<Record<string, string>> = { up: '↑', down: '↓', cmd: '⌘', escape: 'Esc' };
const MAC_NAMES: Readonly<Record<string, string>> = {
  ctrl: '⌃',
  alt: '⌥',
  shift: '⇧',
  enter: '↩',
  delete: '⌦',
  backspace: '⌫',
};

function keyText(key: string): string {
  return parts(key, (part) => KEY_NAMES[part] ?? part[0]?.toUpperCase() + part.slice(1)).join('+');
}

function macText({ key, mac = key }: Keybinding): string {
  return parts(mac, (part) => MAC_NAMES[part] ?? KEY_NAMES[part] ?? part[0]?.toUpperCase() + part.slice(1)).join('');
}

function parts(key: string, name: (part: string) => string): readonly string[] {
  return key.split('+').map((part) => `<kbd>${name(part)}</kbd>`);
}

function code(text: string): string {
  return `\`${text}\``;
}

/** A value as settings.json has it; what is empty says nothing. */
function valueText(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return ['[]', '{}'].includes(text) ? '' : code(text.replaceAll('","', '", "'));
}

function firstSentence(text: string): string {
  return /^.*?[^.]\.(?= [A-Z])/.exec(text)?.[0] ?? text;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
