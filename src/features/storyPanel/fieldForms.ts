import { escaped } from './html.ts';
import type { PanelTexts } from './panelTexts.ts';
import type { DraftField } from './storyDrafts.ts';

/** The controls in which a story is written. They stay in the page; nothing that is drawn anew replaces them. */

type LongField = 'name' | 'description';

/** A text of several lines, which is hidden until someone writes it, with the way back to what was discarded of it. */
export function longForm(field: LongField, texts: PanelTexts): string {
  const { labels, saveText, cancel, preview, saveHint, saveHintOnMac, discarded, restore, restoreNamed } =
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
<p class="quiet" data-discarded="${field}" role="status" hidden>${escaped(discarded)}
<button type="button" class="link" aria-label="${escaped(restoreNamed(field))}">${escaped(restore)}</button></p>`;
}

/** The short fields, one below the other; `ownerButtons` stand below the owner, `requester` in a box without one. */
export function shortForms(texts: PanelTexts, ownerButtons: string, requester: string): string {
  const { labels, addLabel, removeLabel } = texts.writing;
  const select = (field: DraftField) => `<select id="field-${field}" aria-describedby="problem-${field}"></select>`;
  const day = `<input id="field-deadline" type="date" max="9999-12-31" aria-describedby="problem-deadline">`;
  const one = (field: DraftField, control: string, more = '') =>
    `<form class="field" data-field="${field}" hidden><label for="field-${field}">${escaped(labels[field])}</label>
<div>${control}${beneath(field, texts)}${more}</div></form>`;
  return [
    one('type', select('type')),
    one('estimate', select('estimate')),
    one('ownedBy', comboBox('ownedBy', texts.nobody, texts), `<div class="row">${ownerButtons}</div>`),
    one('requestedBy', comboBox('requestedBy', requester, texts), ''),
    one(
      'labels',
      `<ul class="labels" id="labels" data-remove="${escaped(removeLabel)}"></ul>${comboBox('labels', addLabel, texts)}`,
    ),
    one('deadline', day),
  ].join('\n');
}

/** A text with what can be chosen below it (ARIA Authoring Practices: editable combobox with list autocomplete). */
function comboBox(field: DraftField, placeholder: string, { writing }: PanelTexts): string {
  return `<div class="combobox"><input id="field-${field}" type="text" dir="auto" role="combobox" aria-expanded="false" aria-autocomplete="list" aria-controls="list-${field}" aria-describedby="problem-${field}" autocomplete="off" spellcheck="false" placeholder="${escaped(placeholder)}"><ul id="list-${field}" role="listbox" aria-label="${escaped(writing.labels[field])}" hidden></ul></div>`;
}

/** What there is to say of what is written: that it is not saved, why, and what someone else wrote. */
function beneath(field: DraftField, { writing }: PanelTexts): string {
  const button = (does: string, text: string, className: string) =>
    `<button type="button" class="${className}" data-field-do="${does}">${escaped(text)}</button>`;
  const compare = field === 'description' ? button('compare', writing.compare, 'secondary') : '';
  return `<p class="unsaved" hidden><span class="mark">${escaped(writing.unsaved)}</span>
<button type="button" class="link" data-field-do="discard" aria-label="${escaped(writing.discardNamed(field))}">${escaped(writing.discard)}</button></p>
<p class="refusal" id="problem-${field}" role="alert" hidden></p>
<div class="conflict" hidden><p role="alert" data-text="${escaped(writing.changedElsewhere)}"></p>
<div class="theirs plain" dir="auto" tabindex="0" data-empty="${escaped(writing.empty)}"></div>
<div class="row">${button('keepMine', writing.keepMine, 'secondary')}${button('takeTheirs', writing.takeTheirs, 'secondary')}${compare}</div></div>`;
}
