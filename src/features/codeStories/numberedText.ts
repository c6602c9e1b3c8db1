import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.ts';
import { commentMarks, inComment, isComment } from '../../core/mentions/commentMarks.ts';
import { isSameProject, type ProjectKey } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import { madeSince } from '../../host/story/newStories.ts';
import { numberText, type Todo, todoIn } from './codeComments.ts';

/** Where in a document the number of a story goes, found again by the text of its line since lines move. */
export interface NumberPlace {
  readonly uri: string;
  /** 0-based, when it was asked for. */
  readonly line: number;
  /** That of the line. */
  readonly lineText: string;
  /** Characters from the beginning of the line. */
  readonly insertAt: number;
  readonly around: Todo['around'];
}

/** At the note of its line; `undefined` where the line has none. */
export function placeAtTodo(
  document: vscode.TextDocument,
  line: number,
  words: readonly string[],
): { readonly todo: Todo; readonly place: NumberPlace } | undefined {
  const { text } = document.lineAt(line);
  const todo = todoIn(text, words);
  if (!todo) return undefined;
  const { insertAt, around } = todo;
  return { todo, place: { uri: document.uri.toString(), line, lineText: text, insertAt, around } };
}

/**
 * Behind a selection that is text, as comments are; else in a comment of its own above it that has the first of these words and
 * the name of the story. `undefined` where nobody knows what a comment looks like.
 */
export function placeAtSelection(
  document: vscode.TextDocument,
  range: vscode.Range,
  word: string,
  name: string,
): NumberPlace | undefined {
  const uri = document.uri.toString();
  const { languageId } = document;
  const [first, end] = [document.lineAt(range.start.line), endOf(document, range)];
  const last = document.lineAt(end.line);
  if (isComment(first.text) || languageId === 'plaintext' || languageId === 'markdown') {
    const line = { line: last.lineNumber, lineText: last.text };
    return { uri, ...line, insertAt: end.character, around: [' (', ')'] };
  }
  const marks = commentMarks(languageId, linesOf(document));
  if (!marks) return undefined;
  const indent = first.text.slice(0, first.firstNonWhitespaceCharacterIndex);
  const [before, after] = marks;
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  return {
    ...{ uri, line: first.lineNumber, lineText: first.text, insertAt: 0 },
    around: [`${indent}${before}${word}(`, `): ${inComment(name, marks)}${after}${lineEnd}`],
  };
}

/** The end of what is selected, without the blanks and line breaks after it. */
function endOf(document: vscode.TextDocument, range: vscode.Range): vscode.Position {
  const text = document.getText(range).trimEnd();
  return document.positionAt(document.offsetAt(range.start) + text.length);
}

/** Lines by which a language is guessed. */
const LOOKED_AT = 500;

function linesOf(document: vscode.TextDocument): readonly string[] {
  const count = Math.min(document.lineCount, LOOKED_AT);
  return Array.from({ length: count }, (_, line) => document.lineAt(line).text);
}

/**
 * Writes the number of a story where it goes, as one edit that can be undone; `false` where its line is not there any more, or
 * the document cannot be changed.
 */
async function writeNumber(place: NumberPlace, storyId: number): Promise<boolean> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.uri, true));
  const line = lineNow(document, place);
  if (line === undefined) return false;
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(line, place.insertAt), numberText(place.around, storyId));
  return vscode.workspace.applyEdit(edit);
}

/** The line of this text that is nearest to where it was. */
function lineNow(document: vscode.TextDocument, { line, lineText }: NumberPlace): number | undefined {
  const is = (at: number) => at >= 0 && at < document.lineCount && document.lineAt(at).text === lineText;
  for (let away = 0; away <= Math.max(line, document.lineCount); away += 1) {
    if (is(line - away)) return line - away;
    if (is(line + away)) return line + away;
  }
  return undefined;
}

/** Whether the document can be changed, as far as its file system says. */
export async function isWritable({ uri, isUntitled }: vscode.TextDocument): Promise<boolean> {
  if (isUntitled) return true;
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== true) return false;
  try {
    const { permissions = 0 } = await vscode.workspace.fs.stat(uri);
    return (permissions & vscode.FilePermission.Readonly) === 0;
  } catch {
    // A file that is not there yet is made when it is saved.
    return true;
  }
}

type NumberNeeds = Pick<App, 'backlogs' | 'log' | 'messages' | 'workspaceMemory'>;

/** A story that its server did not have yet, and where its number goes once it has. */
interface AwaitedNumber {
  readonly key: ProjectKey;
  readonly story: { readonly name: string; readonly description: string };
  /** The newest number that was known: its own is higher. */
  readonly after: number;
  readonly place: NumberPlace;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** After so long a number is not waited for any more: the story may have been discarded. */
const LONGEST_MS = 30 * 86_400_000;

/** Writes the numbers of stories into the texts that they came from once servers have given them, after a reload too. */
export class AwaitedNumbers implements vscode.Disposable {
  private readonly needs: NumberNeeds;
  private readonly name: string;
  private readonly listening: { dispose(): unknown };
  private writing: Promise<void> = Promise.resolve();
  /** Since when those are waited for whose project was read after they were sent. */
  private readonly read = new Set<number>();

  /** The workspace remembers under `name` what is waited for. */
  constructor(needs: NumberNeeds, name: string) {
    this.needs = needs;
    this.name = name;
    this.listening = needs.backlogs.onDidChange((key) => this.look(key));
  }

  async add(awaited: Omit<AwaitedNumber, 'since'>): Promise<void> {
    await this.keep([...this.all(), { ...awaited, since: Date.now() }]);
    this.look(awaited.key);
  }

  /** Sees whether numbers have come that are waited for in a project, or in any. */
  look(key: ProjectKey | undefined): void {
    const isMeant = (one: AwaitedNumber) => !key || isSameProject(one.key, key);
    if (!this.all().some(isMeant)) return;
    this.writing = this.writing
      .then(() => this.writeKnown())
      .catch((thrown: unknown) => this.needs.log.warn(messageOf(thrown)));
  }

  dispose(): void {
    this.listening.dispose();
  }

  private async writeKnown(): Promise<void> {
    for (const one of this.all()) {
      const storyId = this.numberOf(one) ?? (await this.numberAfterReading(one));
      const isOver = Date.now() - one.since > LONGEST_MS;
      if (storyId === undefined && !isOver) continue;
      await this.keep(this.all().filter((other) => other.since !== one.since || other.place.uri !== one.place.uri));
      if (storyId !== undefined) await tellWritten(this.needs, one.place, storyId);
    }
  }

  /** Of a project that is not shown, which need not have been read since the story was sent. */
  private async numberAfterReading(one: AwaitedNumber): Promise<number | undefined> {
    const { backlogs } = this.needs;
    const { key, story, since } = one;
    const waits = backlogs.unsent.some(({ intent, project }) => {
      return intent.kind === 'newStory' && intent.story.name === story.name && isSameProject(project, key);
    });
    if (waits || this.read.has(since)) return undefined;
    this.read.add(since);
    try {
      await backlogs.reload(key);
    } catch (thrown) {
      this.read.delete(since);
      throw thrown;
    }
    return this.numberOf(one);
  }

  private numberOf({ key, story, after }: AwaitedNumber): number | undefined {
    return madeSince(this.needs.backlogs, key, story, (id) => id > after);
  }

  private all(): readonly AwaitedNumber[] {
    const kept: unknown = this.needs.workspaceMemory.get(this.name);
    return Array.isArray(kept) ? kept.filter(isAwaited) : [];
  }

  private async keep(all: readonly AwaitedNumber[]): Promise<void> {
    await this.needs.workspaceMemory.update(this.name, all.length > 0 ? all : undefined);
  }
}

/** Other versions of ours may have written what is remembered. */
function isAwaited(value: unknown): value is AwaitedNumber {
  const { key, story, after, place, since } = fieldsOf(value);
  const { uri, line, lineText, insertAt, around } = fieldsOf(place);
  const texts = [fieldsOf(key).accountId, fieldsOf(story).name, fieldsOf(story).description, uri, lineText];
  const numbers = [fieldsOf(key).projectId, after, since, line, insertAt];
  return (
    texts.every((one) => typeof one === 'string') &&
    numbers.every((one) => typeof one === 'number') &&
    Array.isArray(around)
  );
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Writes the number of a story where it goes, and says so; where it cannot be written, offers it. */
export async function tellWritten(
  { log, messages }: Pick<NumberNeeds, 'log' | 'messages'>,
  place: NumberPlace | undefined,
  storyId: number,
): Promise<void> {
  const isWritten =
    place !== undefined &&
    (await writeNumber(place, storyId).catch((thrown: unknown) => {
      log.warn(messageOf(thrown));
      return false;
    }));
  if (isWritten) {
    messages.status(vscode.l10n.t('Created story #{0} and inserted its ID.', storyId));
    return;
  }
  const copy = vscode.l10n.t('Copy ID');
  const text = place
    ? vscode.l10n.t('Created story #{0}. Its ID was not inserted because the text has changed.', storyId)
    : vscode.l10n.t('Created story #{0}. Its ID was not inserted.', storyId);
  void messages.info(text, copy).then(async (answer) => {
    if (answer === copy) await vscode.env.clipboard.writeText(`#${storyId}`);
  });
}
