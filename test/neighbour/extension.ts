/** An extension by others, which knows of Story Tracker what `api/story-tracker.d.ts` tells. Tests have it call the API. */
import * as vscode from 'vscode';
import type {
  FoundStories,
  StoriesChange,
  StoryDetails,
  StoryReference,
  StoryTrackerApi,
  StoryTrackerExtension,
} from '../../api/story-tracker.d.ts';

/** What the API told by itself since the neighbour was activated. */
interface Told {
  readonly active: (StoryReference | undefined)[];
  readonly changes: StoriesChange[];
}

type Calls = {
  readonly [name: string]: (api: StoryTrackerApi, ...given: readonly never[]) => unknown;
};

const told: Told = { active: [], changes: [] };

const calls = {
  version: (api: StoryTrackerApi): number => api.version,
  activeStory: ({ activeStory }: StoryTrackerApi): number | undefined => activeStory?.storyId,
  told: (): Told => told,
  find: (api: StoryTrackerApi, filter: string, limit?: number): Promise<FoundStories> =>
    api.findStories(filter, limit === undefined ? {} : { limit }),
  get: (api: StoryTrackerApi, storyId: number): Promise<StoryDetails> => api.getStory({ storyId }),
  getOf: (api: StoryTrackerApi, story: StoryReference): Promise<StoryDetails> => api.getStory(story),
  marker: (api: StoryTrackerApi, ids: readonly number[]): Promise<string> => api.markerFor(ids, { verb: 'delivers' }),
  insert: (api: StoryTrackerApi, storyId: number, repository: string): Promise<void> =>
    api.insertMarker([{ storyId }], { verb: '', repository: vscode.Uri.file(repository) }),
} satisfies Calls;

function isCall(name: string): name is keyof typeof calls {
  return Object.hasOwn(calls, name);
}

export function activate({ subscriptions }: vscode.ExtensionContext): void {
  const extension = vscode.extensions.getExtension<StoryTrackerExtension>('story-tracker.story-tracker');
  // VS Code activates what an extension depends on before it.
  const api = extension?.exports.getAPI(1);
  if (!api) throw new Error('Story Tracker is not there.');
  const run = async (name: string, ...given: readonly never[]): Promise<unknown> => {
    if (!isCall(name)) throw new Error(`There is no call ${name}.`);
    const call: (api: StoryTrackerApi, ...given: readonly never[]) => unknown = calls[name];
    return call(api, ...given);
  };
  subscriptions.push(
    api.onDidChangeActiveStory((story) => told.active.push(story)),
    api.onDidChangeStories((change) => told.changes.push(change)),
    vscode.commands.registerCommand('neighbour.call', run),
  );
}
