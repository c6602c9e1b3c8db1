import { statSync } from 'node:fs';
import { join } from 'node:path';
import { MOST_BYTES, writeExtensionPackage } from '../../scripts/extensionPackage.ts';
import { temporaryFolder } from '../../scripts/vscode/temporaryFolder.ts';
import { atMost, type Bench, type Row } from './support/bench.ts';
import { answerOf, bundledProgram } from './support/program.ts';
import { rounds } from './support/rounds.ts';
import { root } from './support/service.ts';
import { emptyExtension } from './support/smallExtensions.ts';
import { median } from './support/statistics.ts';
import { rounded } from './support/table.ts';

/** What `programs/loadExtension.ts` prints. */
export interface LoadFigures {
  readonly milliseconds: number;
  /** The files of the extension that were loaded. */
  readonly files: readonly string[];
}

const KIB = 1024;

/** What is loaded and what is installed. */
export const size: Bench = {
  name: 'size',
  async run() {
    const folder = temporaryFolder('bench-size');
    try {
      const program = await bundledProgram('loadExtension', folder.path);
      const ours = join(root, 'dist', 'extension.js');
      const { files } = await answerOf<LoadFigures>(program, [ours]);
      return [
        loadedSize(files),
        packageSize(await packaged(folder.path)),
        await loadTime(program, ours, join(await emptyExtension(folder.path), 'extension.js')),
      ];
    } finally {
      await folder.remove();
    }
  },
};

function loadedSize(files: readonly string[]): Row {
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  return {
    what: 'activation bundle: all that loading the extension reads, minified',
    value: bytes / KIB,
    unit: 'KiB',
    goal: atMost(60),
    detail: `${bytes} bytes in ${files.length} file${files.length === 1 ? '' : 's'}`,
  };
}

async function packaged(folder: string): Promise<string> {
  const packagePath = join(folder, 'story-tracker.vsix');
  await writeExtensionPackage(packagePath);
  return packagePath;
}

function packageSize(path: string): Row {
  const bytes = statSync(path).size;
  return {
    what: '.vsix',
    value: bytes / KIB,
    unit: 'KiB',
    goal: atMost(MOST_BYTES / KIB),
    detail: `${bytes} bytes, worker and service included`,
  };
}

async function loadTime(program: string, ours: string, empty: string): Promise<Row> {
  const load = async (file: string) => (await answerOf<LoadFigures>(program, [file])).milliseconds;
  const times = await rounds(11, { ours: () => load(ours), empty: () => load(empty) });
  return {
    what: 'loading the extension in plain Node with a stand-in for vscode',
    value: median(times.ours),
    unit: 'ms',
    detail: `empty extension ${rounded(median(times.empty))} ms; medians of ${times.ours.length} fresh processes; require() alone, activate() not called`,
  };
}
