import { escaped } from './escaped.ts';
import type { StoryCommand } from './panelMessages.ts';

/** A small button that runs a command for the story; `spoken` names it where it stands alone. */
export function commandButton(command: StoryCommand, text: string, spoken: string): string {
  return `<button type="button" class="link" data-do="command" data-command="${command}" data-key="${command}" aria-label="${escaped(spoken)}">${escaped(text)}</button>`;
}
