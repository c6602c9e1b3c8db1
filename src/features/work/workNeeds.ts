import type { App } from '../../host/app.ts';
import type { EditsMade } from './editsMade.ts';

/** What the slice's commands need. */
export interface WorkNeeds
  extends Pick<
    App,
    'accounts' | 'backlogs' | 'log' | 'messages' | 'storiesView' | 'storyArgument' | 'workspaceMemory'
  > {
  readonly edits: EditsMade;
}
