/** What agents can have done, by the names that definitions, the manifest and implementations share. */
export const agentToolNames = [
  'findStories',
  'getStory',
  'getActiveStory',
  'insertMarker',
  'moveStory',
  'attachFiles',
  'linkCommits',
  'changeState',
  'addComment',
  'createStory',
] as const;

export type AgentToolName = (typeof agentToolNames)[number];

/** What VS Code calls it, which asks for a prefix of the extension's. */
export function editorToolName(name: AgentToolName): string {
  return `storyTracker_${name}`;
}

/** What it is called in the Model Context Protocol: `find_stories`. */
export function protocolToolName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
