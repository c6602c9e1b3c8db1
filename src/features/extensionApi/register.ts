import * as vscode from 'vscode';
import type { StoryTrackerApi, StoryTrackerExtension } from '../../../api/story-tracker.d.ts';
import type { ApiNeeds, ApiState } from './commands.ts';

/** What other extensions are given. Nothing of it is made before one asks for it; `owned` is what ends with the extension. */
export function extensionApi(app: ApiNeeds, owned: vscode.Disposable[]): StoryTrackerExtension {
  let api: StoryTrackerApi | undefined;
  return Object.freeze({
    getAPI(version: unknown) {
      const given = typeof version === 'object' ? 'an object' : String(version);
      if (version !== 1) throw new Error(`Story Tracker has version 1 of its API, not ${given}.`);
      api ??= firstApi(app, owned);
      return api;
    },
  });
}

function firstApi(app: ApiNeeds, owned: vscode.Disposable[]): StoryTrackerApi {
  const state: ApiState = { active: new vscode.EventEmitter(), changed: new vscode.EventEmitter(), story: undefined };
  const calls = import('./commands.ts').then((module) => module.apiCalls(app, state, owned));
  return Object.freeze<StoryTrackerApi>({
    version: 1,
    get activeStory() {
      return state.story;
    },
    onDidChangeActiveStory: state.active.event,
    onDidChangeStories: state.changed.event,
    findStories: async (...args) => (await calls).findStories(...args),
    getStory: async (story) => (await calls).getStory(story),
    markerFor: async (...args) => (await calls).markerFor(...args),
    insertMarker: async (...args) => (await calls).insertMarker(...args),
  });
}
