import * as vscode from 'vscode';
import { agentAnswer } from '../../core/agents/agentAnswer.ts';
import { type AgentToolName, agentToolNames, editorToolName } from '../../core/agents/agentToolNames.ts';
import { agentTools } from '../../core/agents/agentTools.ts';
import { fittingInput, type InputOf, type InputSchema } from '../../core/agents/inputSchema.ts';
import { isCancelled, messageOf, TrackerError } from '../../core/errors.ts';
import type { ToolNeeds, ToolRun } from './agentTool.ts';
import { Confirmations } from './confirmations.ts';
import { gitTools } from './gitTools.ts';
import { readTools } from './readTools.ts';
import { writeTools } from './writeTools.ts';

const toolsByOwnName: Readonly<Record<AgentToolName, ToolRun<unknown>>> = {
  findStories: checked(agentTools.findStories.inputSchema, readTools.findStories),
  getStory: checked(agentTools.getStory.inputSchema, readTools.getStory),
  getActiveStory: checked(agentTools.getActiveStory.inputSchema, readTools.getActiveStory),
  insertMarker: checked(agentTools.insertMarker.inputSchema, gitTools.insertMarker),
  moveStory: checked(agentTools.moveStory.inputSchema, writeTools.moveStory),
  attachFiles: checked(agentTools.attachFiles.inputSchema, writeTools.attachFiles),
  linkCommits: checked(agentTools.linkCommits.inputSchema, gitTools.linkCommits),
  changeState: checked(agentTools.changeState.inputSchema, writeTools.changeState),
  addComment: checked(agentTools.addComment.inputSchema, writeTools.addComment),
  createStory: checked(agentTools.createStory.inputSchema, writeTools.createStory),
};

/** By the names that they have in VS Code. */
const tools = new Map(agentToolNames.map((name) => [editorToolName(name), toolsByOwnName[name]]));

const confirmations = new Confirmations();

/** A tool that takes whatever a model passes, and goes on with what fits its schema. */
function checked<S extends InputSchema>(schema: S, { progress, question, run }: ToolRun<InputOf<S>>): ToolRun<unknown> {
  const fitting = (input: unknown) => fittingInput<S>(schema, input ?? {});
  return {
    progress,
    ...(question && { question: async (needs, input) => question(needs, fitting(input)) }),
    run: async (needs, input, signal) => run(needs, fitting(input), signal),
  };
}

function toolNamed(name: string): ToolRun<unknown> {
  const tool = tools.get(name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  return tool;
}

/** What VS Code shows while a tool runs, and asks before one that changes something. @throws TrackerError where it cannot run. */
export async function prepareTool(
  needs: ToolNeeds,
  name: string,
  input: unknown,
): Promise<vscode.PreparedToolInvocation> {
  const { progress, question } = toolNamed(name);
  const invocationMessage = progress();
  const asked = await question?.(needs, input);
  if (!asked) return { invocationMessage };
  confirmations.note(name, input, asked.meant);
  const message = new vscode.MarkdownString(asked.message);
  return { invocationMessage, confirmationMessages: { title: asked.title, message } };
}

/** Servers that come and go, and people who sign in or out, may lead the same numbers elsewhere while a person reads a question. */
async function refuseUnconfirmed(needs: ToolNeeds, name: string, input: unknown): Promise<void> {
  const now = confirmations.isAsked(name, input) ? await toolNamed(name).question?.(needs, input) : undefined;
  if (!now || confirmations.isConfirmed(name, input, now.meant)) return;
  throw new TrackerError(
    'input',
    'This is no longer about what the person confirmed. Call the tool again to have them asked.',
  );
}

/** Runs a tool. @throws Error with a sentence by which a model can go on. */
export async function invokeTool(
  needs: ToolNeeds,
  name: string,
  input: unknown,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const stop = new AbortController();
  const listening = token.onCancellationRequested(() => stop.abort());
  try {
    await refuseUnconfirmed(needs, name, input);
    const answer = agentAnswer(await toolNamed(name).run(needs, input, stop.signal));
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(answer)]);
  } catch (thrown) {
    if (token.isCancellationRequested || isCancelled(thrown)) throw new vscode.CancellationError();
    needs.log.warn(`${name}: ${messageOf(thrown)}`);
    throw thrown;
  } finally {
    listening.dispose();
  }
}
