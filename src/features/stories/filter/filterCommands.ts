import * as vscode from 'vscode';
import { messageOf, TrackerError } from '../../../core/errors.ts';
import { parseFilter } from '../../../core/filter/filter.ts';
import { quoted } from '../../../core/filter/filterTerms.ts';
import type { App } from '../../../host/app.ts';
import { isPlainObject } from '../../../host/shell/commands.ts';
import { withoutIcons } from '../../../host/shell/plainText.ts';
import { SavedFilterNode } from '../../../host/tree/nodes.ts';
import type { ShownStories } from '../tree/shownStories.ts';
import {
  completionsOf,
  type FilterValues,
  filterValues,
  meantFilter,
  mendedFilter,
  unknownValue,
} from './filterCompletion.ts';
import { putSavedFilter, removeSavedFilter, type SavedFilter, savedFilters } from './savedFilters.ts';

type Needs = Pick<App, 'backlogs' | 'messages'>;

/** Shows only the stories that fit a filter: the one a program gives as `{ filter }`, or the one a person types. */
export async function filterStories(
  needs: Pick<Needs, 'backlogs'>,
  shown: ShownStories,
  argument: unknown,
): Promise<void> {
  if (isPlainObject(argument)) return shown.filter(givenFilter(argument));
  await shown.current();
  const asked = await askFilter(needs, shown, { title: vscode.l10n.t('Filter Stories'), applied: shown.filterText });
  if (asked?.isToSave) await saveAs(asked.text);
  else if (asked) await shown.filter(asked.text);
}

function givenFilter({ filter }: Readonly<Record<string, unknown>>): string {
  if (typeof filter === 'string') return filter;
  throw new TrackerError('input', vscode.l10n.t('Pass the filter as { filter: string }.'));
}

const NAME_SUGGESTED = 40;

/** Gives a name to the filter of a program, `{ name, filter }`, to the one that is shown, or else to one that is typed. */
export async function saveFilter(needs: Needs, shown: ShownStories, argument: unknown): Promise<void> {
  if (isPlainObject(argument)) return putSavedFilter(given(argument));
  const asked = shown.filterText ?? (await askFilter(needs, shown, { title: vscode.l10n.t('Save Filter') }))?.text;
  if (asked) await saveAs(asked);
}

/** Asks for a name and saves the filter under it. */
async function saveAs(filter: string): Promise<void> {
  parseFilter(filter);
  const name = await askName(vscode.l10n.t('Save Filter'), filter.slice(0, NAME_SUGGESTED).trim());
  if (name !== undefined) await putSavedFilter({ name, filter });
}

export async function editFilter(needs: Needs, shown: ShownStories, argument: unknown): Promise<void> {
  const saved = await theFilter(argument, vscode.l10n.t('Edit which filter?'));
  if (!saved) return;
  const title = vscode.l10n.t('Edit Filter “{0}”', saved.name);
  const asked = await askFilter(needs, shown, { title, text: saved.filter });
  if (asked?.text) await putSavedFilter({ name: saved.name, filter: asked.text });
}

export async function renameFilter(argument: unknown): Promise<void> {
  const saved = await theFilter(argument, vscode.l10n.t('Rename which filter?'));
  if (!saved) return;
  const name = await askName(vscode.l10n.t('Rename Filter “{0}”', saved.name), saved.name, saved.name);
  if (name !== undefined) await putSavedFilter({ ...saved, name }, saved.name);
}

export async function removeFilter({ messages }: Needs, argument: unknown): Promise<void> {
  const saved = await theFilter(argument, vscode.l10n.t('Remove which filter?'));
  if (!saved) return;
  await removeSavedFilter(saved.name);
  if (isPlainObject(argument)) return;
  const undo = vscode.l10n.t('Undo');
  void messages.info(vscode.l10n.t('Removed the filter “{0}”.', saved.name), undo).then(async (answer) => {
    if (answer === undo) await putSavedFilter(saved);
  });
}

function given({ name, filter }: Readonly<Record<string, unknown>>): SavedFilter {
  if (typeof name !== 'string' || name.trim() === '' || typeof filter !== 'string' || filter.trim() === '') {
    throw new TrackerError('input', vscode.l10n.t('Pass the filter as { name: string, filter: string }.'));
  }
  parseFilter(filter);
  return { name: name.trim(), filter: filter.trim() };
}

/** The one of the row, the one a program names with `{ name }`, or the one picked; `undefined`: turned away. */
async function theFilter(argument: unknown, placeHolder: string): Promise<SavedFilter | undefined> {
  const all = savedFilters();
  const name = argument instanceof SavedFilterNode ? argument.name : nameIn(argument);
  if (name !== undefined) {
    const found = all.find((one) => one.name === name);
    if (found) return found;
    throw new TrackerError('notFound', vscode.l10n.t('No saved filter is named “{0}”.', name));
  }
  if (all.length === 0) throw new TrackerError('notFound', vscode.l10n.t('No saved filters yet.'));
  const items = all.map((saved) => ({
    label: withoutIcons(saved.name),
    description: withoutIcons(saved.filter),
    saved,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.saved;
}

function nameIn(argument: unknown): string | undefined {
  if (!isPlainObject(argument)) return undefined;
  return typeof argument.name === 'string' ? argument.name : '';
}

async function askName(title: string, value: string, itself?: string): Promise<string | undefined> {
  const taken = savedFilters().map(({ name }) => name);
  const name = await vscode.window.showInputBox({
    ...{ title, value, prompt: vscode.l10n.t('Name of its row in the Stories view') },
    validateInput: (typed) => {
      const wanted = typed.trim();
      if (wanted === '') return vscode.l10n.t('Enter a filter name.');
      return wanted !== itself && taken.includes(wanted)
        ? vscode.l10n.t('A filter with this name already exists.')
        : undefined;
    },
  });
  return name?.trim();
}

interface Row extends vscode.QuickPickItem {
  /** The filter to show when the row is chosen. */
  readonly filter?: string;
  /** How the row goes on with what was typed. */
  readonly text?: string;
}

interface FilterQuestion {
  readonly title: string;
  /** The filter that is shown in the tree; the box can end it, and can save filters. */
  readonly applied?: string | undefined;
  /** The filter to begin with where none is applied: one that is being edited. */
  readonly text?: string;
}

interface AskedFilter {
  /** Empty for none. */
  readonly text: string;
  /** It is to be given a name rather than to be shown. */
  readonly isToSave: boolean;
}

/** A box to type a filter in, which completes keys and values and says what it does not understand. */
class FilterBox implements vscode.Disposable {
  private readonly pick = vscode.window.createQuickPick<Row>();
  private readonly history: readonly string[];
  private readonly question: FilterQuestion;
  private values: FilterValues | undefined;
  private readonly save: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('save'),
    tooltip: vscode.l10n.t('Save as a Row in the Stories View…'),
  };

  /** `values` come when they are known. */
  constructor(question: FilterQuestion, history: readonly string[], values: Promise<FilterValues>) {
    const applied = question.applied ?? question.text;
    this.question = question;
    this.history = history.filter((text) => text !== applied);
    this.pick.title = question.title;
    this.pick.placeholder = vscode.l10n.t('Example: state:started -owner:me label:"to do" sort:updated words');
    this.pick.value = applied ?? '';
    // Not in the typings; without it VS Code would put its own order over ours.
    if ('sortByLabel' in this.pick) Object.assign(this.pick, { sortByLabel: false });
    this.pick.onDidChangeValue(() => this.show());
    void values.then((known) => {
      this.values = known;
      this.show();
    });
    this.show();
  }

  /** `undefined` when the person turned away. */
  ask(): Promise<AskedFilter | undefined> {
    const answered = new Promise<AskedFilter | undefined>((resolve) => {
      this.pick.onDidAccept(() => {
        const [row] = this.pick.selectedItems;
        if (row?.filter !== undefined) resolve({ text: row.filter, isToSave: false });
        else if (row?.text !== undefined) this.goOn(row.text);
      });
      this.pick.onDidTriggerItemButton(({ item }) => resolve({ text: item.filter ?? '', isToSave: true }));
      this.pick.onDidHide(() => resolve(undefined));
    });
    this.pick.show();
    return answered;
  }

  dispose(): void {
    this.pick.dispose();
  }

  private goOn(text: string): void {
    this.pick.value = text;
    this.show();
  }

  private show(): void {
    const typed = this.pick.value;
    const { list, isUnfinished } = this.values ? completionsOf(typed, this.values) : { list: [], isUnfinished: false };
    const suggested = list.map(({ label, text }) => row(withoutIcons(label), { text }));
    const said = this.saidOf(typed);
    const keys =
      typed.trim() === '' ? [...this.used(), separator(vscode.l10n.t('search for')), ...suggested] : suggested;
    this.pick.items = isUnfinished ? [...keys, ...said] : [...said, ...keys];
    this.pick.busy = this.values === undefined;
  }

  /** What choosing the filter as it stands would do. */
  private saidOf(typed: string): readonly Row[] {
    const text = typed.trim();
    const { applied, text: edited } = this.question;
    if (text === '') {
      return applied === undefined ? [] : [row(`$(clear-all) ${vscode.l10n.t('Show All Stories')}`, { filter: '' })];
    }
    const sentence = mistakeIn(text);
    if (sentence !== undefined)
      return [mistakeRow(sentence), ...meantRow(this.values && mendedFilter(text, this.values))];
    const label = edited === undefined ? vscode.l10n.t('Show Matching Stories') : vscode.l10n.t('Keep Filter');
    const unknown = this.values && unknownValue(text, this.values);
    const said = row(`$(filter) ${label}`, {
      ...{ filter: text, description: withoutIcons(text), buttons: this.buttons() },
      ...(unknown && { detail: withoutIcons(unknownText(unknown)) }),
    });
    return [said, ...meantRow(this.values && meantFilter(text, this.values))];
  }

  private used(): readonly Row[] {
    if (this.history.length === 0) return [];
    const rows = this.history.map((text) =>
      row(`$(history) ${withoutIcons(text)}`, { filter: text, buttons: this.buttons() }),
    );
    return [separator(vscode.l10n.t('recently used')), ...rows];
  }

  private buttons(): readonly vscode.QuickInputButton[] {
    return 'applied' in this.question ? [this.save] : [];
  }
}

function mistakeIn(text: string): string | undefined {
  try {
    parseFilter(text);
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}

/** A long sentence has its first part on a line of its own. */
function mistakeRow(sentence: string): Row {
  const [first, rest] = withoutIcons(sentence).split(/(?<=\.) (.*)/s);
  return row(`$(warning) ${first ?? ''}`, rest ? { detail: rest } : {});
}

function meantRow(meant: string | undefined): readonly Row[] {
  if (meant === undefined) return [];
  return [row(`$(lightbulb) ${vscode.l10n.t('Did you mean {0}?', withoutIcons(meant))}`, { filter: meant })];
}

function unknownText({ key, value }: { readonly key: string; readonly value: string }): string {
  return vscode.l10n.t('None of the loaded stories has {0}.', `${key}:${quoted(value)}`);
}

function row(label: string, given: Omit<Row, 'label'>): Row {
  return { label, alwaysShow: true, ...given };
}

function separator(label: string): Row {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

type AskNeeds = Pick<App, 'backlogs'>;

/** Lets a person type a filter; `undefined` when the person turned away. */
async function askFilter(
  { backlogs }: AskNeeds,
  shown: ShownStories,
  question: FilterQuestion,
): Promise<AskedFilter | undefined> {
  const projects = await backlogs.requireProjects();
  const loaded = projects.flatMap(({ key }) => backlogs.peek(key) ?? []);
  const box = new FilterBox(question, shown.history, filterValues(loaded));
  try {
    return await box.ask();
  } finally {
    box.dispose();
  }
}
