import type { Choice, FieldsToPage, PageFields } from '../fieldMessages.ts';
import { type Draft, type DraftField, draftFields, fieldTexts, readDraft } from '../storyDrafts.ts';
import { showAttachedImages } from './attachedImages.ts';
import { byId, focusInTime, isOnMac, localTime, onShown, say, showLocalTimes, vsCode } from './elements.ts';
import { FieldEditor, putValue, writeNewStory } from './fieldEditor.ts';
import { ComboBox, LabelList } from './listControls.ts';
import { LongEditor } from './longEditor.ts';
import { noteKept, remember, remembered } from './pageMemory.ts';

/** Milliseconds after which a choice that is made by arrow keys is taken for the last one. */
const CHOOSING_MS = 600;

const labelList = new LabelList(inputOf('labels'));
const editors = new Map(draftFields.map((field) => [field, editorOf(field)] as const));
const long = new Map(
  (['name', 'description'] as const).map((field) => [field, new LongEditor(editor(field), formOf(field))] as const),
);
const people = [comboBox('ownedBy'), comboBox('requestedBy')];
const labelBox = comboBox('labels', true);
let projectLabels: readonly string[] = [];

/** Makes the controls of the page write the story's fields. */
export function startWriting(): void {
  for (const field of draftFields) if (field !== 'name' && field !== 'description') startShort(editor(field));
  labelList.onDidShow = offerLabels;
  onShown('attachments', () => long.get('description')?.attachmentsChanged());
  labelList.onDidRemove = () => editor('labels').type();
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-write]') : null;
    if (button) write(button.dataset.write);
  });
  document.addEventListener('dblclick', ({ target }) => {
    const part = target instanceof Element ? target.closest('h1, [data-part="description"] .markdown') : null;
    const button = part?.closest('[data-part]')?.querySelector<HTMLElement>('[data-write]');
    if (button) write(button.dataset.write);
  });
  if (!isOnMac) return;
  for (const hint of document.querySelectorAll<HTMLElement>('.hint')) hint.textContent = hint.dataset.mac ?? '';
  for (const label of document.querySelectorAll<HTMLElement>('label[data-mac]')) label.title = label.dataset.mac ?? '';
}

/** Does what the extension says about fields. */
export function receiveFields(message: FieldsToPage): void {
  if (message.type === 'fields') showFields(message.fields);
  else if (message.type === 'drafts') {
    for (const draft of message.drafts) {
      const { field } = draft;
      editor(field).offer(draft);
      if (message.isKept) noteKept(field, { isUnsaved: () => editor(field).isUnsaved, write: () => write(field) });
    }
  } else if (message.type === 'draftsDiscarded') {
    for (const draft of message.drafts) {
      editor(draft.field).discard(draft);
      if (draft.field === 'name' || draft.field === 'description') long.get(draft.field)?.closeUnlessFocused();
    }
  } else if (message.type === 'fieldSaved') editor(message.field).setSaved(message.text);
  else if (message.type === 'draftWithdrawn') editor(message.field).withdraw(message.text);
  else if (message.type === 'write') write(message.field);
  else {
    byId('preview').innerHTML = message.html;
    showLocalTimes(byId('preview'));
    showAttachedImages();
    long.get('description')?.followCursor();
  }
}

/** Whether a person has written anything into any control. */
function isAnythingWritten(): boolean {
  return [...editors.values()].some(({ isWritten }) => isWritten);
}

/** Empties all controls, and gives what was written in them. */
function takeAllAway(): readonly Draft[] {
  return [...editors.values()].flatMap((one) => one.takeAway() ?? []);
}

/** Goes on with what was taken away. */
function putAllBack(drafts: readonly Draft[]): void {
  for (const draft of drafts) editor(draft.field).putBack(draft);
}

/** Shows every control of a story that no server has, with the cursor in its name. */
function openForNewStory(): void {
  labelList.writeNewStory();
  for (const one of long.values()) one.openForNewStory();
  long.get('name')?.write();
}

/** Says at a field of a new story why it cannot be made so, with the cursor there. */
export function refuse(field: DraftField, problem: string): void {
  editor(field).refuse(problem);
  write(field);
  editor(field).form.scrollIntoView({ block: 'nearest' });
}

/** Says something at the field in which this is, else at the description, until that is changed. */
export function noteAt(target: EventTarget | null, text: string): void {
  const form = target instanceof Element ? target.closest<HTMLElement>('form[data-field]') : null;
  editor(draftFields.find((field) => field === form?.dataset.field) ?? 'description').note(text);
}

function write(name: string | undefined): void {
  if (name === 'name' || name === 'description') long.get(name)?.write();
  else {
    const field = draftFields.find((one) => one === name);
    if (field) editor(field).box.focus();
  }
}

function editor(field: DraftField): FieldEditor {
  const known = editors.get(field);
  if (!known) throw new Error(field);
  return known;
}

function editorOf(field: DraftField): FieldEditor {
  const box = byId(`field-${field}`);
  const isBox =
    box instanceof HTMLInputElement || box instanceof HTMLTextAreaElement || box instanceof HTMLSelectElement;
  if (!isBox) throw new Error(field);
  return new FieldEditor(field, formOf(field), box, field === 'labels' ? labelList : undefined);
}

function inputOf(field: DraftField): HTMLInputElement {
  const box = byId(`field-${field}`);
  if (!(box instanceof HTMLInputElement)) throw new Error(field);
  return box;
}

function formOf(field: DraftField): HTMLFormElement {
  const form = document.querySelector(`form[data-field="${field}"]`);
  if (!(form instanceof HTMLFormElement)) throw new Error(field);
  return form;
}

function comboBox(field: DraftField, isList = false): ComboBox {
  return new ComboBox(inputOf(field), () => editor(field).save(), isList);
}

/** Saved by Enter, by leaving it, labels also by a comma, and, where it is a list, a moment after something was chosen. */
function startShort(short: FieldEditor): void {
  const { form, box, field } = short;
  let choosing: ReturnType<typeof setTimeout> | undefined;
  const save = () => {
    clearTimeout(choosing);
    short.save();
  };
  form.addEventListener('submit', (event) => event.preventDefault());
  box.addEventListener('blur', () => document.hasFocus() && save());
  if (box instanceof HTMLSelectElement) {
    box.addEventListener('change', () => {
      clearTimeout(choosing);
      choosing = setTimeout(save, CHOOSING_MS);
    });
  }
  form.addEventListener('keydown', (event) => {
    if (event.target !== box || event.isComposing) return;
    if (event.key === 'Enter') save();
    else if (event.key === ',' && field === 'labels') {
      // With nothing to add it is typed.
      if (!short.save()) return;
    } else if (event.key === 'Escape') {
      clearTimeout(choosing);
      short.cancel();
    } else return;
    event.preventDefault();
  });
}

function showFields({ texts, fields, unsent, labels, types, estimates, people: names, ...more }: PageFields): void {
  fillSelect('type', types);
  fillSelect('estimate', estimates);
  for (const box of people) box.options = names;
  projectLabels = more.projectLabels;
  labelList.showStored(labels);
  offerLabels();
  for (const field of draftFields) {
    const { form } = editor(field);
    if (field !== 'name' && field !== 'description') form.hidden = !fields.includes(field);
    editor(field).setStored(texts[field]);
  }
  for (const mark of document.querySelectorAll<HTMLElement>('[data-unsent]')) {
    mark.hidden = !unsent.some((field) => field === mark.dataset.unsent);
  }
  showOwnerButton('ownStory', !more.isMine);
  showOwnerButton('giveStoryUp', texts.ownedBy !== '');
}

/** The one that goes leaves the focus to the other, of which it is the opposite. */
function showOwnerButton(command: 'ownStory' | 'giveStoryUp', isShown: boolean): void {
  const buttons = [...document.querySelectorAll<HTMLElement>('[data-field="ownedBy"] [data-command]')];
  const button = buttons.find(({ dataset }) => dataset.command === command);
  if (!button) return;
  const hadFocus = document.activeElement === button;
  button.hidden = !isShown;
  const other = buttons.find((one) => one !== button);
  if (!hadFocus || isShown || !other) return;
  other.hidden = false;
  focusInTime(other);
}

function offerLabels(): void {
  labelBox.options = projectLabels.filter((label) => !labelList.labels.includes(label));
}

function fillSelect(field: 'type' | 'estimate', choices: readonly Choice[]): void {
  const { box } = editor(field);
  const now = [...box.querySelectorAll('option')].map(({ value, text }) => `${value} ${text}`);
  if (now.join('\n') === choices.map(({ value, text }) => `${value} ${text}`).join('\n')) return;
  const chosen = box.value;
  box.replaceChildren(...choices.map(({ value, text }) => new Option(text, value)));
  putValue(box, chosen);
}

/** What the page remembers of a story that was discarded, until the next one is. */
const DISCARDED = 'discardedStory';

/** When what is written was left by someone who has wanted a new story since; in milliseconds since the epoch. */
let unfinishedAt: number | undefined;
/** Which of these the person was shown. */
let unfinishedShown: number | undefined;
/** Someone is at work in the page: the cursor stays where it is. */
let isInUse = false;
/** What was there when its name was selected, until something is typed over that. */
let beforeTyping: readonly Draft[] = [];

/** Makes the page one in which a story is written that no server has. `where` says where it will land. */
export function showNewStory(where: string, unfinished?: number): void {
  say('where', where);
  unfinishedAt = unfinished;
  if (document.body.classList.contains('is-new')) return;
  document.body.classList.add('is-new');
  byId('loading').hidden = true;
  byId('rest').hidden = false;
  byId('newStory').hidden = false;
  writeNewStory();
  openForNewStory();
  byId('createStory').addEventListener('click', createStory);
  byId('discardStory').addEventListener('click', () => discardStory());
  byId('startEmpty').addEventListener('click', () => discardStory());
  byId('field-name').addEventListener('input', keepTypedOver);
  byId('restoreStory').addEventListener('click', () => discardStory(discardedDrafts()));
  for (const event of ['input', 'change', 'click']) document.addEventListener(event, showDiscard);
  for (const event of ['keydown', 'pointerdown']) document.addEventListener(event, () => (isInUse = true));
  showDiscard();
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing) createStory();
  });
}

/** It was not made, for a reason that is seen at the top: what is written can be changed and sent again. */
export function endCreating(): void {
  if (document.body.classList.contains('is-new')) byId('problem').scrollIntoView({ block: 'nearest' });
  byId('createStory').removeAttribute('aria-busy');
}

/** Says that what is written was left unfinished. In a new page its name is selected: what is typed belongs to another story as likely as not. */
export function showUnfinished(): void {
  const isThere = unfinishedAt !== undefined && isAnythingWritten();
  const line = byId('unfinished');
  line.hidden = !isThere;
  if (unfinishedAt === undefined || !isThere) return;
  const words = line.querySelector<HTMLElement>('[data-text]');
  if (words) words.textContent = (words.dataset.text ?? '').replace('{0}', localTime(unfinishedAt));
  if (unfinishedShown === unfinishedAt) return;
  unfinishedShown = unfinishedAt;
  if (isInUse) return;
  long.get('name')?.write();
  const { box } = editor('name');
  if (box instanceof HTMLTextAreaElement) box.select();
  beforeTyping = [...editors.values()].flatMap(({ draft }) => draft ?? []);
}

/** What was there before its name was typed over can be had again. */
function keepTypedOver(): void {
  const former = beforeTyping;
  beforeTyping = [];
  const name = former.find(({ field }) => field === 'name')?.text ?? '';
  if (name !== '' && !editor('name').text.includes(name)) remember({ [DISCARDED]: former });
}

/** Shows what can be discarded, and what was. */
export function showDiscard(): void {
  if (!document.body.classList.contains('is-new')) return;
  byId('discardStory').hidden = !isAnythingWritten();
  byId('discardedStory').hidden = discardedDrafts().length === 0;
}

/** What is written makes way for what was, or for nothing; it can be had again as long as the tab is there. */
function discardStory(former: readonly Draft[] = []): void {
  const taken = takeAllAway();
  putAllBack(former);
  remember({ [DISCARDED]: taken });
  showDiscard();
  byId('field-name').focus();
}

function discardedDrafts(): readonly Draft[] {
  const kept = remembered()[DISCARDED];
  return Array.isArray(kept) ? kept.flatMap((one: unknown) => readDraft(one) ?? []) : [];
}

function createStory(): void {
  const button = byId('createStory');
  if (button.hasAttribute('aria-busy')) return;
  button.setAttribute('aria-busy', 'true');
  vsCode.postMessage({ type: 'createStory', texts: fieldTexts((field) => editor(field).text) });
}
