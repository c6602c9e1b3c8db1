/** What the commands of this slice do; loaded when the first of them is used. */
export { moveByKeys } from './moveByKeys.ts';
export { moveStory } from './moveStory.ts';
export { dropStories } from './storyDrops.ts';
export { redoMove, undoMove } from './undoMove.ts';
