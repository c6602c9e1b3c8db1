import { type Answered, type ShownSettings, toPage, transferCommands } from '../settingsMessages.ts';
import { byId, remember, say, setWritable, vsCode, within } from './elements.ts';
import { answered, refused, showSigned, showTexts, startForms, takeKept } from './forms.ts';
import {
  integrationAnswered,
  memberAnswered,
  refuseIntegration,
  showIntegrations,
  showInvitation,
  showKeptNames,
  showMembers,
  startIntegrations,
  startPeople,
} from './lists.ts';

let lists = '';

window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const message = toPage(data);
  if (message?.type === 'settings') show(message.shown);
  else if (message?.type === 'typed') takeKept(message.typed);
  else if (message?.type === 'notice') showNotice(message.text, true);
  else if (message?.type === 'saved') end(message, true, message.text);
  else if (message?.type === 'unsaved') end(message, false, '');
  else if (message?.type === 'refused') {
    end(message, false, '');
    say(within(document, `[data-problem="${message.section}"]`), message.text);
    if (message.section === 'integrations') refuseIntegration(message.fields);
    else refused(message.fields);
  } else if (message?.type === 'invited') showInvitation(message.text, message.url);
});

function show({
  title,
  texts,
  members,
  keptNames,
  integrations,
  isWebHookSigned,
  isBuiltIn,
  ...why
}: ShownSettings): void {
  byId('loading').hidden = true;
  byId('sections').hidden = false;
  byId('projectName').textContent = title;
  showTexts(texts);
  showSigned(isWebHookSigned);
  for (const command of ['moveToServer', 'backUp']) within(document, `[data-run="${command}"]`).hidden = !isBuiltIn;
  const now = JSON.stringify([members, keptNames, integrations]);
  if (now !== lists) {
    lists = now;
    showMembers(members);
    showKeptNames(keptNames, members);
    showIntegrations(integrations);
  }
  showNotice(why.notice, why.canRetry);
}

/** Why nothing can be changed. */
function showNotice(text: string, canRetry: boolean): void {
  const notice = byId('notice');
  const words = within(notice, 'span');
  if (words.textContent !== text) words.textContent = text;
  notice.hidden = text === '';
  within(notice, '[data-do="reload"]').hidden = !canRetry;
  if (text !== '') byId('loading').hidden = true;
  setWritable(text === '');
}

function end({ request, section }: Answered, isDone: boolean, text: string): void {
  say(within(document, `[data-problem="${section}"]`), '');
  if (section === 'members') memberAnswered(request, isDone);
  else if (section === 'integrations') integrationAnswered(request, isDone);
  else answered(section, isDone);
  byId('status').textContent = text;
}

document.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('[data-do="reload"]')) vsCode.postMessage({ type: 'reload' });
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-run]') : null;
  const command = transferCommands.find((one) => one === button?.dataset.run);
  if (command) vsCode.postMessage({ type: 'run', command });
});

// By which VS Code brings the tab back in a reloaded window.
remember({});
setWritable(false);
startForms();
startPeople();
startIntegrations();
vsCode.postMessage({ type: 'ready' });
