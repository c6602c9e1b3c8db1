/** Runs inside VS Code's extension host: writes down how long that process has had a processor, its threads included. */
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QuietFigures, QuietOrder } from '../quiet.ts';

/** VS Code calls it when everything that starts with the window has started. */
export function activate(): void {
  void measure(JSON.parse(process.env.STORY_TRACKER_BENCH_PROBE ?? '{}'));
}

async function measure({ file, extension, milliseconds }: QuietOrder): Promise<void> {
  await sleep(Math.max(0, milliseconds - process.uptime() * 1000));
  const { user, system } = process.cpuUsage();
  const figures: QuietFigures = { processor: (user + system) / 1000, isActive: isActive(extension) };
  await writeFile(file, `${JSON.stringify(figures)}\n`);
}

function isActive(id: string): boolean {
  const { extensions }: { extensions: { getExtension(id: string): { readonly isActive: boolean } | undefined } } =
    require('vscode');
  return extensions.getExtension(id)?.isActive === true;
}
