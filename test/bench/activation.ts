import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../../scripts/vscode/browser.ts';
import { codeServerFolder } from '../../scripts/vscode/codeServerInstall.ts';
import { calmSettings } from '../../scripts/vscode/settings.ts';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import { startWebServer, workbenchAddress } from '../../scripts/vscode/webServer.ts';
import { atMost, type Bench, type Row } from './support/bench.ts';
import { installExtensions } from './support/installExtensions.ts';
import { root } from './support/service.ts';
import { EMPTY_ID, emptyExtension, probeExtension } from './support/smallExtensions.ts';
import { median, medianRatio } from './support/statistics.ts';
import { rounded } from './support/table.ts';

/** What the probe inside VS Code is told, in the environment. */
export interface ProbeOrder {
  /** Where it writes `ProbeFigures`. */
  readonly file: string;
  /** Ids, in the order in which they are to be activated. */
  readonly extensions: readonly string[];
}

/** Milliseconds from asking for an extension's activation until it is active, by id. */
export type ProbeFigures = Readonly<Record<string, number>>;

export const PROBE_ORDER = 'STORY_TRACKER_BENCH_PROBE';

const OUR_ID = 'story-tracker.story-tracker';
const WINDOWS = 7;
const LIMIT = 60_000;

/** Activation in the extension host of a real VS Code: ours and an empty extension in the same host, each first every other time. */
export const activation: Bench = {
  name: 'activation',
  async run() {
    const folder = temporaryFolder('bench-activation');
    try {
      const probe = fileURLToPath(new URL('programs/probe.ts', import.meta.url));
      const extensions = [root, await emptyExtension(folder.path), await probeExtension(folder.path, probe)];
      const ours: number[] = [];
      const empty: number[] = [];
      // The first window is not counted: VS Code makes its caches.
      for (let window = -1; window < WINDOWS; window += 1) {
        const order = window % 2 === 0 ? [OUR_ID, EMPTY_ID] : [EMPTY_ID, OUR_ID];
        const figures = await inFreshWindow(join(folder.path, 'profile'), extensions, order);
        if (window < 0) continue;
        ours.push(figures[OUR_ID] ?? Number.NaN);
        empty.push(figures[EMPTY_ID] ?? Number.NaN);
      }
      return rowsOf(ours, empty);
    } finally {
      await folder.remove();
    }
  },
};

function rowsOf(ours: readonly number[], empty: readonly number[]): readonly Row[] {
  const detail = `${rounded(median(ours))} ms, ${rounded(Math.min(...ours))} to ${rounded(Math.max(...ours))}; empty ${rounded(median(empty))} ms; ${ours.length} windows`;
  return [
    { what: 'activation in VS Code', value: median(ours), unit: 'ms', goal: atMost(10), detail },
    {
      what: 'activation in VS Code against an empty bundled extension',
      value: medianRatio(ours, empty),
      unit: '×',
      goal: atMost(3),
      detail,
    },
  ];
}

/** One window on a folder without Git, in an extension host of its own. */
async function inFreshWindow(
  profile: string,
  extensions: readonly string[],
  order: readonly string[],
): Promise<ProbeFigures> {
  const file = join(profile, `figures-${crypto.randomUUID()}.json`);
  const workspace = join(profile, 'workspace');
  const dataFolder = join(profile, 'server');
  await mkdir(workspace, { recursive: true });
  await mkdir(join(dataFolder, 'data', 'User'), { recursive: true });
  await writeFile(join(dataFolder, 'data', 'User', 'settings.json'), JSON.stringify(calmSettings));
  await installExtensions(extensions, join(dataFolder, 'extensions'));
  const probeOrder: ProbeOrder = { file, extensions: order };
  const server = await startWebServer(
    {
      vscodeFolder: await codeServerFolder((line) => void process.stderr.write(`${line}\n`)),
      dataFolder,
      port: 0,
      development: false,
      workspaceTrust: false,
    },
    { ...process.env, [PROBE_ORDER]: JSON.stringify(probeOrder) },
  );
  const browser = await openBrowser({
    profileFolder: join(profile, 'browser'),
    viewport: { width: 1280, height: 860 },
  });
  try {
    await (browser.pages()[0] ?? (await browser.newPage())).goto(workbenchAddress(server, { folder: workspace }));
    return await writtenFigures(file);
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function writtenFigures(file: string): Promise<ProbeFigures> {
  for (const until = Date.now() + LIMIT; Date.now() < until; await sleep(100)) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return JSON.parse(text);
  }
  throw new Error('VS Code did not say how long activation took.');
}
