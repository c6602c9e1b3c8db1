import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { drawnIcons, iconFolder } from '../../../scripts/storyIcons.ts';
import { storyStates, storyTypes } from '../../../src/core/backlog/workflow.ts';
import { storyIcon } from '../../../src/host/story/storyIcons.ts';

const pictures = drawnIcons();

/** What an icon draws, by theme. */
function drawn(type: string, state: string, isActive = false): Readonly<Record<'light' | 'dark', string>> {
  const { light, dark } = storyIcon(type, state, isActive);
  return { light: pictures.get(light) ?? assert.fail(light), dark: pictures.get(dark) ?? assert.fail(dark) };
}

/** As one sees it who tells no colours apart. */
const shapeOf = (picture: string) => picture.replace(/#[0-9a-f]{6}\b/g, 'colour');

describe('Pictures of stories', () => {
  it('are there as they are drawn, and no others', async () => {
    assert.deepEqual((await readdir(iconFolder)).toSorted(), [...pictures.keys()].toSorted());
    for (const [name, picture] of pictures) assert.equal(await readFile(join(iconFolder, name), 'utf8'), picture, name);
  });

  it('are told apart by their shape, in each theme', () => {
    const ofTheme = (theme: string) => [...pictures].filter(([name]) => name.endsWith(`.${theme}.svg`));
    const light = ofTheme('light');
    assert.equal(new Set(light.map(([, picture]) => shapeOf(picture))).size, light.length);
    assert.deepEqual(
      ofTheme('dark').map(([, picture]) => shapeOf(picture)),
      light.map(([, picture]) => shapeOf(picture)),
    );
  });

  it('have no sign for what is not begun', () => {
    for (const type of storyTypes) {
      assert.doesNotMatch(drawn(type, 'unstarted').dark, /mask/);
      assert.match(drawn(type, 'started').dark, /mask/);
    }
  });

  for (const [theme, ...grounds] of [
    ['light', '#ffffff', '#f8f8f8', '#e8e8e8'],
    ['dark', '#000000', '#181818', '#252526', '#37373d', '#04395e'],
  ] as const) {
    it(`stand out from what is behind them in ${theme} themes`, () => {
      for (const state of storyStates) {
        const [, colour = ''] = /fill="(#[0-9a-f]{6})"/.exec(drawn('feature', state)[theme]) ?? [];
        for (const ground of grounds) {
          const contrast = contrastOf(colour, ground);
          assert.ok(contrast >= 3, `${state}: ${colour} on ${ground} has ${contrast.toFixed(2)}`);
        }
      }
    });
  }

  for (const [theme, ...grounds] of [
    ['light', '#0060c0', '#0f4a85'],
    ['dark', '#707070'],
  ] as const) {
    it(`have an edge that stands out on rows selected in a strong colour in ${theme} themes`, () => {
      for (const state of storyStates) {
        const [, edge = ''] = /drop-shadow\([^)]*(#[0-9a-f]{6})\)/.exec(drawn('bug', state)[theme]) ?? [];
        for (const ground of grounds) assert.ok(contrastOf(edge, ground) >= 3, `${state}: ${edge} on ${ground}`);
      }
    });
  }
});

/** As WCAG 2 has it: 3 is enough for graphics. */
function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
