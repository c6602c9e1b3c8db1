import { randomInt } from 'node:crypto';
import type { Insertable, Selectable } from 'kysely';
import type { Tx } from '../database.ts';
import { knownQuery, knownStatement } from '../queries.ts';
import type { Schema } from '../schema.ts';

export type ProjectRow = Selectable<Schema['projects']>;
export type ProjectSettings = Partial<Omit<Insertable<Schema['projects']>, 'id' | 'name' | 'changes'>>;

const defaults = {
  account: 'Story Tracker',
  iterationLength: 1,
  weekStartDay: 'Monday',
  pointScale: '0,1,2,3',
  initialVelocity: 10,
  averagedIterations: 3,
  startDate: null,
  doneIterationsToShow: 12,
  enableTasks: 1,
  allowAttachments: 1,
  isPublic: 0,
  useHttps: 0,
  bugsAndChoresAreEstimatable: 0,
  commitMode: 0,
  lastActivityAt: null,
  webHookUrl: null,
};

export async function addProject(tx: Tx, name: string, settings: ProjectSettings, now: number): Promise<ProjectRow> {
  return tx
    .insertInto('projects')
    .values({ ...defaults, createdAt: now, ...settings, name, changes: newVersion() })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** One of a number that no other has, which is no project of people. */
export async function addHiddenProject(tx: Tx, id: number, now: number): Promise<ProjectRow> {
  return tx
    .insertInto('projects')
    .values({ ...defaults, id, createdAt: now, name: '', changes: newVersion() })
    .returningAll()
    .executeTakeFirstOrThrow();
}

const projectsById = knownQuery((tx, { id }: { readonly id: number }) =>
  tx.selectFrom('projects').selectAll().where('id', '=', id),
);

export async function projectById(tx: Tx, id: number): Promise<ProjectRow | undefined> {
  const [project] = await projectsById(tx, { id });
  return project;
}

export type SeenProject = Pick<ProjectRow, 'changes' | 'useHttps'>;

/** Its version and how it may be reached; undefined for a user who is no member. */
export async function projectSeenBy(tx: Tx, projectId: number, userId: number): Promise<SeenProject | undefined> {
  return tx
    .selectFrom('projects')
    .innerJoin('memberships', 'memberships.projectId', 'projects.id')
    .select(['projects.changes', 'projects.useHttps'])
    .where('projects.id', '=', projectId)
    .where('memberships.userId', '=', userId)
    .executeTakeFirst();
}

/** Without those that an import is making. */
export async function allProjects(tx: Tx): Promise<ProjectRow[]> {
  return tx
    .selectFrom('projects')
    .selectAll()
    .where('id', 'not in', (hidden) =>
      hidden.selectFrom('imports').select((row) => row.fn.coalesce('projectId', row.val(0)).as('id')),
    )
    .orderBy('id')
    .execute();
}

export async function updateProject(
  tx: Tx,
  id: number,
  settings: ProjectSettings & { readonly name: string },
): Promise<void> {
  await tx.updateTable('projects').set(settings).where('id', '=', id).execute();
}

/** Whether there is one, which then is not deleted before the transaction ends; changes to it are not held up. */
export async function isProject(tx: Tx, id: number, locksRows: boolean): Promise<boolean> {
  const query = tx.selectFrom('projects').select('id').where('id', '=', id);
  return (await (locksRows ? query.forKeyShare() : query).executeTakeFirst()) !== undefined;
}

/** With all that is in it. */
export async function deleteProject(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('projects').where('id', '=', id).execute();
}

/**
 * Of what a project holds after a change: unlike any other, so that equal ones mean equal contents, also after the database was set
 * back to an earlier state and then changed in another way.
 */
function newVersion(): number {
  return randomInt(2 ** 48 - 1);
}

const renewed = knownQuery((tx, { id, changes }: { readonly id: number; readonly changes: number }) =>
  tx.updateTable('projects').set({ changes }).where('id', '=', id).returningAll(),
);

/** First statement of every write to a project: gives it a new version and holds it until the transaction ends. */
export async function lockProject(tx: Tx, id: number): Promise<ProjectRow | undefined> {
  const [project] = await renewed(tx, { id, changes: newVersion() });
  return project;
}

export async function projectsOfUser(tx: Tx, userId: number): Promise<ProjectRow[]> {
  return tx
    .selectFrom('projects')
    .innerJoin('memberships', 'memberships.projectId', 'projects.id')
    .selectAll('projects')
    .where('memberships.userId', '=', userId)
    .orderBy('projects.id')
    .execute();
}

/** A query for the ids of the same projects. */
export function projectIdsOfUser(tx: Tx, userId: number) {
  return tx
    .selectFrom('projects')
    .innerJoin('memberships', 'memberships.projectId', 'projects.id')
    .select('projects.id as id')
    .where('memberships.userId', '=', userId);
}

export type ProjectIds = ReturnType<typeof projectIdsOfUser>;

/** The statement that notes when something happened in a project. */
export const touchedProject = knownStatement((tx, { id, now }: { readonly id: number; readonly now: number }) =>
  tx.updateTable('projects').set({ lastActivityAt: now }).where('id', '=', id),
);

export async function touchProject(tx: Tx, id: number, now: number): Promise<void> {
  await tx.executeQuery(touchedProject(tx, { id, now }));
}

/** Gives a project, to which nothing belongs yet, a number that no other has. */
export async function renumberProject(tx: Tx, project: ProjectRow, id: number): Promise<ProjectRow> {
  await tx.updateTable('projects').set({ id }).where('id', '=', project.id).execute();
  return { ...project, id };
}

export function scaleOf({ pointScale }: Pick<ProjectRow, 'pointScale'>): readonly number[] {
  return pointScale.split(',').map(Number);
}

export function rulesOf(project: ProjectRow): { readonly bugsAndChoresAreEstimatable: boolean } {
  return { bugsAndChoresAreEstimatable: project.bugsAndChoresAreEstimatable === 1 };
}

/** What an administrator can decide for the whole service, and what is so until then: the first. */
export const RULES = {
  /** Whom an owner may make a member of a project: anyone with an address, who is a user already, or none but by the command line. */
  'adding-people': ['anyone', 'users', 'administrators'],
} as const;

type RuleName = keyof typeof RULES;
export type RuleValue<N extends RuleName> = (typeof RULES)[N][number];

export function isRuleName(text: string): text is RuleName {
  return Object.hasOwn(RULES, text);
}

/** As it is now, whatever process changed it. */
export async function ruleValue<N extends RuleName>(tx: Tx, name: N): Promise<RuleValue<N>> {
  const row = await tx.selectFrom('rules').select('value').where('name', '=', name).executeTakeFirst();
  const values: readonly RuleValue<N>[] = RULES[name];
  return values.find((value) => value === row?.value) ?? RULES[name][0];
}

export async function setRule<N extends RuleName>(tx: Tx, name: N, value: RuleValue<N>): Promise<void> {
  await tx
    .insertInto('rules')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
