import type { Project } from '../../core/story/project.ts';

/** What of a project decides what a story's page offers. */
export type PanelProject = Partial<Pick<Project, 'bugsAndChoresAreEstimatable' | 'integrations'>>;
