import type { Project } from '../../core/story/project.ts';
import { newSlice, rest } from '../ground/slices.ts';
import { isValid, LeastRecentlyUsed, type Validity } from '../memory/leastRecentlyUsed.ts';
import { SharedWork } from '../memory/sharedWork.ts';
import type { Tx } from '../store/database.ts';
import { partsOfProjects } from '../store/projects/projectParts.ts';
import type { ProjectRow } from '../store/projects/projects.ts';
import { plannedRows } from '../store/stories/storyRows.ts';
import { type ProjectViews, projectPlan, validityOf } from './projectViews.ts';
import { projectOf, projectWith } from './wholeProject.ts';

const MOST_PROJECTS = 20_000;
/** Characters of labels, and members, that count as one more project. */
const CHARACTERS = 500;
const MEMBERS = 5;
/** Projects that are read in one go. */
const AT_ONCE = 20;

/** What a project's own element tells of it. */
interface Facts extends Validity {
  readonly project: Project;
  readonly changes: number;
}

/**
 * The facts of many projects at once, of which the plans would not all find room: who lists projects reads only those that
 * changed, several with each query, and of their stories no more than a plan needs.
 */
export class ProjectFacts {
  private readonly known = new LeastRecentlyUsed<number, Facts>(MOST_PROJECTS);
  private readonly underWay = new SharedWork<readonly Facts[]>();
  private readonly views: ProjectViews;

  constructor(views: ProjectViews) {
    this.views = views;
  }

  /** Of projects as they are in the transaction, in their order. */
  async of(tx: Tx, rows: readonly ProjectRow[], now: number): Promise<readonly Facts[]> {
    const found = new Map<number, Facts>();
    const unread: ProjectRow[] = [];
    for (const row of rows) {
      const facts = this.atHand(row, now) ?? (await this.ofView(tx, row, now));
      if (facts) found.set(row.id, facts);
      else unread.push(row);
    }
    for (let index = 0; index < unread.length; index += AT_ONCE) {
      for (const facts of await this.read(tx, unread.slice(index, index + AT_ONCE), now))
        found.set(facts.project.id, facts);
    }
    return rows.flatMap(({ id }) => found.get(id) ?? []);
  }

  private atHand({ id, changes }: ProjectRow, now: number): Facts | undefined {
    const known = this.known.get(id);
    return known?.changes === changes && isValid(known, now) ? known : undefined;
  }

  private async ofView(tx: Tx, row: ProjectRow, now: number): Promise<Facts | undefined> {
    const view = this.views.atHand(row, now);
    if (!view) return undefined;
    const { validFrom, validUntil } = view;
    return this.kept({ project: await projectOf(tx, view), changes: row.changes, validFrom, validUntil });
  }

  private async read(tx: Tx, rows: readonly ProjectRow[], now: number): Promise<readonly Facts[]> {
    const key = rows.map(({ id, changes }) => `${id} ${changes}`).join();
    const begun = await this.underWay.get(key, () => this.readNow(tx, rows, now));
    return begun.every((facts) => isValid(facts, now)) ? begun : this.readNow(tx, rows, now);
  }

  private async readNow(tx: Tx, rows: readonly ProjectRow[], now: number): Promise<readonly Facts[]> {
    const ids = rows.map(({ id }) => id);
    const partsOf = await partsOfProjects(tx, ids);
    const storiesOf = await plannedRows(tx, ids);
    const all: Facts[] = [];
    await newSlice();
    for (const row of rows) {
      const parts = partsOf(row.id);
      const planned = projectPlan(row, storiesOf(row.id), parts.overrides, now);
      const project = projectWith(row, parts, planned);
      all.push(this.kept({ project, changes: row.changes, ...validityOf(planned, now) }));
      await rest();
    }
    return all;
  }

  private kept(facts: Facts): Facts {
    this.known.set(facts.project.id, facts, weightOf(facts.project));
    return facts;
  }
}

function weightOf({ labels, memberships }: Project): number {
  const characters = labels.reduce((sum, label) => sum + label.length, 0);
  return 1 + Math.floor(characters / CHARACTERS + memberships.length / MEMBERS);
}
