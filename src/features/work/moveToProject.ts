import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { TrackerError } from '../../core/errors.ts';
import { formerPositions } from '../../core/moves/formerPositions.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import { visibleLine } from '../../core/text.ts';
import { rememberedNames } from '../../host/accounts/ownNames.ts';
import type { ProjectEntry } from '../../host/projects/projectList.ts';
import { callerOf, programArguments } from '../../host/shell/commands.ts';
import { withoutIcons } from '../../host/shell/plainText.ts';
import { offerUndo } from '../../host/story/offerUndo.ts';
import { doReversibly, reversibleAgain } from '../../host/story/reversibleEntry.ts';
import type { StoriesOfProject } from '../../host/story/storyArgument.ts';
import { waitingText } from '../../host/story/submitIntents.ts';
import type { EntryMakers } from '../../host/story/undoHistory.ts';
import { isFromTree, selectNeighbor, watchFocus } from '../../host/tree/selectedRow.ts';
import { chosenStories, storiesInSentence, type WorkNeeds } from './applyEdits.ts';
import { ProjectMoves } from './projectMoves.ts';

/**
 * Takes stories to another project of the same server, with their numbers, comments, tasks, files and commits: the one named
 * by `targetProjectId`, else the one picked among those in which one may write. Says first what does not come along.
 */
export async function moveToProject(needs: WorkNeeds, ...args: readonly unknown[]): Promise<void> {
  const chosen = await chosenStories(needs, args, vscode.l10n.t('Move which story to another project?'));
  if (!chosen) return;
  const { targetProjectId } = programArguments(args);
  const others = (await needs.backlogs.requireProjects()).filter((entry) => isOther(entry, chosen.key));
  if (targetProjectId !== undefined) {
    await move(needs, chosen, namedProject(others, targetProjectId), args[0]);
    return;
  }
  const open = others.filter((entry) => mayWrite(needs, entry));
  const none = open.length === 0 ? noProjectText(others) : undefined;
  if (none !== undefined) {
    if (callerOf(args) === 'program') throw new TrackerError('input', none);
    await offerNewProject(needs, none);
    return;
  }
  const target = await askProject(needs, open, chosen);
  if (!target) return;
  await move(needs, chosen, target, args[0]);
}

function isOther({ key }: ProjectEntry, { accountId, projectId }: ProjectKey): boolean {
  return key.accountId === accountId && key.projectId !== projectId;
}

function namedProject(others: readonly ProjectEntry[], targetProjectId: unknown): ProjectEntry {
  const named = others.find(({ key }) => key.projectId === targetProjectId);
  if (named) return named;
  const ids = others.map(({ key }) => key.projectId).join(', ');
  throw new TrackerError(
    'input',
    ids === ''
      ? noProjectText(others)
      : vscode.l10n.t('Pass the target as { targetProjectId: number }, one of {0}.', ids),
  );
}

function noProjectText(others: readonly ProjectEntry[]): string {
  return others.length === 0
    ? vscode.l10n.t('There is no other project on this server to move stories to.')
    : vscode.l10n.t(
        'You can only view the other projects on this server. Ask an owner of a project to make you a member.',
      );
}

async function offerNewProject({ messages }: WorkNeeds, text: string): Promise<void> {
  const newProject = vscode.l10n.t('New Project…');
  const answer = await messages.info(text, newProject);
  if (answer === newProject) await vscode.commands.executeCommand(commandIds.newProject);
}

async function askProject(
  needs: WorkNeeds,
  open: readonly ProjectEntry[],
  chosen: StoriesOfProject,
): Promise<ProjectEntry | undefined> {
  const items = open.map((entry) => ({ label: withoutIcons(entry.project.name), entry }));
  const placeHolder = vscode.l10n.t('Move to which project? ({0})', storiesInSentence(chosen.stories));
  const picked = (await vscode.window.showQuickPick(items, { placeHolder }))?.entry;
  return picked && (await isAccepted(needs, picked, chosen)) ? picked : undefined;
}

/** Whoever is not known by name, or is in no list, is told by the server. */
function mayWrite({ workspaceMemory }: WorkNeeds, { key, project }: ProjectEntry): boolean {
  const me = rememberedNames(workspaceMemory)[key.accountId];
  const role = project.memberships.find(({ person }) => person.name === me)?.role;
  return role !== 'Viewer';
}

/** Characters of a ticket's number that are told. */
const LONGEST_TICKET = 60;

/** Links to tickets are those of integrations that a project has set up. */
async function isAccepted({ messages }: WorkNeeds, { project }: ProjectEntry, { stories }: StoriesOfProject) {
  const tickets = stories.flatMap(({ ticket }) => (ticket ? [visibleLine(ticket.externalId, LONGEST_TICKET)] : []));
  if (tickets.length === 0) return true;
  const move = vscode.l10n.t('Move');
  const question = vscode.l10n.t('Move {0} to {1}?', storiesInSentence(stories), project.name);
  const detail = vscode.l10n.t('The link to this ticket does not come along: {0}', tickets.join(', '));
  return (await messages.ask(question, detail, move)) === move;
}

async function move(
  needs: WorkNeeds,
  { key, stories }: StoriesOfProject,
  target: ProjectEntry,
  argument: unknown,
): Promise<void> {
  const { backlogs, undoHistory } = needs;
  const { there, goingBack, goingThere } = new ProjectMoves(needs, key, target.key);
  const storyIds = stories.map(({ id }) => id);
  const backlog = backlogs.peek(key);
  const places = backlog ? formerPositions(backlog, storyIds) : [];
  const isHere = watchFocus();
  const { selectAgain, selectMoved } = await selectNeighbor(
    needs,
    argument,
    stories.map((story) => ({ key, story })),
  );
  const deed = there({ stories, places });
  const moved = await doReversibly(undoHistory, { key, storyIds }, deed, { undo: goingBack, redo: goingThere }).catch(
    async (thrown: unknown) => {
      await selectAgain();
      throw thrown;
    },
  );
  const done = vscode.l10n.t('Moved {0} to {1}.', storiesInSentence(stories), target.project.name);
  const text = moved?.waiting ? waitingText(moved.waiting, backlogs.signInOf(key)) : done;
  needs.log.info(text);
  offerUndo(text);
  await selectMoved(target.key, stories[0].id, { focus: () => isFromTree(argument) && isHere() });
}

/** Makes moves to another project entries again that were made in an earlier window. */
export function projectMoveMakers(
  needs: Pick<WorkNeeds, 'backlogs' | 'log' | 'messages' | 'restoredStories' | 'storiesView'>,
): Pick<EntryMakers, 'carriedStories'> {
  return {
    carriedStories: async (about, { to, way, carried }) => {
      const { goingBack, goingThere } = new ProjectMoves(needs, about.key, to);
      const [step, back] = way === 'back' ? [goingBack, goingThere] : [goingThere, goingBack];
      return reversibleAgain(about, carried, step, back);
    },
  };
}
