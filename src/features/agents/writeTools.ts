import * as vscode from 'vscode';
import { type CommandId, commandIds } from '../../commandIds.ts';
import { agentTools } from '../../core/agents/agentTools.ts';
import { findStory } from '../../core/backlog/backlog.ts';
import { stateWord, typeWord } from '../../core/backlog/stateWords.ts';
import { needsEstimate } from '../../core/backlog/workflow.ts';
import { TrackerError } from '../../core/errors.ts';
import { isSameProject } from '../../core/story/projectKey.ts';
import type { App } from '../../host/app.ts';
import type { ProjectEntry } from '../../host/projects/projectList.ts';
import { byteText } from '../../host/shell/plainText.ts';
import { countedPoints } from '../../host/story/estimatedEdit.ts';
import { projectsByServer, serverOf, storyByNumber } from '../../host/story/storyByNumber.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { type Answer, argumentFor, meantBy, type ToolInputs, type ToolNeeds, type ToolRun } from './agentTool.ts';
import {
  crossingText,
  listMarkdown,
  nameMarkdown,
  paragraphs,
  projectMarkdown,
  storyMarkdown,
  textBlock,
} from './confirmationTexts.ts';
import { workspaceFiles } from './workspaceFiles.ts';

type WriteTools = {
  readonly [N in 'moveStory' | 'changeState' | 'addComment' | 'attachFiles' | 'createStory']: ToolRun<ToolInputs[N]>;
};

/** The tools that change something: each asks first, and runs the command that does the same for a person, with its undo. */
export const writeTools: WriteTools = {
  moveStory: {
    progress: () => vscode.l10n.t('Moving a story…'),
    question: async (needs, input) => {
      const { found, target } = await wantedMove(needs, input);
      const [what, where] = [storyMarkdown(found), storyMarkdown(target)];
      const message =
        input.place === 'before'
          ? vscode.l10n.t('Move {0} before {1}.', what, where)
          : vscode.l10n.t('Move {0} after {1}.', what, where);
      return {
        title: vscode.l10n.t('Move Story?'),
        message: paragraphs(message, crossingText(found.story, target.story), await projectMarkdown(needs, found.key)),
        meant: meantBy(found, target),
      };
    },
    run: async (needs, { place, ...input }) => {
      const { found, target } = await wantedMove(needs, { place, ...input });
      await run(commandIds.moveStory, { ...argumentFor(found), place, targetId: target.story.id });
      return answerOf(needs, found, `#${found.story.id} is ${place} #${target.story.id}.`);
    },
  },
  changeState: {
    progress: () => vscode.l10n.t('Changing the state of a story…'),
    question: async (needs, input) => {
      const found = await wantedState(needs, input);
      const { state } = found.story;
      const points = input.estimate === undefined ? '' : ` (${countedPoints(input.estimate)})`;
      const message = vscode.l10n.t(
        'Change the state of {0} from {1} to {2}.',
        ...[storyMarkdown(found), nameMarkdown(stateWord(state)), nameMarkdown(stateWord(input.state)) + points],
      );
      return {
        title: vscode.l10n.t('Change State?'),
        message: paragraphs(message, await projectMarkdown(needs, found.key)),
        meant: meantBy(found),
      };
    },
    run: async (needs, input) => {
      const found = await wantedState(needs, input);
      const { state, estimate } = input;
      await run(commandIds.changeState, { ...argumentFor(found), state, ...(estimate !== undefined && { estimate }) });
      return answerOf(needs, found, `#${found.story.id} is ${state}.`);
    },
  },
  addComment: {
    progress: () => vscode.l10n.t('Adding a comment…'),
    question: async (needs, input) => {
      const found = await storyByNumber(needs, input);
      const message = paragraphs(
        vscode.l10n.t('Add this comment to {0}, in your name:', storyMarkdown(found)),
        textBlock(input.text),
        await projectMarkdown(needs, found.key),
      );
      return { title: vscode.l10n.t('Add Comment?'), message, meant: meantBy(found) };
    },
    run: async (needs, { text, ...name }) => {
      const found = await storyByNumber(needs, name);
      await run(commandIds.addComment, { ...argumentFor(found), text });
      return answerOf(needs, found, `Added the comment to #${found.story.id}.`);
    },
  },
  attachFiles: {
    progress: () => vscode.l10n.t('Attaching files…'),
    question: async (needs, input) => {
      const found = await storyByNumber(needs, input);
      const files = await workspaceFiles(input.files);
      const message = paragraphs(
        vscode.l10n.t('Attach these files to {0}:', storyMarkdown(found)),
        listMarkdown(files.map(({ path, size }) => `${nameMarkdown(path)} (${byteText(size)})`)),
        vscode.l10n.t('Everyone who can see the story can read its attachments.'),
        await projectMarkdown(needs, found.key),
      );
      return { title: vscode.l10n.t('Attach Files?'), message, meant: meantBy(found) };
    },
    run: async (needs, { files: paths, ...name }) => {
      const found = await storyByNumber(needs, name);
      const files = await workspaceFiles(paths);
      const uris = files.map(({ uri }) => uri);
      await vscode.commands.executeCommand(commandIds.attachFiles, undefined, uris, argumentFor(found));
      return { done: `Attached ${files.length} files to #${found.story.id}.` };
    },
  },
  createStory: {
    progress: () => vscode.l10n.t('Creating a story…'),
    question: async (needs, input) => {
      const entry = await projectFor(needs, input);
      if (input.labels?.some((label) => label.includes(',')))
        throw new TrackerError('input', 'Pass each label by itself, without commas.');
      const message = paragraphs(newStoryMarkdown(entry, input), await projectMarkdown(needs, entry.key));
      return { title: vscode.l10n.t('Create Story?'), message, meant: meantBy(entry) };
    },
    run: async (needs, input) => {
      const { key } = await projectFor(needs, input);
      const { server: _, ...fields } = input;
      const made: unknown = await run(commandIds.newStory, { ...fields, ...key, caller: 'program' });
      return { projectId: key.projectId, ...(typeof made === 'object' && made) };
    },
  },
};

async function run(command: CommandId, argument: Answer): Promise<unknown> {
  return vscode.commands.executeCommand(command, argument);
}

/** @throws TrackerError as `storyByNumber`, and `input` where both are of different projects. */
async function wantedMove(needs: ToolNeeds, { targetId, ...name }: ToolInputs['moveStory']) {
  const found = await storyByNumber(needs, name);
  if (found.story.id === targetId) throw new TrackerError('input', 'A story cannot be moved next to itself.');
  const backlog = await needs.backlogs.backlog(found.key);
  const target = findStory(backlog, targetId);
  if (target) return { found, target: { key: found.key, story: target } };
  throw new TrackerError('input', `Project ${found.key.projectId} has no story #${targetId} to move next to.`);
}

/** @throws TrackerError `input` where nothing would change, and where an estimate is wanting, for which a person would be asked. */
async function wantedState(
  needs: ToolNeeds,
  { state, estimate, ...name }: ToolInputs['changeState'],
): Promise<FoundStory> {
  const found = await storyByNumber(needs, name);
  const { project } = await needs.backlogs.backlog(found.key);
  const { type, estimate: known } = found.story;
  if (state === found.story.state && (estimate ?? known) === known)
    throw new TrackerError('input', `#${found.story.id} is ${state} already.`);
  if (!needsEstimate(type, state, estimate ?? known, project)) return found;
  const scale = project.pointScale.join(', ');
  throw new TrackerError('input', `#${found.story.id} has no estimate. Pass estimate, one of ${scale}.`);
}

/** @throws TrackerError `input` where it is not clear which project is meant, `notFound` where there is none. */
async function projectFor(
  needs: Pick<App, 'accounts' | 'backlogs'>,
  { projectId, server }: Pick<ToolInputs['createStory'], 'projectId' | 'server'>,
): Promise<ProjectEntry> {
  const meant = [...(await projectsByServer(needs, { projectId, server })).values()];
  const [first, ...others] = meant.flat();
  const isSame = (one: ProjectEntry) => one.key.projectId === first?.key.projectId;
  if (first && meant.length === 1 && others.every(isSame)) return first;
  const entries = await needs.backlogs.projects();
  const known = entries.map(({ key }) => `${key.projectId} on ${serverOf(needs, key)}`).join(', ');
  const fields =
    new Set(entries.map(({ key }) => serverOf(needs, key))).size > 1 ? 'projectId and server' : 'projectId';
  throw new TrackerError(first ? 'input' : 'notFound', `Pass ${fields}, one of these projects: ${known}.`);
}

function newStoryMarkdown({ project }: ProjectEntry, input: ToolInputs['createStory']): string {
  const { name, type = agentTools.createStory.inputSchema.properties.type.enum[0], description, estimate } = input;
  const places = {
    top: vscode.l10n.t('at the top of the backlog'),
    bottom: vscode.l10n.t('at the bottom of the backlog'),
    icebox: vscode.l10n.t('in the icebox'),
  };
  return paragraphs(
    vscode.l10n.t(
      'Create a {0} in {1}, {2}:',
      typeWord(type),
      nameMarkdown(project.name),
      places[input.place ?? 'icebox'],
    ),
    textBlock(name),
    description === undefined || description === '' ? undefined : textBlock(description),
    estimate === undefined ? undefined : countedPoints(estimate),
    input.labels && vscode.l10n.t('Labels: {0}', input.labels.map(nameMarkdown).join(', ')),
  );
}

/** What was done, and whether it only waits to be sent. */
function answerOf({ backlogs }: Pick<App, 'backlogs'>, { key, story }: FoundStory, done: string): Answer {
  const isWaiting = backlogs.unsent.some(
    ({ project, intent, state }) => state !== 'failed' && intent.storyId === story.id && isSameProject(project, key),
  );
  return isWaiting
    ? { done, waiting: 'Saved on this computer. It will be sent when the server is reachable.' }
    : { done };
}
