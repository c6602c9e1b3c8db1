import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBrowser } from '../../../scripts/vscode/browser.ts';
import { codeServerFolder } from '../../../scripts/vscode/codeServerInstall.ts';
import { installExtensions } from '../../../scripts/vscode/installExtensions.ts';
import { calmSettings } from '../../../scripts/vscode/settings.ts';
import { startWebServer, workbenchAddress } from '../../../scripts/vscode/webServer.ts';

/** What a probe extension is told: a JSON value in this variable of the environment, with `file` in it. */
const PROBE_ORDER = 'STORY_TRACKER_BENCH_PROBE';

const LIMIT = 240_000;

/** Opens a window on a folder without Git, in an extension host of its own, and gives what the probe in it writes to `file`. */
export async function answerInWindow<T>(
  profile: string,
  extensions: readonly string[],
  order: object,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<T> {
  const file = join(profile, `answer-${crypto.randomUUID()}.json`);
  const workspace = join(profile, 'workspace');
  const dataFolder = join(profile, 'server');
  await mkdir(workspace, { recursive: true });
  for (const kind of ['User', 'Machine']) {
    await mkdir(join(dataFolder, 'data', kind), { recursive: true });
    await writeFile(join(dataFolder, 'data', kind, 'settings.json'), JSON.stringify({ ...calmSettings, ...settings }));
  }
  await installExtensions(extensions, join(dataFolder, 'extensions'));
  const server = await startWebServer(
    {
      vscodeFolder: await codeServerFolder((line) => void process.stderr.write(`${line}\n`)),
      dataFolder,
      port: 0,
      development: false,
      workspaceTrust: false,
    },
    { ...process.env, [PROBE_ORDER]: JSON.stringify({ ...order, file }) },
  );
  const browser = await openBrowser({
    profileFolder: join(profile, 'browser'),
    viewport: { width: 1280, height: 860 },
  });
  try {
    await (browser.pages()[0] ?? (await browser.newPage())).goto(workbenchAddress(server, { folder: workspace }));
    return JSON.parse(await written(file));
  } finally {
    await browser.close();
    await server.stop();
  }
}

async function written(file: string): Promise<string> {
  for (const until = Date.now() + LIMIT; Date.now() < until; await sleep(100)) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text.endsWith('\n')) return text;
  }
  throw new Error('The probe inside VS Code did not answer.');
}
