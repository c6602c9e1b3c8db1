/**
 * Draws the icons of stories into `media/stories`: `npm run node -- scripts/storyIcons.ts`. They are files rather than `data:` addresses, which
 * VS Code would be handed anew with each row.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type IconShape,
  type IconSign,
  iconShapes,
  iconSigns,
  iconThemes,
  type StoryIcon,
} from '../src/host/story/storyIcons.ts';

type IconTheme = keyof StoryIcon;

export const iconFolder = fileURLToPath(new URL('../media/stories', import.meta.url));

/** How much smaller the shape of a type is where a sign of the state stands beside it. */
const SCALE = 0.8;

/** Shapes in a square of 16. `LINE`, `LINE-WIDE` and `SIGN` stand where one is drawn by lines. */
const shapes: Readonly<Record<IconShape, string>> = {
  feature: '<path d="M8 .8l2.2 4.7 5.1.6-3.8 3.5 1 5.1L8 12.2l-4.5 2.5 1-5.1L.7 6.1l5.1-.6z"/>',
  bug:
    '<path d="M8 4.5c2 0 3.3 1.5 3.3 3.5v3c0 2.3-1.5 4-3.3 4s-3.3-1.7-3.3-4V8c0-2 1.3-3.5 3.3-3.5z"/>' +
    '<path d="M5.7 4.2L4.3 1.5m6 2.7l1.4-2.7M5 7.5L1.5 5.5M11 7.5l3.5-2M4.7 10H1m10.3 0H15M5 12.5l-3 2m9-2l3 2" LINE/>',
  chore: '<circle cx="8" cy="8" r="4" LINE-WIDE/><circle cx="8" cy="8" r="6.3" LINE-WIDE stroke-dasharray="2.47"/>',
  release: '<path d="M8 .5c2.5 2 3.7 4.7 3.3 8.3l2.2 2.2v3.5L10.3 12H5.7l-3.2 2.5V11l2.2-2.2C4.3 5.2 5.5 2.5 8 .5z"/>',
  active: '<path d="M3.5 1h9v14L8 11.5 3.5 15z"/>',
  unknown: '<circle cx="8" cy="8" r="5.5" LINE/>',
};

/** Signs of states in the lower right corner of the same square. */
const signs: Readonly<Record<IconSign, string>> = {
  none: '',
  started: '<path d="M9.3 8.3l6.4 3.7-6.4 3.7z"/>',
  finished: '<path d="M9 9h6.3v6.3H9z"/>',
  delivered: '<path d="M12 8.4l4 6.9H8z"/>',
  accepted: '<path d="M8.5 12.2l2.5 2.6 4.4-5.8" SIGN/>',
  rejected: '<path d="M9.2 9.2l5.6 5.6m0-5.6l-5.6 5.6" SIGN/>',
  unknown: '<circle cx="12" cy="12" r="2.6" LINE/>',
};

/** Those that themes of VS Code draw charts in, and icons. */
const colours: Readonly<Record<IconTheme, Readonly<Record<IconSign, string>>>> = {
  light: {
    none: '#424242',
    started: '#1a6fd6',
    finished: '#652d90',
    delivered: '#a87400',
    accepted: '#388a34',
    rejected: '#e51400',
    unknown: '#424242',
  },
  dark: {
    none: '#c5c5c5',
    started: '#3794ff',
    finished: '#b180d7',
    delivered: '#cca700',
    accepted: '#89d185',
    rejected: '#f14c4c',
    unknown: '#c5c5c5',
  },
};

/** The ground of a theme, drawn thinly around an icon: what sets it off from rows selected in a strong colour. */
const grounds: Readonly<Record<IconTheme, string>> = { light: '#ffffff', dark: '#000000' };

/** All pictures, by the names of their files. */
export function drawnIcons(): ReadonlyMap<string, string> {
  const looks = iconShapes.flatMap((shape) => iconSigns.map((sign) => ({ shape, sign })));
  return new Map(
    iconThemes.flatMap((theme) =>
      looks.map(({ shape, sign }) => [`${shape}-${sign}.${theme}.svg`, drawn(shape, sign, theme)] as const),
    ),
  );
}

function drawn(shape: IconShape, sign: IconSign, theme: IconTheme): string {
  const colour = colours[theme][sign];
  // The sign stands free of the shape that it lies over.
  const room = '<mask id="m"><path fill="#fff" d="M0 0h16v16H0z"/><circle cx="15" cy="15" r="6" fill="#000"/></mask>';
  const small = `${room}<g mask="url(#m)" transform="scale(${SCALE})">${shapes[shape]}</g>${signs[sign]}`;
  const line = (width: number) => `fill="none" stroke="${colour}" stroke-width="${width}"`;
  const drawing = (sign === 'none' ? shapes[shape] : small)
    .replaceAll('LINE-WIDE', line(2.4))
    .replaceAll('LINE', line(1.4))
    .replaceAll('SIGN', line(2));
  const edge = `drop-shadow(0 0 .5px ${grounds[theme]})`;
  const style = `filter:${edge}${edge}${edge}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="${colour}" style="${style}">${drawing}</svg>\n`;
}

if (import.meta.main) {
  await rm(iconFolder, { recursive: true, force: true });
  await mkdir(iconFolder, { recursive: true });
  for (const [name, picture] of drawnIcons()) await writeFile(join(iconFolder, name), picture);
}
