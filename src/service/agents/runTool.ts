import { TrackerError } from '../../core/errors.ts';
import { type Call, requireScope } from '../call/exchange.ts';
import { Refusal } from '../ground/errors.ts';
import type { TokenScope } from '../store/schema.ts';
import { findStories } from './findStories.ts';
import { getMarker, getStory, listProjects } from './readingTools.ts';
import type { ServiceToolInput, ServiceToolName } from './serviceTools.ts';
import { addComment, changeState, createStory, editStory, linkCommit, moveStory } from './writingTools.ts';

type ToolRuns = { readonly [N in ServiceToolName]: (call: Call, input: ServiceToolInput<N>) => Promise<string> };

const runs: ToolRuns = {
  ...{ findStories, getStory, listProjects, getMarker },
  ...{ createStory, editStory, changeState, moveStory, addComment, linkCommit },
};

/** What an agent is told: of an error in a sentence by which it can do better. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError?: true;
}

/** A tool that is called with input that fits its schema. */
interface ToolCall<N extends ServiceToolName> {
  readonly name: N;
  readonly access: TokenScope;
  readonly input: ServiceToolInput<N>;
}

export type RunTool = <N extends ServiceToolName>(called: ToolCall<N>) => Promise<ToolAnswer>;

/**
 * Does what a tool is for. Throws what is not for the agent to mend: `Refusal` 401, 429 and from 500 on, and whatever else goes wrong.
 */
export async function runTool<N extends ServiceToolName>(
  call: Call,
  { name, access, input }: ToolCall<N>,
): Promise<ToolAnswer> {
  try {
    requireScope(call.scope, access);
    return { text: await runs[name](call, input) };
  } catch (error) {
    if (error instanceof TrackerError && error.kind === 'input') return { text: error.message, isError: true };
    if (!(error instanceof Refusal) || !isForAgent(error)) throw error;
    return { text: error.sentences.join(' '), isError: true };
  }
}

function isForAgent({ status }: Refusal): boolean {
  return status < 500 && status !== 401 && status !== 429;
}
