import { access, lstat, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { MarkerVerb } from '../core/marker/markerSyntax.ts';
import type { CommitHooks, HookPlace } from '../core/ports/git.ts';
import { BEFORE_SUFFIX, hookScript, isOurHook } from './hookScript.ts';
import { asGitError, safeGit } from './safeGit.ts';

const NAME = 'prepare-commit-msg';

/** Bytes that a hook of ours has at most. */
const LARGEST = 16_384;

/** Writes the hook's file; nothing of the repository is run. */
export function createCommitHooks(): CommitHooks {
  return { place, install, remove };
}

async function place(root: string): Promise<HookPlace> {
  try {
    const { common, hooks } = await foldersOf(root);
    const file = join(hooks, NAME);
    return { file, isOwn: (await realOf(hooks)).startsWith(common + sep), owner: await ownerOf(file) };
  } catch (thrown) {
    throw asGitError(thrown, root);
  }
}

async function install(root: string, verb: MarkerVerb): Promise<void> {
  const { file, owner } = await place(root);
  await mkdir(dirname(file), { recursive: true });
  if (owner === 'others') {
    if ((await lstat(file)).isDirectory()) throw new Error(`Move the folder ${file} away first.`);
    if (await isThere(file + BEFORE_SUFFIX)) throw new Error(`Move ${file}${BEFORE_SUFFIX} away first.`);
    await rename(file, file + BEFORE_SUFFIX);
  }
  const made = `${file}.made-by-story-tracker`;
  await rm(made, { force: true });
  // Nothing that the repository left in that place, a link to somewhere else perhaps, is written through.
  await writeFile(made, hookScript(verb), { mode: 0o755, flag: 'wx' });
  await rename(made, file);
}

async function remove(root: string): Promise<boolean> {
  const { file, owner } = await place(root);
  if (owner !== 'us') return false;
  if (await isThere(file + BEFORE_SUFFIX)) await rename(file + BEFORE_SUFFIX, file);
  else await rm(file);
  return true;
}

/** Our own configuration of Git names a folder for hooks, too: that of the command line does not count. */
async function foldersOf(root: string): Promise<{ readonly common: string; readonly hooks: string }> {
  const git = safeGit(root);
  const [folder = '', top = ''] = (await git.raw(['rev-parse', '--git-common-dir', '--show-toplevel'])).split('\n');
  const common = await realpath(resolve(root, folder));
  const answer = await git.raw(['config', '--null', '--show-scope', '--type=path', '--get-all', 'core.hooksPath']);
  const fields = answer.split('\0');
  const set = fields.filter((_, index) => index % 2 === 1 && fields[index - 1] !== 'command').at(-1);
  return { common, hooks: set ? resolve(top, set) : join(common, 'hooks') };
}

/** Ours is a small plain file; a repository may have a link to what never ends in its place. */
async function ownerOf(file: string): Promise<HookPlace['owner']> {
  const found = await lstat(file).catch(() => undefined);
  if (!found) return 'nobody';
  const text = found.isFile() && found.size <= LARGEST ? await readFile(file, 'utf8').catch(() => '') : '';
  return isOurHook(text) ? 'us' : 'others';
}

async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

/** Where a folder really is that perhaps is not there yet. */
async function realOf(folder: string): Promise<string> {
  const isReal = await access(folder).then(
    () => true,
    () => false,
  );
  return isReal ? realpath(folder) : resolve(await realOf(dirname(folder)), folder.slice(dirname(folder).length + 1));
}
