import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { typeWord } from '../../../core/backlog/stateWords.ts';
import { storyTypes } from '../../../core/backlog/workflow.ts';
import { messageOf, TrackerError } from '../../../core/errors.ts';
import type { WantedPlace } from '../../../core/moves/newPlaces.ts';
import { isSameProject } from '../../../core/story/projectKey.ts';
import type { NewStory } from '../../../core/story/story.ts';
import type { App } from '../../../host/app.ts';
import type { ProjectEntry } from '../../../host/projects/projectList.ts';
import { callerOf, programArguments } from '../../../host/shell/commands.ts';
import { isolatedInTitle, withoutIcons } from '../../../host/shell/plainText.ts';
import { storyFieldsIn } from '../../../host/story/storyFieldsArgument.ts';
import { iconOfType } from '../../../host/story/storyIcons.ts';
import { placeFrom, projectFor } from '../../../host/story/wantedPlace.ts';
import { BY_KEY, type TreeNode } from '../../../host/tree/nodes.ts';
import {
  answerFor,
  type CreateNeeds,
  createStories,
  type NewStoryAnswer,
  placeText,
  revealFirst,
} from './createStories.ts';
import { isPaste, MOST_NAMES, namesIn, pastedNames } from './pastedNames.ts';

type Needs = CreateNeeds & Pick<App, 'workspaceMemory'>;

/** What was typed and is not safe yet; of several stories a line each. */
const DRAFT = 'storyTracker.draft.newStory';

/**
 * Makes the story that a program names, else asks for name and type and makes it where it was asked from. Without its server
 * it waits in the outbox; a name that is refused, given no type or left in the box is offered again.
 */
export async function newStory(needs: Needs, ...args: readonly unknown[]): Promise<NewStoryAnswer | undefined> {
  const given = programArguments(args);
  const isNamed = given.name !== undefined || callerOf(args) === 'program';
  return isNamed ? newNamedStory(needs, given) : askForStories(needs, args[0]);
}

/** @throws TrackerError `input` that says how to pass what is not passed as contract.md has it. */
async function newNamedStory(needs: Needs, given: Readonly<Record<string, unknown>>): Promise<NewStoryAnswer> {
  const entries = await needs.backlogs.requireProjects();
  const { name, ...fields } = storyFieldsIn(vscode, given);
  if (name === undefined) {
    const form = '{ name: string, projectId?: number, type?, description?, estimate?, labels?, ownedBy?, place? }';
    throw new TrackerError('input', vscode.l10n.t('Pass the story as {0}.', form));
  }
  const place = namedPlace(given.place);
  const { key } = namedProject(needs, entries, given);
  const { made, refused } = await createStories(needs, key, [{ ...fields, name }], place);
  const [only] = made;
  if (!only) throw refused[0]?.problem;
  return answerFor(only);
}

function namedPlace(place: unknown): 'top' | 'bottom' | 'icebox' {
  if (place === undefined) return 'icebox';
  if (place === 'top' || place === 'bottom' || place === 'icebox') return place;
  throw new TrackerError('input', vscode.l10n.t('Pass {0} as {1}.', 'place', '"top" | "bottom" | "icebox"'));
}

/** The one that is named, else that of the selected row, else the only one. */
function namedProject(
  { storiesView }: Needs,
  entries: readonly ProjectEntry[],
  { projectId, accountId }: Readonly<Record<string, unknown>>,
): ProjectEntry {
  if (projectId !== undefined && typeof projectId !== 'number') {
    throw new TrackerError('input', vscode.l10n.t('Pass {0} as {1}.', 'projectId', 'number'));
  }
  const ofAccount = entries.filter(({ key }) => accountId === undefined || key.accountId === accountId);
  const meant = ofAccount.filter(({ key }) => projectId === undefined || key.projectId === projectId);
  const selected = projectId === undefined ? entryOf(meant, storiesView.selection()[0]) : undefined;
  const [first, another] = meant;
  if (!first) throw new TrackerError('notFound', vscode.l10n.t('Could not find project {0}.', String(projectId)));
  if (selected || !another || projectId !== undefined) return selected ?? first;
  const ids = meant.map(({ key }) => key.projectId).join(', ');
  throw new TrackerError('input', vscode.l10n.t('Pass the project as { projectId: number }, one of {0}.', ids));
}

function entryOf(entries: readonly ProjectEntry[], row: TreeNode | undefined): ProjectEntry | undefined {
  const key = row && 'key' in row ? row.key : undefined;
  return key && entries.find((entry) => isSameProject(entry.key, key));
}

/** How often someone began to name stories. */
let begun = 0;

async function askForStories(needs: Needs, from: unknown): Promise<NewStoryAnswer | undefined> {
  const { storiesView, workspaceMemory } = needs;
  const beginning = ++begun;
  const [selected] = storiesView.selection();
  const row = from === BY_KEY ? selected : from;
  const entry = await projectFor(needs.backlogs, row ?? selected);
  if (!entry) return undefined;
  const place = placeFrom(row);
  const names = await askNames(needs, entry, place);
  if (!names) return undefined;
  await workspaceMemory.update(DRAFT, names.join('\n'));
  const type = await askType(names.length);
  if (!type) return undefined;
  const stories = names.map((name): NewStory => ({ name, type }));
  const { made, refused } = await createStories(needs, entry.key, stories, place);
  const left = refused.map(({ wanted }) => wanted.story.name).join('\n');
  await workspaceMemory.update(DRAFT, left === '' ? undefined : left);
  // Whoever is naming the next one by then keeps the focus.
  await revealFirst(needs, entry.key, made, () => beginning === begun);
  if (refused.length > 0) throw partlyRefused(refused, names.length);
  const [only] = made;
  return only && answerFor(only);
}

function partlyRefused(refused: readonly { readonly problem: unknown }[], of: number): TrackerError {
  const reasons = [...new Set(refused.map(({ problem }) => messageOf(problem)))].join(' ');
  return new TrackerError(
    'refused',
    vscode.l10n.t('Could not create {0} of {1} stories. {2}', refused.length, of, reasons),
  );
}

/** What is typed, or the lines of what is pasted once they were seen. `undefined`: turned away. */
async function askNames(
  { backlogs, workspaceMemory }: Needs,
  { key, project }: ProjectEntry,
  place: WantedPlace,
): Promise<readonly string[] | undefined> {
  const kept: unknown = workspaceMemory.get(DRAFT);
  const draft = typeof kept === 'string' ? kept : '';
  const refused = namesIn(draft);
  const where = whereText(isolatedInTitle(project.name), place, backlogs.peek(key)?.iterations[0]?.number);
  if (draft.includes('\n') && refused.length > 1) {
    const names = await confirmNames(refused, where);
    if (names) return names;
    await workspaceMemory.update(DRAFT, undefined);
  }
  const title = vscode.l10n.t('New Story in {0}', where);
  const box = new NameBox(title, draft.includes('\n') ? '' : draft);
  const [name, ...others] = await box.names;
  if (name === undefined) {
    await workspaceMemory.update(DRAFT, box.text.trim() === '' ? undefined : box.text);
    return undefined;
  }
  return others.length > 0 ? confirmNames([name, ...others], where) : [name];
}

/** As it is put into a title. */
function whereText(project: string, place: WantedPlace, current: number | undefined): string {
  if (place === 'icebox') return `${project}, ${placeText({ list: 'icebox' })}`;
  if (typeof place !== 'object') return project;
  if ('behind' in place) return vscode.l10n.t('{0} After #{1}', project, place.behind.id);
  const number = place.iteration;
  return `${project}, ${placeText(number === current ? { list: 'current', number } : { list: 'backlog', number })}`;
}

/** Those that are left ticked; `undefined` when the person turned away. */
async function confirmNames(names: readonly string[], where: string): Promise<readonly string[] | undefined> {
  const items = names.slice(0, MOST_NAMES).map((name) => ({ label: withoutIcons(name), name, picked: true }));
  const isMore = names.length > MOST_NAMES;
  const picked = await vscode.window.showQuickPick(items, {
    title: isMore
      ? vscode.l10n.t('Create the First {0} of {1} Stories in {2}', MOST_NAMES, names.length, where)
      : vscode.l10n.t('Create {0} Stories in {1}', names.length, where),
    placeHolder: vscode.l10n.t('One story for each selected line'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked && picked.length > 0 ? picked.map(({ name }) => name) : undefined;
}

async function askType(count: number): Promise<string | undefined> {
  const items = storyTypes.map((type) => ({ label: `$(${iconOfType(type)}) ${typeWord(type)}`, type }));
  const placeHolder = count === 1 ? vscode.l10n.t('Story type') : vscode.l10n.t('Type of the {0} stories', count);
  return (await vscode.window.showQuickPick(items, { placeHolder, ignoreFocusOut: true }))?.type;
}

/** Milliseconds that Enter right after a paste waits for the clipboard: a browser may ask the person first, who need not answer. */
const CLIPBOARD_WAIT_MS = 300;

/**
 * The box in which new stories are named. Only a paste has the clipboard read, which has the line breaks that the box leaves out;
 * where it cannot be read, or not yet, what the box has is one name.
 */
class NameBox {
  /** What was typed, or the several lines of what was pasted. Empty: turned away; `text` has what was left. */
  readonly names: Promise<readonly string[]>;
  private readonly box = vscode.window.createInputBox();
  private before: string;
  /** Whether the box has what a paste left in it. */
  private isPasted = false;
  private pasted: readonly string[] = [];
  /** While the clipboard is being read. */
  private reading: Promise<unknown> | undefined;
  private isAccepting = false;

  constructor(title: string, value: string) {
    const { box } = this;
    this.before = value;
    box.title = title;
    box.prompt = vscode.l10n.t('What should be possible, or what is wrong?');
    box.value = value;
    box.valueSelection = [0, value.length];
    box.ignoreFocusOut = true;
    this.names = new Promise((resolve) => {
      const finish = (names: readonly string[]) => {
        resolve(names);
        box.dispose();
      };
      box.onDidHide(() => finish([]));
      box.onDidChangeValue((typed) => this.follow(typed));
      box.onDidAccept(() => void this.accept(finish));
    });
    box.show();
  }

  /** What is in the box, or was when it was closed. */
  get text(): string {
    return this.before;
  }

  private follow(typed: string): void {
    this.isPasted = isPaste(this.before, typed);
    this.before = typed;
    this.pasted = [];
    this.box.validationMessage = typed.trim() === '' ? enterName() : undefined;
    // What is not answered yet is not asked again: the person would be asked as often.
    if (this.isPasted) this.reading ??= this.readLines();
  }

  private async readLines(): Promise<void> {
    try {
      const text = await vscode.env.clipboard.readText();
      if (this.isPasted) this.pasted = pastedNames(this.before, text);
    } catch {
      // A clipboard that may not be read is as one without lines.
      this.pasted = [];
    } finally {
      this.reading = undefined;
    }
    if (this.pasted.length > 0) this.box.validationMessage = linesText(this.pasted.length);
  }

  private async accept(finish: (names: readonly string[]) => void): Promise<void> {
    if (this.isAccepting) return;
    if (this.before.trim() === '') {
      this.box.validationMessage = enterName();
      return;
    }
    this.isAccepting = true;
    if (this.isPasted) await Promise.race([this.reading, sleep(CLIPBOARD_WAIT_MS)]);
    this.isAccepting = false;
    finish(this.pasted.length > 1 ? this.pasted : [this.before]);
  }
}

function enterName(): string {
  return vscode.l10n.t('Enter a story name.');
}

function linesText(count: number): vscode.InputBoxValidationMessage {
  const message = vscode.l10n.t('Press Enter to choose which of these {0} lines become stories.', count);
  return { message, severity: vscode.InputBoxValidationSeverity.Info };
}
