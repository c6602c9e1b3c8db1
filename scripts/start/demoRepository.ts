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

/** What a new user sees first. The numbers are those that the stories have in a demo project on its own. */
const readme = `# Tide clock

Tells when the next high water is. A small repository to try Story Tracker on. The stories in the *Stories* view are those
of a demo project, about Story Tracker itself.

## Three things to try

1. **Commit.** Right-click the story "#37 Copy the number, link or marker of a story", choose *Start Story…* and press Enter.
   Change a line of \`src/clock.js\`, type \`#\` in the commit message and choose the story. Commit, then choose *Link and Finish #37*.
2. **Attach.** Drag \`notes/harbour.txt\` from the Explorer onto Story Tracker's icon, wait for the stories, and drop it on
   "#36 Progress of an upload stays at 99 percent on slow servers". Or right-click the file and choose *Attach to Story…*.
3. **Reorder.** Drag "#35 Filter stories by type, state, owner, label and words" above another story, or select it and press
   Alt+Up. *Undo* takes it back.

*Get Started with Story Tracker* in the Command Palette (F1) shows the same in pictures. Nothing here leaves this machine.
`;

const commits: readonly DemoCommit[] = [
  {
    message: 'Say what the tide clock is for',
    files: {
      'README.md': readme,
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

/** The Git repository that is opened to try things on, with a remote to push to; made on the first start and kept afterwards. */
export async function demoRepository(folder: string): Promise<string> {
  if (!existsSync(folder)) await makeRepository(folder);
  if (!existsSync(join(folder, REMOTE)) && (await isWithoutRemote(folder))) await makeRemote(folder);
  return folder;
}

/** Inside the repository, so that it goes where that goes, and nothing leaves this machine. */
const REMOTE = join('.git', 'origin.git');

/** One that a person changed since stays as it is. */
async function isWithoutRemote(cwd: string): Promise<boolean> {
  try {
    await run('git', ['rev-parse', '--verify', '--quiet', 'refs/heads/main'], { cwd });
    return (await run('git', ['remote'], { cwd })).stdout.trim() === '';
  } catch {
    return false;
  }
}

async function makeRemote(folder: string): Promise<void> {
  const git = (...args: readonly string[]) => run('git', args, { cwd: folder });
  const remote = join(folder, REMOTE);
  const building = `${remote}.${process.pid}`;
  try {
    await git('clone', '--quiet', '--bare', '--no-local', '--single-branch', '--branch=main', '.', building);
    await run('git', ['remote', 'remove', 'origin'], { cwd: building });
    await git('remote', 'add', 'origin', remote);
    await rename(building, remote);
    await git('fetch', '--quiet', 'origin');
    await git('branch', '--quiet', '--set-upstream-to=origin/main', 'main');
  } finally {
    await rm(building, { recursive: true, force: true });
  }
}

async function makeRepository(folder: string): Promise<void> {
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
