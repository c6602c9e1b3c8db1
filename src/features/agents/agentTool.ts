import type { AgentToolName } from '../../core/agents/agentToolNames.ts';
import type { agentTools } from '../../core/agents/agentTools.ts';
import type { InputOf } from '../../core/agents/inputSchema.ts';
import { isSameProject, keyText } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import type { FilterNeeds } from '../../host/story/filteredStories.ts';
import { serverOf } from '../../host/story/storyByNumber.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';

export type ToolNeeds = FilterNeeds & Pick<App, 'activeStories' | 'git' | 'history'>;

/** What each tool is given, once it is known to fit its schema. */
export type ToolInputs = { readonly [N in AgentToolName]: InputOf<(typeof agentTools)[N]['inputSchema']> };

/** What a model is answered. */
export type Answer = Readonly<Record<string, unknown>>;

/** What a person is asked before something is changed. */
interface Question {
  readonly title: string;
  /** Markdown, in which nothing of a server's or a model's is anything but text. */
  readonly message: string;
  /** What it is about, as `meantBy` tells: what was confirmed is not done to anything else. */
  readonly meant: string;
}

/** What a tool does in VS Code. */
export interface ToolRun<I> {
  /** What is shown while it is under way. */
  readonly progress: () => string;
  /** Names exactly what will be done; absent where nothing is changed. @throws TrackerError where it cannot be done. */
  readonly question?: (needs: ToolNeeds, input: I) => Promise<Question>;
  readonly run: (needs: ToolNeeds, input: I, signal: AbortSignal) => Promise<Answer>;
}

/** Projects, or stories of them, as a text by which they can be compared. */
export function meantBy(...found: readonly (Pick<FoundStory, 'key'> & Partial<FoundStory>)[]): string {
  return found.map(({ key, story }) => `${keyText(key)} #${story?.id ?? ''}`).join(', ');
}

/** A story as commands take it. */
export function argumentFor({ key, story }: FoundStory): Readonly<Record<string, unknown>> {
  return { storyId: story.id, projectId: key.projectId, accountId: key.accountId, caller: 'program' };
}

/** Where a story is, for an answer. */
export async function placeOf({ backlogs }: Pick<App, 'backlogs'>, { key }: FoundStory) {
  const entry = (await backlogs.projects()).find((one) => isSameProject(one.key, key));
  const isOneOfSeveral = backlogs.signInAmongSeveral(key) !== undefined;
  return {
    projectId: key.projectId,
    ...(entry && { projectName: entry.project.name }),
    ...(isOneOfSeveral && { server: serverOf({ backlogs }, key) }),
  };
}
