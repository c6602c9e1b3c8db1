const icons: Readonly<Record<string, string>> = { feature: 'star-full', bug: 'bug', chore: 'gear', release: 'rocket' };

/** Codicon of a story type; a plain one for types we do not know. */
export function iconOfType(type: string): string {
  return (Object.hasOwn(icons, type) ? icons[type] : undefined) ?? 'circle-outline';
}

/** What windows are painted in; high contrast is one of them as well. */
export const iconThemes = ['light', 'dark'] as const;

/** A shape for each type that is known, the bookmark of a story that is worked on, and what stands for all other types. */
export const iconShapes = ['feature', 'bug', 'chore', 'release', 'active', 'unknown'] as const;

/** A sign for each state that is begun, none for what is not, and what stands for states that nobody knows. */
export const iconSigns = ['none', 'started', 'finished', 'delivered', 'accepted', 'rejected', 'unknown'] as const;

type IconTheme = (typeof iconThemes)[number];
export type IconShape = (typeof iconShapes)[number];
export type IconSign = (typeof iconSigns)[number];

/** Names of one picture, by theme, in `media/stories`. */
export type StoryIcon = Readonly<Record<IconTheme, string>>;

const pictures = new Map<string, StoryIcon>();

/**
 * The icon of a story: its type, or a bookmark where it is worked on, and its state, by shape as well as by colour. Stories that
 * look alike share one, and servers that name ever more types and states make no more of them.
 */
export function storyIcon(type: string, state: string, isActive: boolean): StoryIcon {
  const shape = isActive ? 'active' : shapeOf(type);
  const name = `${shape}-${signOf(state)}`;
  const icon = pictures.get(name) ?? { light: `${name}.light.svg`, dark: `${name}.dark.svg` };
  pictures.set(name, icon);
  return icon;
}

function shapeOf(type: string): IconShape {
  return iconShapes.find((shape) => shape === type && shape !== 'active') ?? 'unknown';
}

function signOf(state: string): IconSign {
  if (state === 'unstarted' || state === 'unscheduled') return 'none';
  return iconSigns.find((sign) => sign === state && sign !== 'none') ?? 'unknown';
}
