/** What the commands of this slice do; loaded when the first of them is used. */
export { attachDiff, attachFiles, attachOpenEditors, attachPasted, attachSelection } from './send/attachFiles.ts';
export { openAttachment } from './show/openAttachment.ts';
export { saveAllAttachments } from './show/saveAllAttachments.ts';
export { saveAttachment } from './show/saveAttachment.ts';
