import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { storiesOf } from '../../core/backlog/backlog.ts';
import { TrackerError } from '../../core/errors.ts';
import { SecretLines } from '../../core/ports/secretLines.ts';
import { isSameProject, type ProjectKey } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import type { ProjectEntry } from '../../host/projects/projectList.ts';
import { todoWords } from '../../host/shell/featureSettings.ts';
import { isolatedInTitle } from '../../host/shell/plainText.ts';
import { pickProject } from '../../host/story/wantedPlace.ts';
import { codeDescription, withoutMarks } from './codeComments.ts';
import {
  AwaitedNumbers,
  isWritable,
  type NumberPlace,
  placeAtSelection,
  placeAtTodo,
  tellWritten,
} from './numberedText.ts';

export type CodeNeeds = Pick<App, 'accounts' | 'backlogs' | 'log' | 'messages' | 'workspaceMemory'>;

type Needs = CodeNeeds & { readonly awaitedNumbers: AwaitedNumbers };

/** The commands of this slice, and what they left waiting. */
export class CodeStories implements vscode.Disposable {
  private readonly needs: Needs;

  /** The workspace remembers under `name` the texts that wait for the numbers of their stories. */
  constructor(needs: CodeNeeds, name: string) {
    const awaitedNumbers = new AwaitedNumbers(needs, name);
    this.needs = { ...needs, awaitedNumbers };
    awaitedNumbers.look(undefined);
  }

  actions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { only }: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    return storyActions(this.needs, document, range, only);
  }

  fromTodo(...args: readonly unknown[]): Promise<void> {
    return createStoryFromTodo(this.needs, ...args);
  }

  fromSelection(...args: readonly unknown[]): Promise<void> {
    return createStoryFromSelection(this.needs, ...args);
  }

  dispose(): void {
    this.needs.awaitedNumbers.dispose();
  }
}

/** What a story is made of, and where its number goes. */
interface CodeStory {
  readonly title: string;
  readonly name: string;
  readonly type: string;
  readonly description: string;
  /** `undefined` where there is no place for it. */
  placeFor(name: string): NumberPlace | undefined;
}

/** Lines around a note that its story shows. */
const AROUND = 3;
const MOST_LINES = 400;

/** Words for what is broken. Whatever else is to be done needs no estimate. */
const BROKEN = /^(?:FIXME|BUG|XXX)$/i;

const { QuickFix, Refactor } = vscode.CodeActionKind;
const FROM_SELECTION = Refactor.append('story');

/** What can be made of the line or the selection, where actions of these kinds are asked for; none for who is not signed in. */
async function storyActions(
  { accounts }: Needs,
  document: vscode.TextDocument,
  range: vscode.Range,
  only: vscode.CodeActionKind | undefined,
): Promise<vscode.CodeAction[]> {
  const isAsked = (kind: vscode.CodeActionKind) => only?.contains(kind) ?? true;
  const found = isAsked(QuickFix) ? placeAtTodo(document, range.start.line, todoWords(document.uri)) : undefined;
  const isSelected = isAsked(FROM_SELECTION) && !range.isEmpty && document.getText(range).trim() !== '';
  if ((!found && !isSelected) || (await accounts.list()).length === 0) return [];
  const action = (title: string, kind: vscode.CodeActionKind, command: string) => {
    const made = new vscode.CodeAction(title, kind);
    made.command = { title, command, arguments: [document.uri, range] };
    return made;
  };
  const { createStoryFromTodo: ofTodo, createStoryFromSelection: ofSelection } = commandIds;
  return [
    ...(found ? [action(vscode.l10n.t('Create Story from {0}', found.todo.word), QuickFix, ofTodo)] : []),
    ...(isSelected ? [action(vscode.l10n.t('Create Story from Selection'), FROM_SELECTION, ofSelection)] : []),
  ];
}

/** Makes a story of the note in a line, and writes its number there: that of the arguments, else the line of the cursor. */
async function createStoryFromTodo(needs: Needs, ...args: readonly unknown[]): Promise<void> {
  await needs.accounts.requireAny();
  const { document, range } = await placeAsked(args);
  const words = todoWords(document.uri);
  const { line } = range.start;
  const found = placeAtTodo(document, line, words);
  if (!found) {
    throw new TrackerError('input', vscode.l10n.t('There is no {0} in a comment on this line.', words.join(', ')));
  }
  const { todo, place } = found;
  const path = pathOf(document);
  const lines = new vscode.Range(Math.max(0, line - AROUND), 0, line + AROUND + 1, 0);
  await createStory(needs, document, {
    title: vscode.l10n.t('New Story from {0}', todo.word),
    name: todo.text === '' ? vscode.l10n.t('{0} in {1}:{2}', todo.word, path, line + 1) : todo.text,
    type: BROKEN.test(todo.word) ? 'bug' : 'chore',
    description: codeDescription(path, line + 1, document.languageId, document.getText(lines).trimEnd()),
    placeFor: () => place,
  });
}

/** Makes a story of what is selected, and writes its number there: that of the arguments, else in the active editor. */
async function createStoryFromSelection(needs: Needs, ...args: readonly unknown[]): Promise<void> {
  await needs.accounts.requireAny();
  const { document, range } = await placeAsked(args);
  const code = document.getText(range);
  if (code.trim() === '') throw new TrackerError('input', vscode.l10n.t('Select the text for the story.'));
  const words = todoWords(document.uri);
  const atTodo = placeAtTodo(document, range.start.line, words);
  const [first = ''] = code.split('\n').filter((line) => withoutMarks(line) !== '');
  const whole = code.split('\n', MOST_LINES).join('\n');
  const lineStart = range.start.line;
  await createStory(needs, document, {
    title: vscode.l10n.t('New Story from Selection'),
    name: withoutMarks(first),
    type: 'feature',
    description: codeDescription(pathOf(document), lineStart + 1, document.languageId, whole.trimEnd()),
    placeFor: (name) => atTodo?.place ?? placeAtSelection(document, range, words[0] ?? 'TODO', name),
  });
}

async function placeAsked([uri, range]: readonly unknown[]) {
  if (uri instanceof vscode.Uri && range instanceof vscode.Range) {
    return { document: await vscode.workspace.openTextDocument(uri), range };
  }
  const editor = vscode.window.activeTextEditor;
  if (editor) return { document: editor.document, range: editor.selection };
  throw new TrackerError('input', vscode.l10n.t('Open the file with the text for the story.'));
}

function pathOf({ uri }: vscode.TextDocument): string {
  return vscode.workspace.asRelativePath(uri, (vscode.workspace.workspaceFolders ?? []).length > 1);
}

/** What was typed and is not safe yet, with what had been proposed for it. */
const DRAFT = 'storyTracker.draft.codeStory';

async function createStory(needs: Needs, document: vscode.TextDocument, story: CodeStory): Promise<void> {
  const { backlogs, log, messages, workspaceMemory } = needs;
  const entry = await projectFor(needs);
  if (!entry || !(await isAgreed(needs, document, story))) return;
  const name = await askName(needs, entry, story);
  if (name === undefined) return;
  await workspaceMemory.update(DRAFT, { proposed: story.name, name });
  const place = (await isWritable(document)) ? story.placeFor(name) : undefined;
  const { key } = entry;
  const after = newestIn(needs, key);
  const { type, description } = story;
  const wanted = { ...key, name: name.trim(), type, description };
  const answer: unknown = await vscode.commands.executeCommand(commandIds.newStory, wanted);
  await workspaceMemory.update(DRAFT, undefined);
  const { storyId } = Object(answer) as { readonly storyId?: unknown };
  if (typeof storyId === 'number') {
    await tellWritten({ log, messages }, place, storyId);
    return;
  }
  if (!place) return;
  await needs.awaitedNumbers.add({ key, story: { name: wanted.name, description }, after, place });
  const host = backlogs.hostOf(key);
  messages.status(vscode.l10n.t('Saved. The ID will be inserted when {0} is reachable.', host));
}

function newestIn({ backlogs }: CodeNeeds, key: ProjectKey): number {
  const backlog = backlogs.peek(key);
  return backlog ? storiesOf(backlog).reduce((newest, { id }) => Math.max(newest, id), 0) : 0;
}

const LAST_PROJECT = 'storyTracker.codeStoryProject';

/** The only project, or the one picked; that of the last time comes first. */
async function projectFor({ backlogs, workspaceMemory }: CodeNeeds): Promise<ProjectEntry | undefined> {
  const entries = await backlogs.requireProjects();
  const last = workspaceMemory.get<ProjectKey | null>(LAST_PROJECT) ?? undefined;
  const isLast = ({ key }: ProjectEntry) => last !== undefined && isSameProject(key, last);
  const picked = await pickProject([...entries.filter(isLast), ...entries.filter((entry) => !isLast(entry))]);
  if (picked && entries.length > 1) await workspaceMemory.update(LAST_PROJECT, picked.key);
  return picked;
}

/** Asks once for all that one should know: where the number cannot be written, and what the code should not tell. */
async function isAgreed({ messages }: CodeNeeds, document: vscode.TextDocument, story: CodeStory): Promise<boolean> {
  const sentences = [
    ...(vscode.workspace.isTrusted
      ? []
      : [vscode.l10n.t('This workspace is in Restricted Mode. The story will contain code from it.')]),
    ...((await isWritable(document))
      ? story.placeFor(story.name)
        ? []
        : [vscode.l10n.t('The ID cannot be inserted because comments of this language are not known.')]
      : [vscode.l10n.t('The ID cannot be inserted because this file is read-only.')]),
    ...secretsIn(story.description),
  ];
  if (sentences.length === 0) return true;
  const create = vscode.l10n.t('Create Story');
  const question = vscode.l10n.t('Create a story from {0}?', pathOf(document));
  return (await messages.ask(question, sentences.join('\n'), create)) === create;
}

function secretsIn(text: string): readonly string[] {
  const lines = new SecretLines();
  const [found] = text.split('\n').flatMap((line) => lines.take(line));
  if (!found) return [];
  return [
    vscode.l10n.t(
      'The text may contain a secret ({0}). Everyone who can see the story can read it.',
      found.masked ?? '',
    ),
  ];
}

/** Proposes the text of the note; what was typed for it the last time and refused comes again. */
async function askName(
  { workspaceMemory }: CodeNeeds,
  { project }: ProjectEntry,
  { title, name }: CodeStory,
): Promise<string | undefined> {
  const draft = workspaceMemory.get<{ readonly proposed: string; readonly name: string }>(DRAFT);
  return vscode.window.showInputBox({
    title: `${title} · ${isolatedInTitle(project.name)}`,
    prompt: vscode.l10n.t('Story name'),
    value: draft?.proposed === name ? draft.name : name.slice(0, LONGEST_NAME),
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a story name.') : undefined),
  });
}

/** Characters of a name that is proposed. */
const LONGEST_NAME = 300;
