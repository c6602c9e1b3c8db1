import { agentAnswer, storyDetails, UNTRUSTED } from '../../core/agents/agentAnswer.ts';
import { markerText } from '../../core/marker/markerSyntax.ts';
import type { Project } from '../../core/story/project.ts';
import { visibleLine } from '../../core/text.ts';
import { projectIdsOfCaller, projectsOfCaller, readInProject } from '../auth/projectAccess.ts';
import type { Call } from '../call/exchange.ts';
import { presentIds } from '../store/stories/storyRows.ts';
import { wholeStory } from '../store/stories/wholeStory.ts';
import { theStory } from '../useCases/storyRules.ts';
import type { ServiceToolInput } from './serviceTools.ts';
import { placeOfStory } from './storyPlace.ts';

export async function getStory(call: Call, input: ServiceToolInput<'getStory'>): Promise<string> {
  const { id, projectId } = await placeOfStory(call, input);
  return readInProject(call, projectId, async (tx, project) => {
    const story = await wholeStory(tx, project, await theStory(tx, projectId, id));
    return agentAnswer(storyDetails(story, { projectId, projectName: project.name }));
  });
}

const MOST_PROJECTS = 100;
const MOST_MEMBERS = 50;
const LONGEST_NAME = 200;

export async function listProjects(call: Call): Promise<string> {
  const { service, user, now } = call;
  const { facts, count } = await service.database.read(async (tx) => {
    const rows = await projectsOfCaller(tx, call);
    return { facts: await service.facts.of(tx, rows.slice(0, MOST_PROJECTS), now), count: rows.length };
  });
  return agentAnswer({
    projects: facts.map(({ project }) => projectSummary(project, user.email)),
    ...(count > MOST_PROJECTS && { cut: [`projects: ${MOST_PROJECTS} of ${count}`] }),
  });
}

function projectSummary(project: Project, email: string): Readonly<Record<string, unknown>> {
  const { id, name, memberships, pointScale, currentVelocity, currentIterationNumber, iterationLength } = project;
  const members = memberships.slice(0, MOST_MEMBERS).map(({ person }) => visibleLine(person.name, LONGEST_NAME));
  return {
    id,
    yourRole: memberships.find(({ person }) => person.email === email)?.role,
    pointScale,
    velocity: currentVelocity,
    currentIteration: currentIterationNumber,
    iterationWeeks: iterationLength,
    bugsAndChoresHavePoints: project.bugsAndChoresAreEstimatable,
    [UNTRUSTED]: { name: visibleLine(name, LONGEST_NAME), members },
    ...(memberships.length > MOST_MEMBERS && { cut: [`members: ${MOST_MEMBERS} of ${memberships.length}`] }),
  };
}

export async function getMarker(
  call: Call,
  { storyIds, verb = 'fixes' }: ServiceToolInput<'getMarker'>,
): Promise<string> {
  const ids = [...new Set(storyIds)];
  const known = await call.service.database.read((tx) => presentIds(tx, projectIdsOfCaller(tx, call), ids));
  const unknown = ids.filter((id) => !known.includes(id));
  return agentAnswer({
    marker: markerText(ids, verb),
    ...(unknown.length > 0 && { notInYourProjects: unknown }),
  });
}
