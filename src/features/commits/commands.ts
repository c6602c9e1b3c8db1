/** What the commands of this slice do; loaded when the first of them is used. */
export { insertMarker, removeMarker } from './insertMarker.ts';
export { linkCommits } from './linkCommits.ts';
