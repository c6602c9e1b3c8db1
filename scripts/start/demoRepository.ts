import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface DemoCommit {
  readonly message: string;
  readonly files: Readonly<Record<string, string>>;
}

const commits: readonly DemoCommit[] = [
  {
    message: 'Say what the tide clock is for',
    files: {
      'README.md': '# Tide clock\n\nTells when the next high water is. A small project to try Story Tracker on.\n',
      'notes/harbour.txt': 'High water at the harbour bar is 20 minutes behind the open coast.\n',
    },
  },
  {
    message: 'Compute the next high water\n\nA lunar day is 24 h 50 min, and has two tides.',
    files: {
      'src/tide.js':
        'const halfLunarDay = (24 * 60 + 50) / 2;\n\n/** Minutes until the next high water. */\nexport function untilHighWater(sinceLast) {\n  return halfLunarDay - (sinceLast % halfLunarDay);\n}\n',
    },
  },
  {
    message: 'Show the time to high water in hours and minutes',
    files: {
      'src/clock.js':
        "import { untilHighWater } from './tide.js';\n\nexport function clockFace(sinceLast) {\n  const minutes = Math.round(untilHighWater(sinceLast));\n  return Math.floor(minutes / 60) + ' h ' + (minutes % 60) + ' min';\n}\n",
    },
  },
];

/** The Git repository that is opened to try things on; made on the first start and kept afterwards. */
export async function demoRepository(folder: string): Promise<string> {
  if (existsSync(folder)) return folder;
  const building = `${folder}.${process.pid}`;
  const git = (...args: readonly string[]) => run('git', args, { cwd: building });
  try {
    await mkdir(building, { recursive: true });
    await git('init', '--quiet', '--initial-branch=main');
    await git('config', 'commit.gpgsign', 'false');
    if (!(await hasIdentity(git))) {
      await git('config', 'user.name', 'Demo Person');
      await git('config', 'user.email', 'demo@example.com');
    }
    for (const commit of commits) await make(commit, building, git);
    await rename(building, folder);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  return folder;
}

type Git = (...args: readonly string[]) => Promise<unknown>;

async function hasIdentity(git: Git): Promise<boolean> {
  return git('config', 'user.email').then(
    () => true,
    () => false,
  );
}

async function make(commit: DemoCommit, folder: string, git: Git): Promise<void> {
  for (const [path, text] of Object.entries(commit.files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await git('add', '.');
  await git('commit', '--quiet', '--no-verify', '--message', commit.message);
}
