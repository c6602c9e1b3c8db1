import * as vscode from 'vscode';
import { findStory } from '../../core/backlog/backlog.ts';
import { kindOf, messageOf } from '../../core/errors.ts';
import { type MarkerEffect, storyEffects, withIdsNow } from '../../core/marker/markerSyntax.ts';
import type { NewCommit } from '../../core/ports/git.ts';
import type { LinkedCommit, LinkedCommits } from '../../core/replica/replica.ts';
import type { App } from '../../host/app.ts';
import { type LinkWish, linkWish, projectName } from '../../host/git/commitLinkSettings.ts';
import { inSlices } from '../../host/shell/turnBudget.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';

/** A commit nobody has decided about, and where it was made. */
export interface HeldCommit {
  readonly root: string;
  readonly repository: string;
  readonly commit: NewCommit;
}

/** With the stories that it is to be linked to, and the ids of those whose projects do not want that. */
export interface PlannedCommit extends HeldCommit {
  readonly stories: readonly FoundStory[];
  readonly unwanted: readonly number[];
}

/** What is to become of commits by the settings of their stories' projects. */
interface CommitPlans {
  readonly toLink: readonly PlannedCommit[];
  readonly toAsk: readonly PlannedCommit[];
  /** They name nothing that wants them, or are on all of it already. */
  readonly without: readonly HeldCommit[];
  /** A server was away that may have their stories. */
  readonly later: readonly HeldCommit[];
}

type PlanNeeds = Pick<App, 'backlogs' | 'engine' | 'log'>;

/** Plans what to do with commits, of which there may be thousands after a history was rewritten. */
export async function plannedCommits(needs: PlanNeeds, commits: readonly HeldCommit[]): Promise<CommitPlans> {
  const named = new Map<HeldCommit, ReadonlyMap<number, MarkerEffect>>();
  await inSlices(commits, (held) => void named.set(held, storyEffects(held.commit.message)));
  const ids = [...named.values()].flatMap((effects) => [...effects.keys()]);
  const [stories, linked] = await Promise.all([storiesOfIds(needs, ids), linkedStories(needs.engine.linkedCommits)]);
  const [toLink, toAsk]: [PlannedCommit[], PlannedCommit[]] = [[], []];
  const [without, later]: [HeldCommit[], HeldCommit[]] = [[], []];
  const idsNow = presentIds(stories);
  await inSlices(commits, (read) => {
    const found = [...(named.get(read)?.keys() ?? [])].map((id) => stories.get(id) ?? []);
    const held = { ...read, commit: withPresentIds(read.commit, idsNow) };
    const [error] = found.flatMap((one) => ('error' in one ? [one.error] : []));
    if (error !== undefined) {
      needs.log.warn(`commit ${held.commit.hash}: ${messageOf(error)}`);
      (kindOf(error) === 'notFound' ? without : later).push(held);
      return;
    }
    const { plan, isAsked } = planned(needs, held, found, linked);
    if (plan.stories.length === 0) without.push(held);
    else (isAsked ? toAsk : toLink).push(plan);
  });
  return { toLink, toAsk, without, later };
}

/** IDs that stories have now by those that commits name, which they may have had before their projects were moved. */
export type IdsNow = ReadonlyMap<number, number>;

function presentIds(stories: ReadonlyMap<number, StoriesOfId>): IdsNow {
  const ids = [...stories].flatMap(([id, one]) => ('error' in one || !one[0] ? [] : [[id, one[0].story.id] as const]));
  return new Map(ids);
}

/** A commit as it is posted: with the IDs in its markers that its stories have now. */
export function withPresentIds<C extends { readonly message: string }>(commit: C, idsNow: IdsNow): C {
  const isSame = [...idsNow].every(([id, now]) => id === now);
  return isSame ? commit : { ...commit, message: withIdsNow(commit.message, (id) => idsNow.get(id) ?? id) };
}

function planned(
  { backlogs }: PlanNeeds,
  held: HeldCommit,
  found: readonly StoriesOfId[],
  linked: LinkedStories,
): { readonly plan: PlannedCommit; readonly isAsked: boolean } {
  const named = found.map((one) => ('error' in one ? [] : one));
  const scope = vscode.Uri.file(held.root);
  const wishes = named.flat().map((one) => ({ one, wish: linkWish(projectName(backlogs, one.key), scope) }));
  const wanted = wishes.filter(({ wish }) => wish === 'ask' || wish === 'api');
  const before = linked(held.commit.hash);
  const isLinked = ({ key, story }: FoundStory) =>
    before.some(({ account, storyId }) => account.accountId === key.accountId && storyId === story.id);
  const stories = wanted.map(({ one }) => one).filter((one) => !isLinked(one));
  const isWanted = new Set(wanted.map(({ one }) => one.story.id));
  const unwanted = wishes.map(({ one }) => one.story.id).filter((id) => !isWanted.has(id));
  // Only a person can tell which server is meant.
  const isAmbiguous = named.some((one) => new Set(one.map(({ key }) => key.accountId)).size > 1);
  return { plan: { ...held, stories, unwanted }, isAsked: isAmbiguous || wanted.some(({ wish }) => wish === 'ask') };
}

/** The projects that asking about these commits is for: those that wish to be asked about, or all where none does. */
export function askedProjects(backlogs: PlanNeeds['backlogs'], commits: readonly PlannedCommit[]): readonly string[] {
  const wishes = new Map<string, LinkWish>();
  for (const { root, stories } of commits) {
    const scope = vscode.Uri.file(root);
    for (const project of new Set(stories.map(({ key }) => projectName(backlogs, key)))) {
      if (wishes.get(project) !== 'ask') wishes.set(project, linkWish(project, scope));
    }
  }
  const asking = [...wishes].flatMap(([project, wish]) => (wish === 'ask' ? [project] : []));
  return asking.length > 0 ? asking : [...wishes.keys()];
}

/** What is left of commits, without those that have no other stories, where these projects do not want them. */
export function withoutProjects(
  backlogs: PlanNeeds['backlogs'],
  commits: readonly PlannedCommit[],
  projects: readonly string[],
): readonly PlannedCommit[] {
  return commits.flatMap((one) => {
    const stories = one.stories.filter(({ key }) => !projects.includes(projectName(backlogs, key)));
    const dropped = one.stories.filter((story) => !stories.includes(story)).map(({ story }) => story.id);
    return stories.length === 0 ? [] : [{ ...one, stories, unwanted: [...one.unwanted, ...dropped] }];
  });
}

/** The stories that a commit was linked to on this machine. */
export type LinkedStories = (hash: string) => readonly LinkedCommit[];

export async function linkedStories(commits: LinkedCommits): Promise<LinkedStories> {
  const byHash = Map.groupBy(await commits.linked(), ({ hash }) => hash);
  return (hash) => byHash.get(hash) ?? [];
}

/** The stories of an id, where several servers have one all of them; or why they could not be looked for. */
type StoriesOfId = readonly FoundStory[] | { readonly error: unknown };

/**
 * Finds stories without asking a person, in what is known of projects first, so that it works without a network; each id once,
 * however many commits name it.
 */
async function storiesOfIds(
  { backlogs, log }: Pick<App, 'backlogs' | 'log'>,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, StoriesOfId>> {
  const projects = await backlogs.projects();
  await Promise.all(
    projects.map(({ key }) => backlogs.backlog(key).catch((thrown: unknown) => log.warn(messageOf(thrown)))),
  );
  const find = async (id: number): Promise<StoriesOfId> => {
    const known = projects.flatMap(({ key }) => {
      const backlog = backlogs.peek(key);
      const story = backlog && findStory(backlog, id);
      return story ? [{ key, story }] : [];
    });
    if (known.length > 0) return known;
    try {
      const asked = await backlogs.story(id);
      return asked ? [asked] : [];
    } catch (error) {
      return { error };
    }
  };
  const found = new Map<number, StoriesOfId>();
  for (const id of new Set(ids)) found.set(id, await find(id));
  return found;
}
