/** What the commands of this slice do; loaded when the first of them is used. */
export { addComment, addTask, tickTask } from './addTask.ts';
export { changeState } from './changeState.ts';
export { editLabels } from './editLabels.ts';
export { estimateStory } from './estimateStory.ts';
export { linkTicket, openTicket, unlinkTicket } from './linkTicket.ts';
export { assignStory, giveStoryUp, ownStory } from './ownStory.ts';
export { redoEdit, undoEdit } from './undoEdit.ts';
