import { isPendingStory } from '../../core/intents/edit.ts';
import { escaped } from './html.ts';
import { NEW_STORY, type PanelStory, partNames, type StoryCommand } from './panelMessages.ts';
import type { PanelTexts } from './panelTexts.ts';
import { type DraftField, draftFields } from './storyDrafts.ts';

interface PageFiles {
  /** What they hold: a page that has to fetch them is there a tenth of a second later. */
  readonly script: string;
  readonly style: string;
  /** Unguessable, new for every page: nothing else in it runs or is a style. */
  readonly nonce: string;
  readonly language: string;
  /** Whose page it is. */
  readonly story: PanelStory;
  /** What it was called before, for a page that goes on with what that of the former name has kept. */
  readonly former?: PanelStory | undefined;
}

/** The page before any story is in it. Its policy allows its own script and style and images that it holds, and nothing from anywhere. */
export function pageShell({ script, style, nonce, language, story, former }: PageFiles, texts: PanelTexts): string {
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src blob:; base-uri 'none'; form-action 'none'`;
  const [head, ...rest] = partNames.map((name) => [name, `<section data-part="${name}" hidden></section>`] as const);
  const ownerButtons = [
    commandButton('ownStory', texts.own, texts.ownStory),
    commandButton('giveStoryUp', texts.giveUp, texts.giveStoryUp),
  ].join('');
  // What is begun is kept for the story that a server makes of it; the page of that one is another.
  const send = isPendingStory({ id: story.storyId }) ? ` disabled title="${escaped(texts.unsentStory)}"` : '';
  const requester = story.storyId === NEW_STORY ? texts.writing.you : '';
  const part = (name: string) => rest.find(([other]) => other === name)?.[1] ?? '';
  return `<!DOCTYPE html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Story Tracker</title>
<style nonce="${nonce}">${style}</style>
</head>
<body data-story="${escaped(JSON.stringify(story))}"${former ? ` data-former="${escaped(JSON.stringify(former))}"` : ''}>
<main data-sending="${escaped(texts.sending)}" data-sent="${escaped(texts.commentSent)}" data-put-back="${escaped(texts.putBack)}" data-discard="${escaped(texts.discard)}" data-edit-task="${escaped(texts.editTask)}" data-attach-later="${escaped(texts.writing.attachLater)}">
<div id="problem" role="alert" hidden></div>
${keptLine(texts)}
<p id="loading" class="quiet">${escaped(texts.loading)}</p>
<p id="where" class="quiet" hidden></p>
<p id="unfinished" class="quiet" role="status" hidden><span data-text="${escaped(texts.writing.unfinished('{0}'))}"></span>
<button type="button" class="link" id="startEmpty">${escaped(texts.writing.startEmpty)}</button></p>
<p id="discardedStory" class="quiet" role="status" hidden>${escaped(texts.writing.discarded)}
<button type="button" class="link" id="restoreStory" aria-label="${escaped(texts.writing.restoreStory)}">${escaped(texts.writing.restore)}</button></p>
<div class="headline">${longForm('name', texts)}${head?.[1] ?? ''}${unsentMark('name', texts)}</div>
<div id="rest" class="columns" hidden>
<div>
${part('description')}${unsentMark('description', texts)}${longForm('description', texts)}
${part('tasks')}
<form id="taskForm" class="row">
<label class="spoken" for="task">${escaped(texts.addTask)}</label>
<input id="task" type="text" dir="auto" autocomplete="off" placeholder="${escaped(texts.addTask)}" aria-describedby="taskRefusal">
<button type="submit" class="secondary"${send}>${escaped(texts.add)}</button>
</form>
<p id="taskRefusal" class="refusal" role="alert" hidden></p>
<ul id="taskReturned" class="returned" aria-label="${escaped(texts.notAdded)}" hidden></ul>
${part('comments')}
<form id="form">
<label for="comment" title="${escaped(texts.goToComment)}" data-mac="${escaped(texts.goToCommentOnMac)}">${escaped(texts.addComment)}</label>
<textarea id="comment" rows="3" dir="auto" aria-keyshortcuts="Alt+C" aria-describedby="commentRefusal"></textarea>
<p id="commentRefusal" class="refusal" role="alert" hidden></p>
<ul id="commentReturned" class="returned" aria-label="${escaped(texts.notAdded)}" hidden></ul>
<button type="submit"${send}>${escaped(texts.comment)}</button>
</form>
${part('commits')}
</div>
<div class="side">
<h2>${escaped(texts.details)}</h2>
${shortForms(texts, ownerButtons, requester)}
${part('details')}${part('attachments')}${part('history')}
</div>
</div>
<div id="newStory" hidden><button type="button" id="createStory">${escaped(texts.writing.create)}</button>
<button type="button" id="discardStory" class="secondary" aria-label="${escaped(texts.writing.discardStory)}" hidden>${escaped(texts.writing.discard)}</button></div>
<p id="status" role="status" class="spoken"></p>
</main>
<script nonce="${nonce}">${inElement(script)}</script>
</body>
</html>
`;
}

/** What was kept unsaved from before, with a way to each text of it. */
function keptLine({ writing, comment, task }: PanelTexts): string {
  const button = (name: string, text: string) =>
    `<button type="button" class="link" data-kept="${name}" hidden>${escaped(text)}</button>`;
  const fields = draftFields.map((field) => button(field, writing.labels[field]));
  return `<div id="kept" role="group" aria-label="${escaped(writing.unsaved)}" hidden><span class="mark">${escaped(writing.unsaved)}</span>${fields.join('')}${button('task', task)}${button('comment', comment)}</div>`;
}

/** A script says the same with these characters escaped, and cannot end its element. */
function inElement(script: string): string {
  return script.replaceAll(/<(?=\/script|!--)/gi, '\\x3c');
}

/** A small button that runs a command for the story; `spoken` names it where it stands alone. */
export function commandButton(command: StoryCommand, text: string, spoken: string): string {
  return `<button type="button" class="link" data-do="command" data-command="${command}" data-key="${command}" aria-label="${escaped(spoken)}">${escaped(text)}</button>`;
}

/** The controls in which a story is written. They stay in the page; nothing that is drawn anew replaces them. */

type LongField = 'name' | 'description';
type ShortField = Exclude<DraftField, LongField>;

/** A text of several lines, which is hidden until someone writes it, with the way back to what was discarded of it. */
function longForm(field: LongField, texts: PanelTexts): string {
  const { labels, saveText, cancel, preview, saveHint, saveHintOnMac, discarded, otherWindow, restore, restoreNamed } =
    texts.writing;
  const toggle = `<button type="button" class="secondary toggle" data-field-do="preview" aria-pressed="false">${escaped(preview)}</button>`;
  const shown = `<div class="preview" id="preview" role="region" aria-label="${escaped(preview)}" tabindex="0"></div>`;
  const isLong = field === 'description';
  return `<form class="writing" data-field="${field}" hidden>
<label${isLong ? '' : ' class="spoken"'} for="field-${field}">${escaped(labels[field])}</label>
<div class="source"><textarea id="field-${field}" rows="${isLong ? 8 : 1}" dir="auto" aria-describedby="problem-${field}"></textarea>${isLong ? shown : ''}</div>
${beneath(field, texts)}
<div class="row buttons"><button type="submit">${escaped(saveText)}</button>
<button type="button" class="secondary" data-field-do="cancel">${escaped(cancel)}</button>
${isLong ? toggle : ''}<span class="quiet hint" data-mac="${escaped(saveHintOnMac)}">${escaped(saveHint)}</span></div>
</form>
<p class="quiet" data-discarded="${field}" role="status" hidden><span data-other="false">${escaped(discarded)}</span><span data-other="true" hidden>${escaped(otherWindow)}</span>
<button type="button" class="link" aria-label="${escaped(restoreNamed(field))}">${escaped(restore)}</button></p>`;
}

/** The short fields, one below the other; `ownerButtons` stand below the owner, `requester` in a box without one. */
function shortForms(texts: PanelTexts, ownerButtons: string, requester: string): string {
  const { labels, addLabel, removeLabel } = texts.writing;
  const select = (field: ShortField) => `<select id="field-${field}" aria-describedby="problem-${field}"></select>`;
  const day = `<input id="field-deadline" type="date" max="9999-12-31" aria-describedby="problem-deadline">`;
  const one = (field: ShortField, control: string, more = '') =>
    `<form class="field" data-field="${field}" hidden><label for="field-${field}">${escaped(labels[field])}</label>
<div>${control}${beneath(field, texts)}${unsentMark(field, texts)}${more}</div></form>`;
  const labelBox = comboBox('labels', addLabel, texts);
  const forms: Readonly<Record<ShortField, string>> = {
    type: one('type', select('type')),
    estimate: one('estimate', select('estimate')),
    ownedBy: one('ownedBy', comboBox('ownedBy', texts.nobody, texts), `<div class="row">${ownerButtons}</div>`),
    requestedBy: one('requestedBy', comboBox('requestedBy', requester, texts)),
    labels: one('labels', `<ul class="labels" id="labels" data-remove="${escaped(removeLabel)}"></ul>${labelBox}`),
    deadline: one('deadline', day),
  };
  return Object.values(forms).join('\n');
}

/** A text with what can be chosen below it (ARIA Authoring Practices: editable combobox with list autocomplete). */
function comboBox(field: DraftField, placeholder: string, { writing }: PanelTexts): string {
  return `<div class="combobox"><input id="field-${field}" type="text" dir="auto" role="combobox" aria-expanded="false" aria-autocomplete="list" aria-controls="list-${field}" aria-describedby="problem-${field}" autocomplete="off" spellcheck="false" placeholder="${escaped(placeholder)}"><ul id="list-${field}" role="listbox" aria-label="${escaped(writing.labels[field])}" hidden></ul></div>`;
}

/** Says that the story's server has not taken the field yet, once that takes longer than usual. */
function unsentMark(field: DraftField, { writing, notSentYet }: PanelTexts): string {
  const text = field === 'name' ? writing.nameNotSentYet : notSentYet;
  return `<p class="quiet unsent" data-unsent="${field}" hidden>${escaped(text)}</p>`;
}

/** What there is to say of what is written: that it is not saved, why, and what someone else wrote. */
function beneath(field: DraftField, { writing }: PanelTexts): string {
  const button = (does: string, text: string, className: string) =>
    `<button type="button" class="${className}" data-field-do="${does}">${escaped(text)}</button>`;
  const compare = field === 'description' ? button('compare', writing.compare, 'secondary') : '';
  const isLong = field === 'name' || field === 'description';
  const discard = `<button type="button" class="link" data-field-do="discard" aria-label="${escaped(writing.discardNamed(field))}">${escaped(writing.discard)}</button>`;
  // A long text has Cancel, which does the same.
  return `<p class="unsaved" hidden><span class="mark">${escaped(writing.unsaved)}</span>
${isLong ? '' : discard}</p>
<p class="refusal" id="problem-${field}" role="alert" hidden></p>
<div class="conflict" hidden><p role="alert" data-text="${escaped(writing.changedElsewhere)}" data-choose="${escaped(writing.chooseFirst)}"></p>
<div class="theirs plain" dir="auto" tabindex="0" data-empty="${escaped(writing.empty)}"></div>
<div class="row">${button('keepMine', writing.keepMine, 'secondary')}${button('takeTheirs', writing.takeTheirs, 'secondary')}${compare}</div></div>`;
}
