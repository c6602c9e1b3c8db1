import type { Intent } from '../../core/intents/intent.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import { UndoHistory } from '../../host/story/undoHistory.ts';

/** One change that was made, and what takes it back. */
export interface MadeEdit {
  readonly intent: Intent;
  readonly back: Intent;
}

/** Changes that were made together. */
export interface EditEntry {
  readonly key: ProjectKey;
  readonly edits: readonly [MadeEdit, ...MadeEdit[]];
}

/** `undefined` for none. */
export function entryOf(key: ProjectKey, [first, ...others]: readonly MadeEdit[]): EditEntry | undefined {
  return first && { key, edits: [first, ...others] };
}

/** The changes of this window that can be taken back or be made again. */
export class EditHistory extends UndoHistory<EditEntry> {
  constructor() {
    super({ count: 20, per: 'window' });
  }
}

/** What the slice's commands need. */
export interface WorkNeeds
  extends Pick<
    App,
    'accounts' | 'backlogs' | 'log' | 'messages' | 'storiesView' | 'storyArgument' | 'workspaceMemory'
  > {
  readonly history: EditHistory;
}
