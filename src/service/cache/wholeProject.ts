import type { PlannedStory } from '../../core/backlog/plannedIteration.ts';
import type { Plan } from '../../core/backlog/planning.ts';
import { velocityScheme } from '../../core/backlog/velocity.ts';
import type { Integration, Project } from '../../core/story/project.ts';
import { writeDay, zonedDate } from '../../v3/dates.ts';
import { orderDigest } from '../../v3/orderDigest.ts';
import type { Tx } from '../store/database.ts';
import { withoutProject } from '../store/projects/memberships.ts';
import { type IntegrationRow, type ProjectParts, partsOfProjects } from '../store/projects/projectParts.ts';
import { type ProjectRow, scaleOf } from '../store/projects/projects.ts';
import type { ProjectView } from './projectViews.ts';

/** The project as its element tells of it, with what follows from its plan. */
export async function projectOf(tx: Tx, view: ProjectView): Promise<Project> {
  const { project, plan } = view;
  const partsOf = await partsOfProjects(tx, [project.id]);
  return { ...toldOf(project, partsOf(project.id), plan), orderDigest: orderOfView(view) };
}

export function projectWith(project: ProjectRow, parts: ProjectParts, plan: Plan<PlannedStory>): Project {
  return { ...toldOf(project, parts, plan), orderDigest: orderOfPlan(plan) };
}

function toldOf(project: ProjectRow, parts: ProjectParts, { done, current, velocity }: Plan<PlannedStory>): Project {
  return {
    ...storedProject(project, parts),
    firstIterationStartTime: zonedDate((done[0] ?? current).start),
    currentIterationNumber: current.number,
    currentVelocity: velocity,
  };
}

const digests = new WeakMap<ProjectView, string>();

/** The digest of a view's order, made on first use and once a view. */
function orderOfView(view: ProjectView): string {
  const known = digests.get(view);
  if (known !== undefined) return known;
  const digest = orderOfPlan(view.plan);
  digests.set(view, digest);
  return digest;
}

function orderOfPlan({ current, backlog, icebox }: Plan<PlannedStory>): string {
  const iterations = [current, ...backlog].map((planned) => ({ ...planned, storyIds: idsOf(planned.stories) }));
  return orderDigest(iterations, idsOf(icebox));
}

function idsOf(stories: readonly { readonly id: number }[]): readonly number[] {
  return stories.map(({ id }) => id);
}

/** The project as its element tells of it, without what follows from its stories and the day. */
export function storedProject(project: ProjectRow, { labels, memberships, integrations }: ProjectParts): Project {
  return {
    id: project.id,
    name: project.name,
    iterationLength: project.iterationLength,
    weekStartDay: project.weekStartDay,
    pointScale: scaleOf(project),
    account: project.account,
    ...(project.startDate !== null && { startDate: { text: writeDay(project.startDate), time: project.startDate } }),
    enableTasks: project.enableTasks === 1,
    velocityScheme: velocityScheme(project.averagedIterations),
    initialVelocity: project.initialVelocity,
    numberOfDoneIterationsToShow: project.doneIterationsToShow,
    labels,
    ...(project.lastActivityAt !== null && { lastActivityAt: zonedDate(project.lastActivityAt) }),
    allowAttachments: project.allowAttachments === 1,
    public: project.isPublic === 1,
    useHttps: project.useHttps === 1,
    bugsAndChoresAreEstimatable: project.bugsAndChoresAreEstimatable === 1,
    commitMode: project.commitMode === 1,
    memberships: memberships.map(withoutProject),
    integrations: integrations.map(integrationOf),
  };
}

function integrationOf({ id, type, name, fieldName, fieldLabel, active }: IntegrationRow): Integration {
  return { id, type, name, fieldName, fieldLabel, active: active === 1 };
}
