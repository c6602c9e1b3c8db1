import {
  FIELDS,
  type FormSection,
  fieldsOf,
  isSettingField,
  type SettingField,
  type SettingTexts,
  settingFields,
} from '../settingsFields.ts';
import type { SectionName, TypedText, TypedTexts } from '../settingsMessages.ts';
import { byId, isWritable, say, setBusy, texts, vsCode, within } from './elements.ts';
import { addRow, readRows, removeRow, strengthsInWords, writeRows } from './strengthRows.ts';

const typed = new Map<SettingField, TypedText>();
let known: SettingTexts = {};
const sent = new Map<SectionName, SettingTexts>();

/** Goes on with what was typed before the page was made anew; what is typed by now stays. */
export function takeKept(kept: TypedTexts): void {
  for (const field of settingFields) {
    const one = kept[field];
    if (one && !typed.has(field)) typed.set(field, one);
  }
}

function setting(field: SettingField): HTMLElement {
  return within(document, `[data-field="${field}"].setting`);
}

function controlOf(field: SettingField): HTMLElement {
  return byId(`field-${field}`);
}

function readControl(field: SettingField): string {
  const control = controlOf(field);
  if (control instanceof HTMLInputElement) return control.type === 'checkbox' ? String(control.checked) : control.value;
  return control instanceof HTMLSelectElement ? control.value : readRows(control);
}

function writeControl(field: SettingField, text: string): void {
  const control = controlOf(field);
  if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = text === 'true';
  else if (control instanceof HTMLInputElement) {
    if (control.value !== text) control.value = text;
  } else if (control instanceof HTMLSelectElement) choose(control, text);
  else if (readRows(control) !== text) writeRows(control, text);
}

/** A value that is not in the list is added to it. */
function choose(select: HTMLSelectElement, value: string): void {
  if (![...select.options].some((option) => option.value === value)) select.append(new Option(value, value));
  select.value = value;
}

/** The value as a person reads it. */
function inWords(field: SettingField, text: string): string {
  const { kind } = FIELDS[field];
  if (kind === 'tick') return text === 'true' ? texts.on : texts.off;
  if (kind === 'strengths') return strengthsInWords(text) || texts.strengths.none;
  const control = controlOf(field);
  const option = control instanceof HTMLSelectElement && [...control.options].find(({ value }) => value === text);
  return (option ? option.text : text) || texts.empty;
}

/** Shows what the server tells; what is typed stays, and where that is about another value, both are shown. */
export function showTexts(told: SettingTexts): void {
  known = told;
  for (const field of settingFields) {
    const now = known[field];
    const begun = typed.get(field);
    setting(field).hidden = now === undefined && !begun;
    if (begun && begun.text === now) typed.delete(field);
    const text = typed.get(field)?.text ?? now;
    if (text !== undefined) writeControl(field, text);
    showConflict(field);
  }
  for (const section of document.querySelectorAll<HTMLElement>('[data-form]')) {
    const isTold = section.querySelector('.setting:not([hidden])') !== null;
    const whole = section.closest<HTMLElement>('section');
    if (whole) whole.hidden = !isTold;
  }
  keepTyped();
}

function isConflict(field: SettingField): boolean {
  const begun = typed.get(field);
  const now = known[field];
  return begun !== undefined && now !== undefined && begun.base !== now;
}

function showConflict(field: SettingField): void {
  const conflict = within(setting(field), '.conflict');
  const isOne = isConflict(field);
  if (isOne) within(conflict, '.theirs').textContent = inWords(field, known[field] ?? '');
  if (conflict.hidden === isOne) conflict.hidden = !isOne;
}

let told = '';

/** Has the extension keep it, without what is secret: it is kept where anyone on this machine may read it. */
function keepTyped(): void {
  const kept = Object.fromEntries([...typed].filter(([field]) => FIELDS[field].kind !== 'secret'));
  const now = JSON.stringify(kept);
  if (now !== told) vsCode.postMessage({ type: 'typed', typed: kept });
  told = now;
  for (const form of document.querySelectorAll<HTMLElement>('[data-form]')) {
    const isBegun = sectionFields(form).some((field) => typed.has(field));
    within(form, '[data-unsaved]').hidden = !isBegun;
    within(form, '[data-do="discard"]').hidden = !isBegun;
  }
}

function sectionFields(form: HTMLElement): readonly SettingField[] {
  return settingFields.filter((field) => FIELDS[field].section === form.dataset.form);
}

/** Takes over what a person has typed in a field. */
function takeTyped(field: SettingField): void {
  const text = readControl(field);
  const base = typed.get(field)?.base ?? known[field] ?? '';
  if (text === base && base === known[field]) typed.delete(field);
  else typed.set(field, { text, base });
  refuseField(field, '');
  showConflict(field);
  keepTyped();
}

function refuseField(field: SettingField, sentence: string): void {
  say(byId(`problem-${field}`), sentence);
  const control = controlOf(field);
  if (sentence === '') control.removeAttribute('aria-invalid');
  else control.setAttribute('aria-invalid', 'true');
}

function save(form: HTMLElement, section: FormSection): void {
  const fields = fieldsOf(section).filter((field) => typed.has(field));
  if (!isWritable() || form.getAttribute('aria-busy') === 'true') return;
  const undecided = fields.find(isConflict);
  if (undecided) {
    refuseField(undecided, texts.chooseFirst);
    within(setting(undecided), '[data-do="keepMine"]').focus();
    return;
  }
  if (fields.length === 0) return;
  const wanted = Object.fromEntries(fields.map((field) => [field, typed.get(field)?.text ?? '']));
  const base = Object.fromEntries(fields.map((field) => [field, typed.get(field)?.base ?? '']));
  sent.set(section, wanted);
  setBusy(form, true);
  vsCode.postMessage({ type: 'save', section, texts: wanted, known: base });
}

/** What became of a Save. What was typed since it was sent stays. */
export function answered(section: SectionName, isSaved: boolean): void {
  const form = document.querySelector<HTMLElement>(`[data-form="${section}"]`);
  if (!form) return;
  setBusy(form, false);
  for (const [field, text] of Object.entries(isSaved ? (sent.get(section) ?? {}) : {})) {
    if (isSettingField(field) && typed.get(field)?.text === text) typed.delete(field);
  }
  sent.delete(section);
  keepTyped();
}

/** Each sentence at its field, and the first of these in view. */
export function refused(fields: Readonly<Record<string, string>>): void {
  const about = settingFields.filter((field) => fields[field] !== undefined);
  for (const field of about) refuseField(field, fields[field] ?? '');
  const [first] = about;
  if (!first) return;
  const control = controlOf(first);
  (control instanceof HTMLFieldSetElement ? control.querySelector<HTMLElement>('input, button') : control)?.focus();
}

function keepMine(field: SettingField): void {
  const begun = typed.get(field);
  if (begun) typed.set(field, { ...begun, base: known[field] ?? '' });
  settle(field);
}

function takeTheirs(field: SettingField): void {
  typed.delete(field);
  writeControl(field, known[field] ?? '');
  settle(field);
}

function settle(field: SettingField): void {
  refuseField(field, '');
  showConflict(field);
  keepTyped();
  controlOf(field).focus();
}

function discard(form: HTMLElement): void {
  for (const field of sectionFields(form)) {
    if (!typed.delete(field)) continue;
    writeControl(field, known[field] ?? '');
    refuseField(field, '');
    showConflict(field);
  }
  keepTyped();
  form.querySelector<HTMLElement>('input, select')?.focus();
}

function fieldOf(target: EventTarget | null): SettingField | undefined {
  const name = target instanceof Element ? target.closest<HTMLElement>('.setting')?.dataset.field : undefined;
  return isSettingField(name) ? name : undefined;
}

export function startForms(): void {
  for (const type of ['input', 'change']) {
    document.addEventListener(type, ({ target }) => {
      const field = fieldOf(target);
      if (field) takeTyped(field);
    });
  }
  for (const form of document.querySelectorAll<HTMLElement>('[data-form]')) {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const section = form.dataset.form;
      const known = settingFields.find((field) => FIELDS[field].section === section);
      if (known) save(form, FIELDS[known].section);
    });
  }
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-do], [data-row-do]') : null;
    const form = button?.closest<HTMLElement>('[data-form]');
    const field = fieldOf(button);
    if (button && form) press(button, form, field);
  });
}

/** Says whether posts are signed, which is all that is told of the secret. */
export function showSigned(isSigned: boolean): void {
  const control = controlOf('webHookSecret');
  if (control instanceof HTMLInputElement) control.placeholder = isSigned ? (control.dataset.signed ?? '') : '';
  within(document, '[data-do="removeSecret"]').hidden = !isSigned;
}

function press(button: HTMLElement, form: HTMLElement, field: SettingField | undefined): void {
  const action = button.dataset.do ?? button.dataset.rowDo;
  if (action === 'discard') discard(form);
  if (action === 'removeSecret') {
    vsCode.postMessage({ type: 'save', section: 'webHook', texts: { webHookSecret: '' }, known: {} });
  }
  if (!field) return;
  if (action === 'keepMine') keepMine(field);
  else if (action === 'takeTheirs') takeTheirs(field);
  else if (action === 'addStrength') addRow(controlOf(field));
  else if (action === 'removeStrength') removeRow(controlOf(field), button);
  if (action === 'addStrength' || action === 'removeStrength') takeTyped(field);
}
