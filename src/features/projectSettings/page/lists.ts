import type { KeptName, SettingsIntegration, SettingsMember } from '../../../core/story/projectSettings.ts';
import { type Answered, type IntegrationTexts, isRecord } from '../settingsMessages.ts';
import {
  byId,
  filled,
  inputById,
  isWritable,
  markControls,
  remember,
  remembered,
  replaceRows,
  rowButton,
  say,
  setBusy,
  texts,
  vsCode,
  within,
} from './elements.ts';

/** The beginning of a row: a name, and those of the facts that there are. */
function named(name: string, ...facts: readonly string[]): HTMLElement {
  const who = document.createElement('span');
  who.className = 'who';
  const title = document.createElement('bdi');
  title.textContent = name;
  const more = document.createElement('span');
  more.className = 'quiet';
  more.textContent = facts.filter((part) => part !== '').join(' · ');
  who.append(title, ' ', more);
  return who;
}

const ROLES: Readonly<Record<string, string>> = texts.members.roles;
let shownMembers: readonly SettingsMember[] = [];
let kept: readonly KeptName[] = [];
/** The address of who is being added. */
let sentEmail: string | undefined;

export function showMembers(members: readonly SettingsMember[]): void {
  shownMembers = members;
  replaceRows(byId('members'), members.map(memberRow));
  markControls();
}

function memberRow({ id, person, role, ownedStories }: SettingsMember): HTMLElement {
  const row = document.createElement('li');
  const email = person.email === person.name ? '' : (person.email ?? '');
  const who = named(person.name, email, ownedStories > 0 ? filled(texts.members.openStories, ownedStories) : '');
  const spoken = filled(texts.members.removeNamed, person.name);
  row.append(who, roleChoice(id, person.name, role), rowButton('removeMember', id, texts.members.remove, spoken));
  return row;
}

function roleChoice(id: number, name: string, role: string): HTMLSelectElement {
  const select = document.createElement('select');
  const roles = role in ROLES ? ROLES : { ...ROLES, [role]: role };
  select.append(...Object.entries(roles).map(([value, text]) => new Option(text, value, false, value === role)));
  select.dataset.member = String(id);
  select.dataset.key = `role-${id}`;
  select.setAttribute('aria-label', filled(texts.members.roleOf, name));
  return select;
}

/** Names on stories, each with the members of whom one can be chosen. */
export function showKeptNames(names: readonly KeptName[], members: readonly SettingsMember[]): void {
  kept = names;
  byId('keptNames').hidden = names.length === 0;
  replaceRows(
    byId('names'),
    names.map((one, index) => keptNameRow(one, index, members)),
  );
  markControls();
}

function keptNameRow({ name, stories }: KeptName, index: number, members: readonly SettingsMember[]): HTMLElement {
  const { whoIs, chooseMember, onOneStory, onStories } = texts.members;
  const row = document.createElement('li');
  const select = document.createElement('select');
  const options = members.map(({ id, person }) => new Option(person.name, String(id)));
  select.append(new Option(chooseMember, '', true, true), ...options);
  select.dataset.name = String(index);
  select.dataset.key = `name-${name}`;
  select.setAttribute('aria-label', filled(whoIs, name));
  row.append(named(name, stories === 1 ? onOneStory : filled(onStories, stories)), select);
  return row;
}

/** Shows the roles as they are, where one could not be given, and nobody chosen for a name. What was typed since stays. */
export function memberAnswered(request: Answered['request'], isDone: boolean): void {
  if (!isDone) {
    showMembers(shownMembers);
    showKeptNames(kept, shownMembers);
  }
  if (request !== 'addMember') return;
  setBusy(byId('addMember'), false);
  const email = inputById('memberEmail');
  if (isDone && email.value.trim() === sentEmail) {
    email.value = '';
    remember({ memberEmail: '' });
  }
  sentEmail = undefined;
}

export function showInvitation(text: string, url: string): void {
  const box = byId('invited');
  box.hidden = url === '';
  within(box, 'p').textContent = text;
  within(box, 'code').textContent = url;
}

export function startPeople(): void {
  const email = inputById('memberEmail');
  const { memberEmail } = remembered();
  email.value = typeof memberEmail === 'string' ? memberEmail : '';
  email.addEventListener('input', () => remember({ memberEmail: email.value }));
  byId('addMember').addEventListener('submit', (event) => {
    event.preventDefault();
    const role = byId('memberRole');
    const address = email.value.trim();
    if (!isWritable() || !(role instanceof HTMLSelectElement) || address === '' || sentEmail !== undefined) return;
    sentEmail = address;
    setBusy(byId('addMember'), true);
    showInvitation('', '');
    say(within(document, '[data-problem="members"]'), '');
    vsCode.postMessage({ type: 'addMember', email: address, role: role.value });
  });
  byId('members').addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || target.dataset.member === undefined) return;
    vsCode.postMessage({ type: 'setRole', id: Number(target.dataset.member), role: target.value });
  });
  byId('names').addEventListener('change', ({ target }) => {
    const name = target instanceof HTMLSelectElement ? kept[Number(target.dataset.name)]?.name : undefined;
    if (!(target instanceof HTMLSelectElement) || name === undefined || target.value === '') return;
    vsCode.postMessage({ type: 'giveName', id: Number(target.value), name });
  });
  byId('members').addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-row-do]') : null;
    if (button) vsCode.postMessage({ type: 'removeMember', id: Number(button.dataset.id) });
  });
  byId('invited').addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || !target.closest('[data-do="copy"]')) return;
    vsCode.postMessage({ type: 'copy', text: within(byId('invited'), 'code').textContent });
  });
}

const NAMES: readonly (keyof IntegrationTexts)[] = ['name', 'fieldLabel', 'baseUrl', 'type', 'fieldName'];
let shownIntegrations: readonly SettingsIntegration[] = [];
/** Which one the form is about; a new one when undefined. */
let edited: number | undefined;
/** What the form holds that is being saved. */
let sentIntegration: string | undefined;
const form = byId('integrationForm');

export function showIntegrations(integrations: readonly SettingsIntegration[]): void {
  shownIntegrations = integrations;
  byId('noIntegrations').hidden = integrations.length > 0;
  replaceRows(byId('integrations'), integrations.map(integrationRow));
  markControls();
}

function integrationRow({ id, name, type, fieldName, active, baseUrl, storyCount }: SettingsIntegration): HTMLElement {
  const { integrations: say } = texts;
  const row = document.createElement('li');
  const stories = storyCount > 0 ? filled(say.linked, storyCount) : '';
  const who = named(name, type, fieldName, baseUrl, stories, active ? '' : say.retired);
  who.classList.toggle('retired', !active);
  row.append(
    who,
    rowButton('edit', id, say.edit, filled(say.editNamed, name)),
    active
      ? rowButton('retire', id, say.retire, filled(say.retireNamed, name))
      : rowButton('restore', id, say.restore, filled(say.restoreNamed, name)),
    ...(storyCount === 0 ? [rowButton('remove', id, say.remove, filled(say.removeNamed, name))] : []),
  );
  return row;
}

function openForm(id: number | undefined, values: Partial<IntegrationTexts>): void {
  edited = id;
  form.hidden = false;
  byId('newIntegration').hidden = true;
  for (const name of NAMES) {
    inputById(`integration-${name}`).value = values[name] ?? '';
    within(form, `[data-field="${name}"]`).hidden = id !== undefined && (name === 'type' || name === 'fieldName');
  }
  refuseIntegration({});
}

function closeForm(): void {
  form.hidden = true;
  byId('newIntegration').hidden = false;
  remember({ integration: undefined });
}

function typed(): IntegrationTexts {
  const value = (name: keyof IntegrationTexts) => inputById(`integration-${name}`).value;
  return {
    name: value('name'),
    fieldLabel: value('fieldLabel'),
    baseUrl: value('baseUrl'),
    type: value('type'),
    fieldName: value('fieldName'),
  };
}

export function refuseIntegration(fields: Readonly<Record<string, string>>): void {
  for (const name of NAMES) {
    say(byId(`problem-integration-${name}`), fields[name] ?? '');
    inputById(`integration-${name}`).toggleAttribute('aria-invalid', fields[name] !== undefined);
  }
  const first = NAMES.find((name) => fields[name] !== undefined);
  if (first) inputById(`integration-${first}`).focus();
}

/** What was typed since the form was sent stays. */
export function integrationAnswered(request: Answered['request'], isDone: boolean): void {
  if (request !== 'saveIntegration') return;
  setBusy(form, false);
  const isAsSent = JSON.stringify([edited, typed()]) === sentIntegration;
  sentIntegration = undefined;
  if (!isDone || !isAsSent) return;
  closeForm();
  byId('newIntegration').focus();
}

export function startIntegrations(): void {
  const { integration } = remembered();
  if (isRecord(integration) && isRecord(integration.fields)) {
    const { id, fields } = integration;
    openForm(typeof id === 'number' ? id : undefined, fields);
  }
  form.addEventListener('input', () => remember({ integration: { id: edited, fields: typed() } }));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!isWritable() || form.getAttribute('aria-busy') === 'true') return;
    setBusy(form, true);
    sentIntegration = JSON.stringify([edited, typed()]);
    vsCode.postMessage({ type: 'saveIntegration', id: edited, fields: typed() });
  });
  within(document, '[data-section="integrations"]').addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-do], [data-row-do]') : null;
    if (button) press(button.dataset.do ?? button.dataset.rowDo, Number(button.dataset.id));
  });
}

function press(action: string | undefined, id: number): void {
  if (action === 'newIntegration') openForm(undefined, {});
  else if (action === 'edit') openForm(id, shownIntegrations.find((one) => one.id === id) ?? {});
  if (action === 'newIntegration' || action === 'edit') inputById('integration-name').focus();
  if (action === 'cancelIntegration') {
    closeForm();
    byId('newIntegration').focus();
  } else if (action === 'retire' || action === 'restore') {
    vsCode.postMessage({ type: 'retire', id, isActive: action === 'restore' });
  } else if (action === 'remove') vsCode.postMessage({ type: 'removeIntegration', id });
}
