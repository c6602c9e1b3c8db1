import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MADE_FILES, MADE_FOLDER, type MadeFile, type Patches, type PatchOf } from '../core/ports/outgoingFiles.ts';
import type { CallOptions } from '../core/ports/tracker.ts';
import { t } from '../core/translation.ts';
import { asGitError, safeGit } from './safeGit.ts';

/** Whatever the person or the repository configures, the form is one; other programs are not asked. */
const FORM = [
  '--no-ext-diff',
  '--no-textconv',
  '--binary',
  '--full-index',
  '--no-color',
  '--no-relative',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  // Git would start itself, and so whatever is configured, in the folders of submodules.
  '--ignore-submodules=dirty',
  '--submodule=short',
];

const FILTER = /^filter\.(.*)\.[a-z]+$/s;

/** Writes patches into temporary folders of its own, where they are until they are discarded. */
export class GitPatches implements Patches {
  private readonly made = new Set<string>();

  async patch(root: string, of: PatchOf, { signal }: CallOptions = {}): Promise<MadeFile> {
    const path = join(await mkdtemp(join(tmpdir(), MADE_FOLDER)), MADE_FILES.patch);
    this.made.add(path);
    try {
      const git = safeGit(root, signal, await filtersOff(root, signal));
      const head = await git.raw(['rev-parse', '--verify', '--quiet', '--end-of-options', 'HEAD^{commit}']);
      const against = of === 'unstaged' ? [] : of === 'staged' || head.trim() === '' ? ['--cached'] : ['HEAD'];
      await git.raw(['diff', ...FORM, `--output=${path}`, ...against, '--']);
      return { path, size: (await stat(path)).size };
    } catch (thrown) {
      await this.discard(path);
      throw asGitError(thrown, root, signal);
    }
  }

  async discard(path: string): Promise<void> {
    if (this.made.delete(path)) await rm(dirname(path), { recursive: true, force: true });
  }
}

/** Settings that keep the filters that are configured from being run. */
async function filtersOff(root: string, signal: AbortSignal | undefined): Promise<readonly string[]> {
  const answer = await safeGit(root, signal).raw(['config', '--null', '--name-only', '--get-regexp', '^filter\\.']);
  const names = new Set(answer.split('\0').flatMap((key) => FILTER.exec(key)?.[1] ?? []));
  return [...names].flatMap((name) => {
    // A setting given on the command line ends its name at the first such sign, and would be about another filter.
    if (/[=\n]/.test(name)) throw new Error(t('The Git filter "{0}" cannot be turned off.', name));
    return [`filter.${name}.clean=`, `filter.${name}.process=`, `filter.${name}.required=false`];
  });
}
