/** What the commands of this slice do; loaded when the first of them is used. */
export { newProject, newStory } from './create/newStory.ts';
export { filterStories, groupBy } from './filter/filterStories.ts';
export { editFilter, removeFilter, renameFilter, saveFilter } from './filter/savedFilterCommands.ts';
export { findStory } from './find/storyQuickPick.ts';
export { copyId, copyLink, copyMarker, openInBrowser } from './menus/copyStory.ts';
export { showLinkedStory } from './menus/showLinkedStory.ts';
