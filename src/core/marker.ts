/** Commit markers in one place: reading (`markerSyntax.ts`), writing and taking away. */
export * from './markerSyntax.ts';
