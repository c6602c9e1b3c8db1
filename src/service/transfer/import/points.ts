import { isEstimatable } from '../../../core/workflow.ts';
import { type ProjectRow, rulesOf, scaleOf } from '../../store/projects/projects.ts';
import type { Remarking } from './remarks.ts';
import type { StoryFields } from './storyFields.ts';

/** The points of a file's stories. */
export class Points {
  /** All that were seen. */
  readonly seen = new Set<number>();
  /** Types of the stories that have points. */
  readonly types = new Set<string>();
  private readonly project: ProjectRow;
  private readonly hasScale: boolean;

  /** `hasScale` is whether the project's scale and rules are settled, so that what does not fit is remarked. */
  constructor(project: ProjectRow, hasScale: boolean) {
    this.project = project;
    this.hasScale = hasScale;
  }

  note({ type, estimate }: StoryFields, remark: Remarking): void {
    if (estimate === null) return;
    this.seen.add(estimate);
    this.types.add(type);
    if (!this.hasScale) return;
    if (!isEstimatable(type, rulesOf(this.project))) {
      remark('Estimate', String(estimate), `A ${type} is not estimated in this project. The points do not count.`);
    } else if (!scaleOf(this.project).includes(estimate)) {
      remark('Estimate', String(estimate), `The project's point scale is ${this.project.pointScale}. It was kept.`);
    }
  }
}
