import { type SimpleGit, simpleGit } from 'simple-git';

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

/** Asks nobody, takes no locks, fetches nothing: a repository's configuration names programs for all of these. */
const OURS = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
};

/** Settings that outrank those of the repository, each of which can name a program to run. */
const CONFIG = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'core.pager=cat', 'diff.external='];

const SILENCE_LIMIT_MS = 30_000;

/**
 * Git in `root` for reading, with nothing the repository configures being run. Give it constant options only; what a
 * person, a file or a server said goes behind `--end-of-options`.
 * `moreConfig` are further settings that only take away. @throws Error when `root` is no folder.
 */
export function safeGit(root: string, signal?: AbortSignal, moreConfig: readonly string[] = []): SimpleGit {
  const git = simpleGit({
    baseDir: root,
    config: [...CONFIG, ...moreConfig],
    allowEnvironment: Object.keys(OURS),
    unsafe: {
      allowUnsafeFsMonitor: true,
      allowUnsafeHooksPath: true,
      allowUnsafePager: true,
      allowUnsafeDiffExternal: true,
      // To switch them off.
      allowUnsafeFilter: true,
    },
    timeout: { block: SILENCE_LIMIT_MS },
    ...(signal ? { abort: signal } : {}),
  });
  return git.env({ ...keptEnvironment(process.env), ...OURS });
}

/** The wanted variables only, whatever the case of their names (Windows). */
export function keptEnvironment(environment: NodeJS.ProcessEnv): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => KEPT.includes(name.toUpperCase()));
  return Object.fromEntries(kept.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
