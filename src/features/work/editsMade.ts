import type { Intent } from '../../core/intent.ts';
import type { ProjectKey } from '../../host/nodes.ts';

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

/** The last changes of this window that can be taken back. */
export class EditsMade {
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
}
