import type { Intent, IntentKind } from '../../../src/core/intents/intent.ts';

/** An intent of each kind. */
export const oneIntentOfEach: { readonly [K in IntentKind]: Intent<K> } = {
  edit: { kind: 'edit', storyId: 1, edit: { name: 'Other' } },
  move: { kind: 'move', storyId: 1, place: 'after', targetId: 2 },
  comment: { kind: 'comment', storyId: 1, text: 'Yes' },
  labels: { kind: 'labels', storyId: 1, change: { add: ['a'], remove: [] }, known: [] },
  task: { kind: 'task', storyId: 1, taskId: 4, complete: true },
  newTask: { kind: 'newTask', storyId: 1, description: 'Paint' },
  editTask: { kind: 'editTask', storyId: 1, taskId: 4, description: 'Draw', known: 'Paint' },
  moveTask: { kind: 'moveTask', storyId: 1, taskId: 4, position: 2 },
  deleteTask: { kind: 'deleteTask', storyId: 1, taskId: 4 },
  deleteStory: { kind: 'deleteStory', storyId: 1 },
  moveToProject: { kind: 'moveToProject', storyId: 1, targetProjectId: 2 },
  newStory: { kind: 'newStory', storyId: -1, story: { name: 'New' } },
  link: {
    ...{ kind: 'link', storyId: 1, stories: [{ projectId: 1, storyId: 1 }] },
    commit: { commitId: 'abc1234', message: '[#1]', author: 'Ann' },
  },
};
