import { existsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { type SimpleGit, simpleGit } from 'simple-git';
import { TrackerError } from '../core/errors.ts';
import { t } from '../core/translation.ts';

/** What Git needs of the environment: to be found, to find the person's own configuration, and a place for files. */
const KEPT = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'XDG_CONFIG_HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SYSTEMROOT',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'APPDATA',
  'LOCALAPPDATA',
  'PROGRAMDATA',
  'PROGRAMFILES',
];

/**
 * Asks nobody, takes no locks, fetches nothing: a repository's configuration names programs for all of these. What is told
 * of a commit is what it says itself, whatever a repository puts in its place.
 */
const OURS = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_REPLACE_OBJECTS: '1',
  LC_ALL: 'C',
};

/**
 * Settings that outrank those of the repository, each of which can name a program to run; and no repository is one because
 * some folder below a harmless one looks like it.
 */
const CONFIG = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'diff.external=',
  'safe.bareRepository=explicit',
];

const SILENCE_LIMIT_MS = 30_000;

/**
 * Git in `root` for reading, with nothing the repository configures being run. Give it constant options only; what a
 * person, a file or a server said goes behind `--end-of-options`.
 * `moreConfig` are further settings that only take away.
 * @throws Error when `root` is no folder, and on Windows without Git.
 */
export function safeGit(root: string, signal?: AbortSignal, moreConfig: readonly string[] = []): SimpleGit {
  const environment = keptEnvironment(process.env);
  const git = simpleGit({
    baseDir: root,
    binary: gitProgram(environment),
    config: [...CONFIG, ...moreConfig],
    allowEnvironment: Object.keys(OURS),
    unsafe: {
      allowUnsafeFsMonitor: true,
      allowUnsafeHooksPath: true,
      allowUnsafePager: true,
      allowUnsafeDiffExternal: true,
      // To switch them off.
      allowUnsafeFilter: true,
      allowUnsafeCustomBinary: true,
    },
    timeout: { block: SILENCE_LIMIT_MS },
    ...(signal ? { abort: signal } : {}),
  });
  return git.env({ ...environment, ...OURS });
}

/**
 * The wanted variables only, whatever the case of their names (Windows). A relative folder on the PATH would be one of the
 * repository, and what is in it would be run in Git's place.
 */
function keptEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => KEPT.includes(name.toUpperCase()));
  return Object.fromEntries(
    kept.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, name.toUpperCase() === 'PATH' ? ownFolders(value).join(delimiter) : value]],
    ),
  );
}

let named: string | undefined;

/** From now on this is Git, as VS Code found it or as its settings name it; a name that is no whole path is looked for on the PATH. */
export function useGit(program: string): void {
  named = isAbsolute(program) ? program : undefined;
}

/**
 * What is run as Git. Windows looks for a program in the folder it is to work in before it looks at the PATH. Throws on Windows without
 * Git.
 */
function gitProgram(environment: Readonly<Record<string, string>>): string {
  if (named !== undefined) return named;
  if (process.platform !== 'win32') return 'git';
  const path = Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  const found = ownFolders(path)
    .map((folder) => join(folder, 'git.exe'))
    .find((file) => existsSync(file));
  if (found === undefined) throw new Error('spawn git ENOENT');
  return found;
}

/** Of the PATH: a relative one would be a folder of the repository. */
function ownFolders(path: string): readonly string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder));
}

/** What Git said or did not say, as a sentence for a person; `cancelled` when it was we who stopped it. */
export function asGitError(thrown: unknown, root: string, signal?: AbortSignal): Error {
  if (signal?.aborted) return new TrackerError('cancelled', 'Canceled.', { cause: thrown });
  return new Error(sentence(thrown instanceof Error ? thrown.message : String(thrown), root), { cause: thrown });
}

function sentence(said: string, root: string): string {
  if (said.includes('spawn ') && said.includes(' ENOENT'))
    return t('Git was not found on this machine. Install it, or put it on the PATH.');
  if (/not a git repository|directory that does not exist/.test(said))
    return t('There is no Git repository in {0}.', root);
  if (said.includes('dubious ownership')) return t('Git does not trust {0} because it belongs to another user.', root);
  if (said.includes('block timeout')) return t('Git did not answer in {0}.', root);
  const last = said.trim().split('\n').at(-1) ?? '';
  return t('Git failed in {0}: {1}', root, last.replace(/^fatal: /, ''));
}
