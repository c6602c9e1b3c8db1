import type { StoryState, StoryType } from '../../../core/workflow.ts';
import type { Initials } from './demoMembers.ts';
import type { DemoMoment } from './demoMoment.ts';

/** A story of the demo project as its data files tell it: people by initials, moments from the current iteration. */
export interface StorySketch {
  readonly type: StoryType;
  readonly state: StoryState;
  readonly name: string;
  readonly points?: number;
  readonly labels?: readonly string[];
  readonly by: Initials;
  readonly owner?: Initials;
  readonly created: DemoMoment;
  readonly accepted?: DemoMoment;
  readonly deadline?: DemoMoment;
  readonly description?: string;
  readonly ticket?: string;
  readonly notes?: readonly { readonly author: Initials; readonly at: DemoMoment; readonly text: string }[];
  /** What is done comes with a leading `x `. */
  readonly tasks?: readonly string[];
  readonly attachment?: {
    readonly filename: string;
    readonly description: string;
    readonly content: string;
    readonly by: Initials;
    readonly at: DemoMoment;
  };
}
