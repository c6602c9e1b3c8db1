/** What the commands of this slice do; loaded when the first of them is used. */
export { insertMarker } from './insertMarker.ts';
export { linkCommits } from './linkCommits.ts';
export { removeMarker } from './removeMarker.ts';
