import { type Draft, readDraft } from '../storyDrafts.ts';
import { byId, say, vsCode } from './elements.ts';
import { writeNewStory } from './fieldEditor.ts';
import { remember, remembered } from './pageMemory.ts';
import { isAnythingWritten, openForNewStory, putAllBack, takeAllAway, writtenTexts } from './writing.ts';

/** What the page remembers of a story that was discarded, until the next one is. */
const DISCARDED = 'discardedStory';

/** Makes the page one in which a story is written that no server has. `where` says where it will land. */
export function showNewStory(where: string): void {
  say('where', where);
  if (document.body.classList.contains('is-new')) return;
  document.body.classList.add('is-new');
  byId('loading').hidden = true;
  byId('rest').hidden = false;
  byId('newStory').hidden = false;
  writeNewStory();
  openForNewStory();
  byId('createStory').addEventListener('click', create);
  byId('discardStory').addEventListener('click', () => discard());
  byId('restoreStory').addEventListener('click', () => discard(discarded()));
  for (const event of ['input', 'change', 'click']) document.addEventListener(event, showDiscard);
  showDiscard();
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing) create();
  });
}

/** It was not made, for a reason that is seen at the top: what is written can be changed and sent again. */
export function endCreating(): void {
  if (document.body.classList.contains('is-new')) byId('problem').scrollIntoView({ block: 'nearest' });
  byId('createStory').removeAttribute('aria-busy');
}

/** Shows what can be discarded, and what was. */
export function showDiscard(): void {
  if (!document.body.classList.contains('is-new')) return;
  byId('discardStory').hidden = !isAnythingWritten();
  byId('discardedStory').hidden = discarded().length === 0;
}

/** What is written makes way for what was, or for nothing; it can be had again as long as the tab is there. */
function discard(former: readonly Draft[] = []): void {
  const taken = takeAllAway();
  putAllBack(former);
  remember({ [DISCARDED]: taken });
  showDiscard();
  byId('field-name').focus();
}

function discarded(): readonly Draft[] {
  const kept = remembered()[DISCARDED];
  return Array.isArray(kept) ? kept.flatMap((one: unknown) => readDraft(one) ?? []) : [];
}

function create(): void {
  const button = byId('createStory');
  if (button.hasAttribute('aria-busy')) return;
  button.setAttribute('aria-busy', 'true');
  vsCode.postMessage({ type: 'createStory', texts: writtenTexts() });
}
