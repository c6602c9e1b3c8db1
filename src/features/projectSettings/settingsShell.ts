import { escaped } from '../../host/shell/html.ts';
import { FIELDS, type FormSection, fieldsOf, LENGTHS, SCHEMES, type SettingField, WEEKDAYS } from './settingsFields.ts';
import { type IntegrationTexts, type SettingsProject, transferCommands } from './settingsMessages.ts';
import type { SettingsPanelTexts } from './settingsTexts.ts';

interface PageFiles {
  /** What they hold. */
  readonly script: string;
  readonly style: string;
  /** Unguessable, new for every page: nothing else in it runs or is a style. */
  readonly nonce: string;
  readonly language: string;
  /** Whose settings the page shows. */
  readonly project: SettingsProject;
}

/** The page before any settings are in it. Its policy allows its own script and style, and nothing from anywhere. */
export function settingsShell(
  { script, style, nonce, language, project }: PageFiles,
  texts: SettingsPanelTexts,
): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(texts.heading)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body data-project="${escaped(JSON.stringify(project))}" data-texts="${escaped(JSON.stringify(scriptTexts(texts)))}">
<main>
<p class="kicker" id="projectName"></p>
<h1>${escaped(texts.heading)}</h1>
<div id="notice" role="status" hidden><span></span> <button type="button" class="link" data-do="reload">${escaped(texts.tryAgain)}</button></div>
<p id="loading" class="quiet">${escaped(texts.loading)}</p>
<div id="sections" hidden>
${formSection('general', texts)}
${formSection('planning', texts)}
${formSection('stories', texts)}
${membersSection(texts)}
${integrationsSection(texts)}
${formSection('webHook', texts)}
${transferSection(texts)}
</div>
<p id="status" role="status" class="spoken"></p>
</main>
<script nonce="${nonce}">${inElement(script)}</script>
</body>
</html>
`;
}

/** A script says the same with these characters escaped, and cannot end its element. */
function inElement(script: string): string {
  return script.replaceAll(/<(?=\/script|!--)/gi, '\\x3c');
}

/** What the page's script says of lists that it draws itself. */
function scriptTexts({ strengths, members, integrations, weeks, ...texts }: SettingsPanelTexts) {
  const { roles, roleOf, remove, removeNamed, copyLink, openStories, whoIs, chooseMember, onOneStory, onStories } =
    members;
  const { add: _add, ...integration } = integrations;
  return {
    strengths,
    members: { roles, roleOf, remove, removeNamed, copyLink, openStories, whoIs, chooseMember, onOneStory, onStories },
    integrations: integration,
    weeks: Object.fromEntries(LENGTHS.map((length) => [length, weeks(Number(length))])),
    chooseFirst: texts.chooseFirst,
    changedElsewhere: texts.changedElsewhere,
    unsaved: texts.unsaved,
    empty: texts.empty,
    on: texts.on,
    off: texts.off,
  };
}

export type ScriptTexts = ReturnType<typeof scriptTexts>;

function section(name: string, heading: string, content: string): string {
  return `<section data-section="${name}" aria-labelledby="heading-${name}"><h2 id="heading-${name}">${escaped(heading)}</h2>
<p class="refusal" data-problem="${name}" role="alert" hidden></p>
${content}</section>`;
}

function formSection(name: FormSection, texts: SettingsPanelTexts): string {
  const heading = texts.sections[name];
  const fields = fieldsOf(name).map((field) => setting(field, texts));
  return section(
    name,
    heading,
    `<form data-form="${name}" novalidate>${fields.join('\n')}
<div class="row buttons"><button type="submit" aria-label="${escaped(texts.saveNamed(heading))}">${escaped(texts.save)}</button>
<button type="button" class="secondary" data-do="discard" aria-label="${escaped(texts.discardNamed(heading))}" hidden>${escaped(texts.discard)}</button>
<span class="mark" data-unsaved hidden>${escaped(texts.unsaved)}</span></div></form>`,
  );
}

/** A field with what there is to say of it, hidden until the server tells it. */
function setting(field: SettingField, texts: SettingsPanelTexts): string {
  const hint = texts.hints[field];
  const shown = hint === undefined ? '' : `<p class="quiet hint" id="hint-${field}">${escaped(hint)}</p>`;
  const more = FIELDS[field].kind === 'secret' ? removeSecret(texts) : '';
  const described = `aria-describedby="${hint === undefined ? '' : `hint-${field} `}problem-${field}"`;
  return `<div class="setting" data-field="${field}" data-kind="${FIELDS[field].kind}" hidden>${labelled(field, described, texts)}${shown}${more}
<p class="refusal" id="problem-${field}" role="alert" hidden></p>
<div class="conflict" hidden><p role="alert">${escaped(texts.changedElsewhere)}</p><div class="theirs plain" dir="auto"></div>
<div class="row"><button type="button" class="secondary" data-do="keepMine">${escaped(texts.keepMine)}</button><button type="button" class="secondary" data-do="takeTheirs">${escaped(texts.takeTheirs)}</button></div></div></div>`;
}

function removeSecret({ removeSecret }: SettingsPanelTexts): string {
  return `<button type="button" class="link" data-do="removeSecret" data-row-do="removeSecret" hidden>${escaped(removeSecret)}</button>`;
}

function labelled(field: SettingField, described: string, texts: SettingsPanelTexts): string {
  const { kind } = FIELDS[field];
  const text = escaped(texts.labels[field]);
  const id = `id="field-${field}"`;
  if (kind === 'tick')
    return `<label class="tick"><input type="checkbox" ${id} ${described}> <span>${text}</span></label>`;
  if (kind === 'strengths') return strengths(field, described, texts);
  const label = `<label for="field-${field}">${text}</label>`;
  if (kind === 'choice') return `${label}<select ${id} ${described}>${choices(field, texts)}</select>`;
  if (kind === 'day') return `${label}<input type="date" max="9999-12-31" ${id} ${described}>`;
  const more = {
    number: 'inputmode="numeric"',
    address: 'spellcheck="false" autocomplete="off" placeholder="https://"',
    secret: `autocomplete="new-password" data-signed="${escaped(texts.isSigned)}"`,
    text: 'dir="auto" spellcheck="false" autocomplete="off"',
  }[kind];
  return `${label}<input type="${kind === 'secret' ? 'password' : 'text'}" ${id} ${more} ${described}>`;
}

function choices(field: SettingField, texts: SettingsPanelTexts): string {
  const option = (value: string, text: string) => `<option value="${escaped(value)}">${escaped(text)}</option>`;
  if (field === 'weekStartDay') return WEEKDAYS.map((day) => option(day, texts.weekdays[day] ?? day)).join('');
  if (field === 'iterationLength') return LENGTHS.map((length) => option(length, texts.weeks(Number(length)))).join('');
  return SCHEMES.map((scheme, index) => option(scheme, texts.scheme(index + 1))).join('');
}

function strengths(field: SettingField, described: string, texts: SettingsPanelTexts): string {
  return `<fieldset id="field-${field}" ${described}><legend>${escaped(texts.labels[field])}</legend><p class="quiet" data-none>${escaped(texts.strengths.none)}</p><ul class="rows" data-rows></ul>
<button type="button" class="link" data-do="addStrength">${escaped(texts.strengths.add)}</button></fieldset>`;
}

function membersSection(texts: SettingsPanelTexts): string {
  const { address, role, roles, add, keptNames, keptNamesHint } = texts.members;
  const options = Object.entries(roles).map(([value, text]) => {
    const selected = value === 'Member' ? ' selected' : '';
    return `<option value="${value}"${selected}>${escaped(text)}</option>`;
  });
  return section(
    'members',
    texts.sections.members,
    `<ul class="rows" id="members"></ul>
<div id="invited" role="status" hidden><p></p><div class="row"><code></code><button type="button" class="secondary" data-do="copy">${escaped(texts.members.copyLink)}</button></div></div>
<form id="addMember" class="adding" novalidate><div><label for="memberEmail">${escaped(address)}</label><input id="memberEmail" type="text" inputmode="email" autocomplete="off" spellcheck="false"></div>
<div><label for="memberRole">${escaped(role)}</label><select id="memberRole">${options.join('')}</select></div>
<button type="submit">${escaped(add)}</button></form>
<div id="keptNames" hidden><h3>${escaped(keptNames)}</h3><p class="quiet">${escaped(keptNamesHint)}</p><ul class="rows" id="names"></ul></div>`,
  );
}

function integrationsSection(texts: SettingsPanelTexts): string {
  const { labels, none, add, cancel } = texts.integrations;
  const field = (name: keyof IntegrationTexts, more = '') =>
    `<div data-field="${name}"><label for="integration-${name}">${escaped(labels[name])}</label><input id="integration-${name}" type="text" autocomplete="off" spellcheck="false" aria-describedby="problem-integration-${name}"${more}><p class="refusal" id="problem-integration-${name}" role="alert" hidden></p></div>`;
  return section(
    'integrations',
    texts.sections.integrations,
    `<p class="quiet" id="noIntegrations">${escaped(none)}</p><ul class="rows" id="integrations"></ul>
<button type="button" class="secondary" id="newIntegration" data-do="newIntegration">${escaped(add)}</button>
<form id="integrationForm" novalidate hidden>${field('name')}${field('fieldLabel')}${field('baseUrl', ' placeholder="https://"')}${field('type', ' placeholder="Other"')}${field('fieldName', ' placeholder="other_id"')}
<div class="row buttons"><button type="submit">${escaped(texts.save)}</button><button type="button" class="secondary" data-do="cancelIntegration">${escaped(cancel)}</button></div></form>`,
  );
}

function transferSection({ transfer: { heading, hint, commands } }: SettingsPanelTexts): string {
  const buttons = transferCommands.map(
    (command) => `<button type="button" class="secondary" data-run="${command}">${escaped(commands[command])}</button>`,
  );
  return section(
    'transfer',
    heading,
    `<p class="quiet">${escaped(hint)}</p><div class="row transfer">${buttons.join('')}</div>`,
  );
}
