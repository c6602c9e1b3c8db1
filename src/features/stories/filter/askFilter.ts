import * as vscode from 'vscode';
import { messageOf } from '../../../core/errors.ts';
import { parseFilter } from '../../../core/filter/filter.ts';
import type { App } from '../../../host/app.ts';
import { withoutIcons } from '../../../host/shell/plainText.ts';
import type { ShownStories } from '../tree/shownStories.ts';
import { completionsOf } from './filterCompletion.ts';
import { type FilterValues, filterValues } from './filterValues.ts';
import { meantFilter } from './meantFilter.ts';

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
    if (sentence !== undefined) return [mistakeRow(sentence)];
    const label = edited === undefined ? vscode.l10n.t('Show Matching Stories') : vscode.l10n.t('Keep Filter');
    const said = row(`$(filter) ${label}`, { filter: text, description: withoutIcons(text), buttons: this.buttons() });
    const meant = this.values && meantFilter(text, this.values);
    if (meant === undefined) return [said];
    return [said, row(`$(lightbulb) ${vscode.l10n.t('Did you mean {0}?', withoutIcons(meant))}`, { filter: meant })];
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

function row(label: string, given: Omit<Row, 'label'>): Row {
  return { label, alwaysShow: true, ...given };
}

function separator(label: string): Row {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

type Needs = Pick<App, 'backlogs'>;

/** Lets a person type a filter; `undefined` when the person turned away. */
export async function askFilter(
  { backlogs }: Needs,
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
