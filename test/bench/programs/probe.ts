/** Runs inside VS Code's extension host: activates the ordered extensions one after the other and writes down how long each took. */
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProbeFigures, ProbeOrder } from '../activation.ts';

interface Extension {
  readonly isActive: boolean;
  activate(): PromiseLike<unknown>;
}

const QUIET = 2_500;

/** VS Code calls it when everything that starts with the window has started. */
export function activate(): void {
  void measure(JSON.parse(process.env.STORY_TRACKER_BENCH_PROBE ?? '{}'));
}

async function measure({ file, extensions }: ProbeOrder): Promise<void> {
  await sleep(QUIET);
  const figures: Record<string, number> = {};
  for (const id of extensions) {
    const extension = find(id);
    if (extension.isActive) throw new Error(`${id} was active before it was asked for.`);
    const begun = performance.now();
    await extension.activate();
    figures[id] = performance.now() - begun;
    await sleep(300);
  }
  await writeFile(file, `${JSON.stringify(figures satisfies ProbeFigures)}\n`);
}

function find(id: string): Extension {
  const { extensions }: { extensions: { getExtension(id: string): Extension | undefined } } = require('vscode');
  const extension = extensions.getExtension(id);
  if (!extension) throw new Error(`There is no extension ${id}.`);
  return extension;
}
