import * as vscode from 'vscode';
import { commandIds } from '../../commandIds.ts';
import { TrackerError } from '../../core/errors.ts';
import { type MarkerEffect, markerText, storyEffects } from '../../core/marker/markerSyntax.ts';
import type { Commit } from '../../core/ports/git.ts';
import { keyText } from '../../core/story/projectKey.ts';
import { shortHash } from '../../core/text.ts';
import type { App } from '../../host/app.ts';
import { likelyRepository, repositoryName, requireTrust } from '../../host/git/chooseRepository.ts';
import type { GitRepository } from '../../host/git/gitBridge.ts';
import { isSameFolder } from '../../host/git/scmInput.ts';
import { commitVerb } from '../../host/shell/featureSettings.ts';
import { argumentForAll, requireOneServer, storyByNumber } from '../../host/story/storyByNumber.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { argumentFor, meantBy, type ToolInputs, type ToolNeeds, type ToolRun } from './agentTool.ts';
import { listMarkdown, nameMarkdown, paragraphs, projectMarkdown, storyMarkdown } from './confirmationTexts.ts';

type GitTools = { readonly [N in 'insertMarker' | 'linkCommits']: ToolRun<ToolInputs[N]> };

/** The tools that need the repository of the window. Nothing of a workspace that is not trusted is asked. */
export const gitTools: GitTools = {
  insertMarker: {
    progress: () => vscode.l10n.t('Adding a marker to the commit message…'),
    question: async (needs, input) => {
      const { stories, repository, marker } = await wantedMarker(needs, input);
      const sentence = vscode.l10n.t('Add {0} to the commit message of {1}.', `\`${marker}\``, nameOf(repository));
      const title = vscode.l10n.t('Insert Story Marker?');
      const list = listMarkdown(stories.map((found) => storyMarkdown(found)));
      const projects = new Map(stories.map(({ key }) => [keyText(key), key]));
      const places = await Promise.all([...projects.values()].map((key) => projectMarkdown(needs, key)));
      return { title, message: paragraphs(sentence, list, ...places), meant: meantBy(...stories) };
    },
    run: async (needs, input) => {
      const { stories, repository, verb } = await wantedMarker(needs, input);
      const done: unknown = await vscode.commands.executeCommand(commandIds.insertMarker, {
        ...argumentForAll(stories),
        verb,
        repository: repository.rootUri.toString(),
      });
      return { done };
    },
  },
  linkCommits: {
    progress: () => vscode.l10n.t('Linking commits…'),
    question: async (needs, input) => {
      const { found, repository, commits } = await wantedCommits(needs, input);
      return {
        title: vscode.l10n.t('Link Commits?'),
        message: paragraphs(
          vscode.l10n.t('Link these commits of {0} to {1}:', nameOf(repository), storyMarkdown(found)),
          listMarkdown(commits.map(commitMarkdown)),
          effectsText(commits, found),
          await projectMarkdown(needs, found.key),
        ),
        meant: meantBy(found),
      };
    },
    run: async (needs, input) => {
      const { found, repository, commits } = await wantedCommits(needs, input);
      const done: unknown = await vscode.commands.executeCommand(commandIds.linkCommits, {
        ...argumentFor(found),
        commits: commits.map(({ hash }) => hash),
        verb: '',
        repository: repository.rootUri.toString(),
      });
      return { done };
    },
  },
};

async function wantedMarker(
  needs: ToolNeeds,
  { storyIds, verb, repository: asked, server }: ToolInputs['insertMarker'],
) {
  const repository = await repositoryFor(needs, asked);
  const stories: FoundStory[] = [];
  for (const storyId of new Set(storyIds)) stories.push(await storyByNumber(needs, { storyId, server }));
  requireOneServer(needs, stories);
  const wanted = verb ?? commitVerb(repository.rootUri);
  const ids = stories.map(({ story }) => story.id);
  return { stories, repository, verb: wanted, marker: markerText(ids, wanted) };
}

async function wantedCommits(
  needs: ToolNeeds,
  { commits: hashes, repository: asked, ...name }: ToolInputs['linkCommits'],
) {
  const repository = await repositoryFor(needs, asked);
  const odd = hashes.find((hash) => !/^[0-9a-f]{7,64}$/i.test(hash));
  if (odd !== undefined) {
    throw new TrackerError('input', 'Pass commits by their hashes, of at least 7 hexadecimal digits.');
  }
  const found = await storyByNumber(needs, name);
  return { found, repository, commits: await needs.history.commitsNamed(repository.rootUri.fsPath, hashes) };
}

/**
 * The repository that a model names, else the one that the person most likely works in: nobody is asked to pick one.
 * @throws TrackerError `input` in Restricted Mode, without a repository, and where it is not clear which one is meant.
 */
async function repositoryFor({ git }: Pick<App, 'git'>, asked: string | undefined): Promise<GitRepository> {
  requireTrust();
  const repositories = await git.repositories();
  const folder = asked === undefined ? undefined : vscode.Uri.file(asked);
  const found = folder
    ? repositories.find(({ rootUri }) => isSameFolder(rootUri, folder))
    : likelyRepository(repositories);
  if (found) return found;
  if (repositories.length === 0) throw new TrackerError('input', 'No Git repository is open in this window.');
  const known = repositories.map(({ rootUri }) => rootUri.fsPath).join(', ');
  throw new TrackerError('input', `Pass the repository, one of these folders: ${known}.`);
}

function nameOf(repository: GitRepository): string {
  return nameMarkdown(repositoryName(repository));
}

function commitMarkdown({ hash, message }: Commit): string {
  return `\`${shortHash(hash)}\` ${nameMarkdown(message.split('\n', 1)[0] ?? '')}`;
}

/** What the messages of commits do besides: markers in them take effect, on other stories too. */
function effectsText(commits: readonly Commit[], { story }: FoundStory): string | undefined {
  const effects = new Map(commits.flatMap(({ message }) => [...storyEffects(message)]));
  const told = [...effects].filter(([id, effect]) => id !== story.id || effect !== 'comment');
  if (told.length === 0) return undefined;
  const list = told.map(([id, effect]) => `#${id}: ${effectWord(effect)}`).join(', ');
  return vscode.l10n.t('Markers in the commit messages take effect ({0}).', list);
}

function effectWord(effect: MarkerEffect): string {
  const words: Readonly<Record<MarkerEffect, string>> = {
    comment: vscode.l10n.t('link'),
    finish: vscode.l10n.t('finish'),
    deliver: vscode.l10n.t('deliver'),
  };
  return words[effect];
}
