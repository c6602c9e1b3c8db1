import type { Project } from '../../core/project.ts';
import type { Tx } from '../store/database.ts';
import type { ProjectRow } from '../store/projects.ts';
import { isValid, type Validity } from './isValid.ts';
import { LeastRecent } from './leastRecent.ts';
import { projectOf } from './projectOf.ts';
import type { ProjectViews } from './projectViews.ts';

const MOST_PROJECTS = 20_000;

/** What a project's own element tells of it. */
interface Facts extends Validity {
  readonly project: Project;
  readonly changes: number;
}

/** The facts of many projects at once, of which the plans would not all find room: who lists projects reads only those that changed. */
export class ProjectFacts {
  private readonly known = new LeastRecent<number, Facts>(MOST_PROJECTS);
  private readonly views: ProjectViews;

  constructor(views: ProjectViews) {
    this.views = views;
  }

  /** Of a project as it is in the transaction. */
  async get(tx: Tx, row: ProjectRow, now: number): Promise<Facts> {
    const known = this.known.get(row.id);
    if (known?.changes === row.changes && isValid(known, now)) return known;
    const view = await this.views.get(tx, row, now);
    const { validFrom, validUntil } = view;
    const facts = { project: await projectOf(tx, view), changes: row.changes, validFrom, validUntil };
    this.known.set(row.id, facts);
    return facts;
  }
}
