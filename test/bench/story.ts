import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import { FixtureServer } from '../support/servers/fixtureServer.ts';
import { atMost, type Bench, type Row } from './support/bench.ts';
import { answerInWindow } from './support/extensionHost.ts';
import { root } from './support/service.ts';
import { probeExtension } from './support/smallExtensions.ts';
import { median, quantile } from './support/statistics.ts';
import { rounded } from './support/table.ts';
import { typedKeys } from './support/typedKeys.ts';

/** What the probe inside VS Code is told, in the environment. */
export interface StoryOrder {
  /** Where it writes `StoryFigures`. */
  readonly file: string;
  readonly root: string;
  readonly folder: string;
  readonly url: string;
  readonly token: string;
  readonly rounds: number;
}

/** Milliseconds from when the tab is asked for. */
export interface StoryTimes {
  /** The page's script runs: VS Code has made the tab. */
  readonly ready: number;
  /** The page has what the local copy knows, laid out: it asks for the first image that is in view. */
  readonly laidOut: number;
  /** The first image was handed to the page. */
  readonly image: number;
}

export interface StoryFigures {
  readonly error?: string;
  /** The first tab of the window, for which VS Code starts what serves pages. */
  readonly first: StoryTimes;
  readonly others: readonly StoryTimes[];
  /** When the script of a tab with nothing in it ran. */
  readonly empty: readonly number[];
  /** The longest times for which the extension host was held, each while a tab came. */
  readonly holds: readonly number[];
}

const ROUNDS = 7;
const STORY = 105;
const COMMENTS = 200;
const IMAGES = 50;
/** Bytes of an image, as of a small screenshot. */
const IMAGE_SIZE = 60_000;
/** Nearly the most that a description may have, in bytes. */
const LONG = 'Ask the **mill** for rye, wheat and oats.\n\n- and for bran\n'.repeat(1_700).slice(0, 99_000);

/** From a click on a story with many comments and images to its tab, in VS Code, while its server says nothing more about it; and keys typed there. */
export const story: Bench = {
  name: 'story',
  async run() {
    const folder = temporaryFolder('bench-story');
    const server = await FixtureServer.start();
    fill(server);
    try {
      await mkdir(join(folder.path, 'replicas'));
      const program = fileURLToPath(new URL('programs/storyProbe.ts', import.meta.url));
      const order: Omit<StoryOrder, 'file'> = {
        ...{ root, folder: join(folder.path, 'replicas'), url: server.url, token: server.token, rounds: ROUNDS },
      };
      const extensions = [await probeExtension(folder.path, program)];
      const figures = await answerInWindow<StoryFigures>(join(folder.path, 'profile'), extensions, order);
      if (figures.error !== undefined) throw new Error(figures.error);
      return [...rowsOf(figures), typingRow(await typedKeys(LONG))];
    } finally {
      await server.stop();
      await folder.remove();
    }
  },
};

function fill(server: FixtureServer): void {
  const { notes, files } = server.routes.story(STORY);
  for (let index = 0; index < COMMENTS; index++) {
    const text = `**${index}** like #101, see [the shop](https://bakery.example/${index}):\n\n- rye \`first\`\n- ${'then wheat '.repeat(12)}`;
    notes.push({ id: 10_000 + index, text, author: 'Ana Example' });
  }
  const png = Buffer.alloc(IMAGE_SIZE);
  png.write('89504e470d0a1a0a0000000d4948445200000140000000b40802000000', 'hex');
  for (let index = 0; index < IMAGES; index++) {
    const id = 20_000 + index;
    files.set(id, { filename: `crust ${index}.png`, bytes: png, url: `${server.url}/files/${id}?signature=a` });
  }
}

function rowsOf({ first, others, empty, holds }: StoryFigures): readonly Row[] {
  const what = `open a story of ${COMMENTS} comments and ${IMAGES} images from the local copy`;
  const own = others.map(({ laidOut, ready }) => laidOut - ready);
  return [
    {
      ...row(
        `${what}: asked for → first screen`,
        others.map(({ laidOut }) => laidOut),
      ),
      goal: atMost(200),
    },
    row(
      `${what}: asked for → VS Code runs the page`,
      others.map(({ ready }) => ready),
    ),
    row('open a tab with nothing in it: asked for → VS Code runs the page', empty),
    row(`${what}: the page runs → first screen`, own),
    row(
      `${what}: asked for → first image`,
      others.map(({ image }) => image),
    ),
    row(`${what}: longest hold of the extension host`, holds),
    {
      ...row(`${what}, the first tab of the window`, [first.laidOut]),
      detail: `page runs after ${rounded(first.ready)} ms`,
    },
  ];
}

function row(what: string, samples: readonly number[]): Row {
  const detail = `median of ${samples.length}, ${rounded(Math.min(...samples))} to ${rounded(Math.max(...samples))} ms`;
  return { what, value: median(samples), unit: 'ms', detail };
}

function typingRow(keys: readonly number[]): Row {
  return {
    what: 'type in a description of 100 KB: time of the page a key, 95 of 100 keys',
    value: quantile(keys, 0.95),
    unit: 'ms',
    goal: atMost(16),
    detail: `median ${rounded(median(keys))} ms, longest ${rounded(Math.max(...keys))} ms; ${keys.length} keys, the least of several rounds each`,
  };
}
