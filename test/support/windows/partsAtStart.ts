/** The variable of the environment in which tests inside VS Code find, as JSON, what the extension had read before the first of them. */
export const PARTS_AT_START = 'STORY_TRACKER_PARTS_AT_START';
