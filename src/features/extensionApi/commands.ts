import * as vscode from 'vscode';
import type {
  FindOptions,
  FoundStories,
  InsertOptions,
  MarkerOptions,
  StoriesChange,
  Story,
  StoryDetails,
  StoryReference,
  StoryTrackerApi,
} from '../../../api/story-tracker.d.ts';
import { commandIds } from '../../commandIds.ts';
import { TrackerError } from '../../core/errors.ts';
import { isMarkerVerb, markerText } from '../../core/marker/markerSyntax.ts';
import type { ProjectKey } from '../../core/story/projectKey.ts';
import { whenSignedIn } from '../../host/accounts/whenSignedIn.ts';
import type { App } from '../../host/app.ts';
import { commitVerb } from '../../host/shell/featureSettings.ts';
import { type FilterNeeds, filteredStories } from '../../host/story/filteredStories.ts';
import { argumentForAll, requireOneServer, serverOf, storyByNumber } from '../../host/story/storyByNumber.ts';
import type { FoundStory } from '../../host/tree/nodes.ts';
import { publicDetails, publicStory, type StoryPlace } from './publicStory.ts';

export type ApiNeeds = FilterNeeds & Pick<App, 'activeStories'>;

type ApiCalls = Pick<StoryTrackerApi, 'findStories' | 'getStory' | 'markerFor' | 'insertMarker'>;

/** What the API tells without being asked. */
export interface ApiState {
  readonly active: vscode.EventEmitter<StoryReference | undefined>;
  readonly changed: vscode.EventEmitter<StoriesChange>;
  story: StoryReference | undefined;
}

/** What the API is asked, and tells of changes from now on: what follows them goes to `owned`. */
export function apiCalls(needs: ApiNeeds, state: ApiState, owned: vscode.Disposable[]): ApiCalls {
  owned.push(state.active, state.changed, followChanges(needs, state));
  return {
    findStories: (...args) => findStories(needs, ...args),
    getStory: (story) => getStory(needs, story),
    markerFor,
    insertMarker: (...args) => insertMarker(needs, ...args),
  };
}

/** Of active stories it tells once someone is signed in. */
function followChanges(needs: ApiNeeds, state: ApiState): vscode.Disposable {
  const listening = needs.backlogs.onDidChange((key) => state.changed.fire(changeOf(needs, key)));
  const followed = whenSignedIn(needs, async () => {
    const view = await needs.activeStories.view();
    const update = () => {
      const [active] = view?.active ?? [];
      const story = active && referenceTo(needs, active, active.storyId);
      if (isSameReference(story, state.story)) return;
      state.story = story;
      state.active.fire(story);
    };
    update();
    return view?.onDidChange(update) ?? vscode.Disposable.from();
  });
  return vscode.Disposable.from(listening, followed);
}

function changeOf(needs: ApiNeeds, key: ProjectKey | undefined): StoriesChange {
  if (!key) return Object.freeze({});
  return Object.freeze({ project: Object.freeze({ projectId: key.projectId, server: serverOf(needs, key) }) });
}

function referenceTo(needs: ApiNeeds, key: ProjectKey, storyId: number): StoryReference {
  return Object.freeze({ storyId, projectId: key.projectId, server: serverOf(needs, key) });
}

function isSameReference(one: StoryReference | undefined, other: StoryReference | undefined): boolean {
  return one?.storyId === other?.storyId && one?.projectId === other?.projectId && one?.server === other?.server;
}

const FOUND = 100;
const MOST_FOUND = 1_000;

async function findStories(needs: ApiNeeds, filter: string, options?: FindOptions): Promise<FoundStories> {
  const { limit = FOUND, token } = optionsIn(options);
  if (typeof filter !== 'string') throw new TrackerError('input', 'Pass the filter as a string.');
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_FOUND) {
    throw new TrackerError('input', `Pass the limit as a whole number from 1 to ${MOST_FOUND}.`);
  }
  if (token !== undefined && typeof token?.onCancellationRequested !== 'function') {
    throw new TrackerError('input', 'Pass the token as a CancellationToken.');
  }
  const stop = new AbortController();
  const listening = token?.onCancellationRequested(() => stop.abort());
  try {
    const { stories, unread } = await filteredStories(needs, filter, stop.signal);
    if (token?.isCancellationRequested) throw new vscode.CancellationError();
    const places = await placesOf(needs);
    const shown = stories.slice(0, limit).map((found): Story => publicStory(found.story, places(found)));
    return Object.freeze({ stories: Object.freeze(shown), total: stories.length, isComplete: unread.length === 0 });
  } finally {
    listening?.dispose();
  }
}

async function getStory(needs: ApiNeeds, reference: StoryReference): Promise<StoryDetails> {
  const found = await storyByNumber(needs, numberOf(reference));
  return publicDetails(found.story, (await placesOf(needs))(found));
}

async function placesOf(needs: ApiNeeds): Promise<(found: FoundStory) => StoryPlace> {
  const names = new Map((await needs.backlogs.projects()).map(({ key, project }) => [nameOf(key), project.name]));
  return ({ key }) => ({
    projectId: key.projectId,
    projectName: names.get(nameOf(key)) ?? '',
    server: serverOf(needs, key),
  });
}

function nameOf({ accountId, projectId }: ProjectKey): string {
  return `${accountId}/${projectId}`;
}

async function markerFor(storyIds: readonly number[], options?: MarkerOptions): Promise<string> {
  const { verb = commitVerb() } = optionsIn(options);
  // A list may have holes, which `every` does not look at.
  if (!Array.isArray(storyIds) || storyIds.length === 0 || !Array.from(storyIds).every(isId)) {
    throw new TrackerError('input', 'Pass the stories as a list of their IDs.');
  }
  if (!isMarkerVerb(verb)) throw new TrackerError('input', 'The verb must be fixes, finishes, delivers or empty.');
  return markerText(storyIds, verb);
}

async function insertMarker(
  needs: ApiNeeds,
  stories: readonly StoryReference[],
  options?: InsertOptions,
): Promise<void> {
  const { verb, repository } = optionsIn(options);
  if (!Array.isArray(stories) || stories.length === 0) throw new TrackerError('input', 'Pass the stories as a list.');
  if (repository !== undefined && !(repository instanceof vscode.Uri)) {
    throw new TrackerError('input', 'Pass the repository as the Uri of its root.');
  }
  const found: FoundStory[] = [];
  for (const story of stories) found.push(await storyByNumber(needs, numberOf(story)));
  requireOneServer(needs, found);
  await vscode.commands.executeCommand(commandIds.insertMarker, {
    ...argumentForAll(found),
    ...(verb !== undefined && { verb }),
    ...(repository && { repository: repository.toString() }),
  });
}

/** Those left out are none; what else is no object is refused. */
function optionsIn<T extends object>(options: T | undefined): Partial<T> {
  if (options === undefined) return {};
  if (typeof options === 'object' && options !== null) return options;
  throw new TrackerError('input', 'Pass the options as an object.');
}

/** What another extension passes is looked at before it is used. */
function numberOf(reference: StoryReference): StoryReference {
  const { storyId, projectId, server } = reference ?? {};
  const isGood =
    isId(storyId) &&
    (projectId === undefined || isId(projectId)) &&
    (server === undefined || typeof server === 'string');
  if (isGood)
    return { storyId, ...(projectId !== undefined && { projectId }), ...(server !== undefined && { server }) };
  throw new TrackerError('input', 'Pass the story as { storyId: number, projectId?: number, server?: string }.');
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
