import { byId, say, vsCode } from './elements.ts';
import { writeNewStory } from './fieldEditor.ts';
import { openForNewStory, writtenTexts } from './writing.ts';

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
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing) create();
  });
}

/** It was not made, for a reason that is seen at the top: what is written can be changed and sent again. */
export function endCreating(): void {
  if (document.body.classList.contains('is-new')) byId('problem').scrollIntoView({ block: 'nearest' });
  byId('createStory').removeAttribute('aria-busy');
}

function create(): void {
  const button = byId('createStory');
  if (button.hasAttribute('aria-busy')) return;
  button.setAttribute('aria-busy', 'true');
  vsCode.postMessage({ type: 'createStory', texts: writtenTexts() });
}
