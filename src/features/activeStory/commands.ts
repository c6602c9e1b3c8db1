/** What the commands of this slice do; loaded when the first of them is used. */
export { setActiveStory } from './setActiveStory.ts';
export { startStory } from './startStory.ts';
export { activeStoryActions, stopStory } from './stopStory.ts';
