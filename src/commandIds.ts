/** Every command of the extension (contract.md). */
export const commandIds = {
  signIn: 'storyTracker.signIn',
  signOut: 'storyTracker.signOut',
  checkConnection: 'storyTracker.checkConnection',
  refresh: 'storyTracker.refresh',
  showLog: 'storyTracker.showLog',
  newProject: 'storyTracker.newProject',
  newStory: 'storyTracker.newStory',
  openInBrowser: 'storyTracker.openInBrowser',
  copyId: 'storyTracker.copyId',
  copyLink: 'storyTracker.copyLink',
  copyMarker: 'storyTracker.copyMarker',
  loadMoreDone: 'storyTracker.loadMoreDone',
  insertMarker: 'storyTracker.insertMarker',
  removeMarker: 'storyTracker.removeMarker',
  linkCommits: 'storyTracker.linkCommits',
  attachFiles: 'storyTracker.attachFiles',
  attachOpenEditors: 'storyTracker.attachOpenEditors',
  openAttachment: 'storyTracker.openAttachment',
  saveAttachment: 'storyTracker.saveAttachment',
  moveStory: 'storyTracker.moveStory',
  moveStoryUp: 'storyTracker.moveStoryUp',
  moveStoryDown: 'storyTracker.moveStoryDown',
  moveStoryToTop: 'storyTracker.moveStoryToTop',
  moveStoryToBottom: 'storyTracker.moveStoryToBottom',
} as const;

export type CommandId = (typeof commandIds)[keyof typeof commandIds];
