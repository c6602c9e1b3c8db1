import type { Intent } from '../../core/intents/intent.ts';
import type { App } from '../../host/app.ts';
import type { ProjectKey } from '../../host/tree/nodes.ts';

/** One change that was made, and what takes it back. */
export interface MadeEdit {
  readonly intent: Intent;
  readonly back: Intent;
}

/** Changes that were made together. */
export interface EditStep {
  readonly key: ProjectKey;
  readonly edits: readonly MadeEdit[];
}

const REMEMBERED = 20;

/** Changes of this window, the latest last. */
export class EditStack {
  private steps: readonly EditStep[] = [];

  get last(): EditStep | undefined {
    return this.steps.at(-1);
  }

  add(step: EditStep): void {
    if (step.edits.length > 0) this.steps = [...this.steps.slice(1 - REMEMBERED), step];
  }

  forget(step: EditStep): void {
    this.steps = this.steps.filter((one) => one !== step);
  }

  clear(): void {
    this.steps = [];
  }
}

/** The last changes of this window that can be taken back or be made again. */
export class EditsMade {
  readonly done = new EditStack();
  /** What took changes back, since the latest new one. */
  readonly undone = new EditStack();

  /** A new change: what was taken back before it cannot be made again. */
  add(step: EditStep): void {
    if (step.edits.length > 0) this.undone.clear();
    this.done.add(step);
  }
}

/** What the slice's commands need. */
export interface WorkNeeds
  extends Pick<
    App,
    'accounts' | 'backlogs' | 'log' | 'messages' | 'storiesView' | 'storyArgument' | 'workspaceMemory'
  > {
  readonly edits: EditsMade;
}
