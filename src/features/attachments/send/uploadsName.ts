/** Under which uploads that are under way are remembered for a workspace. */
export const UPLOADS = 'storyTracker.uploads';
