/** What the commands of this slice do; loaded when the first of them is used. */
export { newProject } from './create/newProject.ts';
export { newStory } from './create/newStory.ts';
export { filterStories } from './filter/filterStories.ts';
export { groupBy } from './filter/groupBy.ts';
export { editFilter, removeFilter, renameFilter, saveFilter } from './filter/savedFilterCommands.ts';
export { findStory } from './find/storyQuickPick.ts';
export { copyId, copyLink, copyMarker, openInBrowser } from './menus/copyStory.ts';
export { showLinkedStory } from './menus/showLinkedStory.ts';
