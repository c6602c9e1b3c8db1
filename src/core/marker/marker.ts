/** Commit markers in one place: how they read, and how they get into a message and out of it. */
export * from './markerSyntax.ts';
export * from './textEdit.ts';
export * from './withMarker.ts';
export { withoutMarker } from './withoutMarker.ts';
