import { imageReferences, type PastedImages, withoutReference } from '../../../core/story/imageReference.ts';
import { isNamedLikeImage } from '../imageFacts.ts';
import { PASTE_LIMIT, type PanelStory, type PastedFile, pageState } from '../panelMessages.ts';
import { type KeptTexts, keptTexts } from '../storyDrafts.ts';
import { byId, say, vsCode } from './elements.ts';
import { noteKept, remember, remembered, rememberSurely } from './pageMemory.ts';
import { editedTask } from './taskList.ts';
import { isWritable } from './writable.ts';
import { noteAt } from './writing.ts';

/** Milliseconds for which someone who has typed counts as typing: what came back then would mix with what comes next. */
const TYPING_MS = 1000;

type TextBox = HTMLInputElement | HTMLTextAreaElement;

/**
 * A box that is empty as soon as its text is sent, and has it again when it was not taken. While someone is writing something
 * else there, the text waits below, to be put back.
 */
class SentBox {
  private readonly name: 'comment' | 'task';
  private readonly box: TextBox;
  private readonly changed: (text: string) => void;
  private readonly words: { readonly putBack: string; readonly discard: string };
  private returned: readonly string[];
  private typedAt = 0;
  /** Nothing was done with the box since the page is there. */
  private isAsKept = true;

  /** `name` is that of the box; the paragraph and the list below it are called `nameRefusal` and `nameReturned`. */
  constructor(name: 'comment' | 'task', changed: (text: string) => void) {
    const box = byId(name);
    if (!(box instanceof HTMLInputElement || box instanceof HTMLTextAreaElement)) throw new Error(name);
    this.name = name;
    this.box = box;
    this.changed = changed;
    const { putBack = '', discard = '' } = document.querySelector('main')?.dataset ?? {};
    this.words = { putBack, discard };
    this.returned = keptTexts(remembered())[this.listName];
    this.showReturned();
    box.addEventListener('input', () => {
      this.typedAt = performance.now();
      this.isAsKept = false;
      changed(box.value);
    });
  }

  get text(): string {
    return this.box.value;
  }

  set text(text: string) {
    this.box.value = text;
    this.isAsKept = false;
    this.changed(text);
  }

  /** Puts in what was begun before, as far as the page itself remembers it. */
  begin(text: string): void {
    this.box.value = text;
  }

  /** Puts in what was begun before; where something else is being written by now, it waits below. */
  offer(text: string): void {
    if (text === '' || text === this.text) return;
    if (this.isAsKept || this.text === '') this.box.value = text;
    else if (!this.text.startsWith(text)) this.offerReturned([text]);
  }

  /** Empties the box of what the person has discarded elsewhere, which can be put back. */
  discard(text: string): void {
    if (text === '') return;
    if (this.text === text) this.text = '';
    this.offerReturned([text]);
  }

  /** Whether anything is written that is not sent. */
  get isUnsaved(): boolean {
    return this.text.trim() !== '' || this.returned.length > 0;
  }

  /** Adds what was not taken before. */
  offerReturned(texts: readonly string[]): void {
    const others = texts.filter((text) => !this.returned.includes(text));
    if (others.length > 0) this.keepReturned([...this.returned, ...others]);
  }

  /** The text, to be sent, and the box empty from now on; `undefined`, and the focus in it, where there is none. */
  taken(): string | undefined {
    const { text } = this;
    if (text.trim() === '') {
      this.box.focus();
      return undefined;
    }
    say(`${this.name}Refusal`, '');
    this.text = '';
    return text;
  }

  /** Gives a text back that was not taken, and says why. */
  giveBack(text: string, problem: string): void {
    const isTyping = performance.now() - this.typedAt < TYPING_MS;
    if (this.text === '' && !isTyping) this.text = text;
    else if (this.text !== text) this.keepReturned([...this.returned, text]);
    say(`${this.name}Refusal`, problem);
  }

  private get listName() {
    return `${this.name}Returned` as const;
  }

  private keepReturned(returned: readonly string[]): void {
    this.returned = returned;
    rememberSurely({ [this.listName]: returned });
    this.showReturned();
  }

  private showReturned(): void {
    const list = byId(this.listName);
    list.hidden = this.returned.length === 0;
    list.replaceChildren(...this.returned.map((text, index) => this.row(text, index)));
  }

  private row(text: string, index: number): HTMLElement {
    const row = document.createElement('li');
    const words = document.createElement('span');
    words.dir = 'auto';
    words.textContent = text;
    const others = () => this.returned.toSpliced(index, 1);
    const putBack = this.button(this.words.putBack, () => {
      const instead = this.text.trim() === '' ? [] : [this.text];
      this.keepReturned([...others(), ...instead]);
      this.text = text;
      this.box.focus();
    });
    const discard = this.button(this.words.discard, () => {
      this.keepReturned(others());
      this.box.focus();
    });
    row.append(words, putBack, discard);
    return row;
  }

  private button(text: string, run: () => void): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'link';
    button.textContent = text;
    button.addEventListener('click', run);
    return button;
  }
}

const { sending = '', sent = '', attachLater = '' } = document.querySelector('main')?.dataset ?? {};

const commentBox = new SentBox('comment', (draft) => {
  remember({ draft });
  // VS Code writes the state of pages seldom; what the extension is told is safe at once.
  vsCode.postMessage({ type: 'draft', text: draft });
});

/** The comment that is being written: kept over a reload until it is sent. */
export function startCommentBox(): void {
  const { draft } = pageState(vsCode.getState());
  commentBox.begin(draft);
  byId('comment').addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send();
  });
  byId('form').addEventListener('submit', (event) => {
    event.preventDefault();
    send();
  });
}

export function keepStory(story: PanelStory): void {
  remember({ story });
}

/** Puts in a comment that was begun before. */
export function offerDraft(draft: string): void {
  commentBox.offer(draft);
  noteComment(draft !== '');
}

function noteComment(isKept: boolean): void {
  if (isKept) noteKept('comment', { isUnsaved: () => commentBox.isUnsaved, write: () => byId('comment').focus() });
}

/** Puts in a task that was begun before, and what was not taken. */
export function offerTexts({ task, taskEdits, taskReturned, commentReturned }: KeptTexts): void {
  taskBox.offer(task);
  taskBox.offerReturned(taskReturned);
  commentBox.offerReturned(commentReturned);
  noteComment(commentReturned.length > 0);
  if (task === '' && taskEdits.length + taskReturned.length === 0) return;
  const write = () => (editedTask() ?? byId('task')).focus();
  noteKept('task', { isUnsaved: () => taskBox.isUnsaved || editedTask() !== undefined, write });
}

/** Puts what was discarded outside of the page where it can be put back. */
export function discardBegun({ comment, task }: { readonly comment: string; readonly task: string }): void {
  commentBox.discard(comment);
  taskBox.discard(task);
}

export function commentTaken(): void {
  byId('status').textContent = sent;
}

export function commentRefused(text: string, problem: string): void {
  byId('status').textContent = '';
  commentBox.giveBack(text, problem);
}

function send(): void {
  if (!isWritable()) return;
  const text = commentBox.taken();
  if (text === undefined) return;
  byId('status').textContent = sending;
  vsCode.postMessage({ type: 'comment', text });
}

/** Hands over files that are pasted, an image from the clipboard say; text goes where it always goes. */
export function startPasting(): void {
  document.addEventListener('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    const isText = event.clipboardData?.types.includes('text/plain') && event.target instanceof HTMLTextAreaElement;
    if (files.length === 0 || isText) return;
    event.preventDefault();
    if (document.body.classList.contains('is-new')) noteAt(event.target, attachLater);
    else void handOver(files, event.target);
  });
}

/** The texts that show images among the attachments where they refer to them. */
const ILLUSTRATED = '#comment, #field-description';

/** Pastes that are remembered in case they are given up. */
const MOST_PASTES = 50;
/** The latest first. */
let pastes: readonly PastedImages[] = [];

/** Takes out again what refers to files that are not attached, and puts back what was pasted over. */
export function removeReferences(names: readonly string[]): void {
  for (const box of document.querySelectorAll<HTMLTextAreaElement>(ILLUSTRATED)) {
    if (!box.checkVisibility()) continue;
    for (
      let edit = withoutReference(box.value, names, pastes);
      edit;
      edit = withoutReference(box.value, names, pastes)
    ) {
      box.setRangeText(edit.text, edit.start, edit.end, 'preserve');
      box.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }
  }
  pastes = pastes.filter((paste) => !paste.names.every((name) => names.includes(name)));
}

/** An image that is pasted into a text is shown where it was pasted. */
async function handOver(files: readonly File[], target: EventTarget | null): Promise<void> {
  const named = files.map((file) => ({ file, name: nameOf(file) }));
  const images = named.filter(({ name }) => isNamedLikeImage(name)).map(({ name }) => name);
  if (target instanceof HTMLTextAreaElement && target.matches(ILLUSTRATED) && images.length > 0) {
    const replaced = target.value.slice(target.selectionStart, target.selectionEnd);
    pastes = [{ names: images, replaced }, ...pastes].slice(0, MOST_PASTES);
    document.execCommand('insertText', false, imageReferences(images));
  }
  vsCode.postMessage({ type: 'paste', files: await Promise.all(named.map(pasted)) });
}

interface NamedFile {
  readonly file: File;
  readonly name: string;
}

/** One that is too large is not even read. */
async function pasted({ file, name }: NamedFile): Promise<PastedFile> {
  return file.size > PASTE_LIMIT
    ? { name, size: file.size }
    : { name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

/** Browsers call every image without a file `image.png`; when it was pasted tells them apart. */
function nameOf({ name, type }: File): string {
  if (name !== '' && !/^image\.\w+$/.test(name)) return name;
  const now = new Date();
  const day = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(twoDigits).join('-');
  const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map(twoDigits).join('.');
  return `pasted-${day}-${time}.${/^image\/(\w+)/.exec(type)?.[1] ?? 'bin'}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

const taskBox = new SentBox('task', (task) => rememberSurely({ task }));

/** The task that is being written: kept over a reload until it is sent. */
export function startTaskBox(): void {
  const { task } = pageState(vsCode.getState());
  taskBox.begin(task);
  byId('taskForm').addEventListener('submit', (event) => {
    event.preventDefault();
    const text = taskBox.taken();
    if (text !== undefined) vsCode.postMessage({ type: 'newTask', text });
  });
}

export function taskRefused(text: string, problem: string): void {
  taskBox.giveBack(text, problem);
}
