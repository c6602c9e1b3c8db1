import { access, lstat, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { type MarkerVerb, markerVerbs } from '../core/marker/markerSyntax.ts';
import type { CommitHooks, HookPlace } from '../core/ports/git.ts';
import { t } from '../core/translation.ts';
import { asGitError, safeGit } from './safeGit.ts';

const NAME = 'prepare-commit-msg';

/** The line by which we know our own hook. */
const MARK = '# Story Tracker: names the story of the branch in commit messages.';

/** Beside our hook: the one that was there before. */
const BEFORE_SUFFIX = '.before-story-tracker';

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
    if ((await lstat(file)).isDirectory()) throw new Error(t('Move the folder {0} away first.', file));
    if (await isThere(file + BEFORE_SUFFIX)) throw new Error(t('Move {0} away first.', file + BEFORE_SUFFIX));
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

function isOurHook(text: string): boolean {
  return text.includes(MARK);
}

/**
 * The `prepare-commit-msg` hook in POSIX sh. It leaves merges, squashes, amended and picked messages, those by whose subject
 * `git rebase --autosquash` finds another commit, and those with a marker alone, works by Git's own configuration, and never keeps a commit from being made; the hook that was there before may. People
 * wait for it at each commit: for a plain message it starts one program, which is Git.
 */
function hookScript(verb: MarkerVerb): string {
  const known = markerVerbs.find((one) => one === verb) ?? '';
  const head = known === '' ? '' : `${known} `;
  return SCRIPT.replaceAll('<mark>', MARK).replaceAll('<before>', BEFORE_SUFFIX).replaceAll('<verb>', head);
}

const SCRIPT = String.raw`#!/bin/sh
<mark>
# "Story Tracker: Remove Commit Hook" takes it away.
if [ -f "$0<before>" ] && [ -x "$0<before>" ]; then
  "$0<before>" "$@" || exit $?
fi
case "$2" in merge | squash | commit) exit 0 ;; esac
if [ -e "${'$'}{1%/*}/CHERRY_PICK_HEAD" ]; then exit 0; fi
head=
IFS= read -r head 2>/dev/null <"${'$'}{1%/*}/HEAD"
case "$head" in
  "ref: refs/heads/"[!.]*) ;;
  *) head="ref: $(git symbolic-ref --quiet HEAD)" || exit 0 ;;
esac
branch=${'$'}{head#ref: refs/heads/}
story=$(git config --get "branch.$branch.storyTrackerStory") || exit 0
story=${'$'}{story#"#"}
case "$story" in '' | 0* | *[!0-9]*) exit 0 ;; esac
comment='#'
LC_ALL=C
if [ "$2" = message ]; then
  comment=
  # A plain subject takes the marker here, without another program.
  subject= rest= count=0
  while IFS= read -r line || [ -n "$line" ]; do
    count=$((count + 1))
    case "$line" in *"#"[0-9]*) count=200 ;; esac
    if [ $count -ge 200 ]; then break; fi
    if [ $count -eq 1 ]; then
      subject=$line
    else
      rest="$rest$line
"
    fi
  done <"$1"
  case "$subject" in "fixup! "* | "squash! "* | "amend! "*) exit 0 ;; esac
  case "$count $subject" in
    200* | *-by:*) ;;
    *" "[#-~!]*[#-~!]) printf '%s\n%s' "$subject [<verb>#$story]" "$rest" >"$1" && exit 0 ;;
  esac
else
  set=$(git config --get-regexp '^core\.comment(char|string)$')
  set=${'$'}{set##*core.comment}
  set=${'$'}{set#* }
  case "$set" in '' | auto) ;; *) comment=$set ;; esac
fi
made="$1.story-tracker"
LC_ALL=C awk -v marker="[<verb>#$story]" -v comment="$comment" '
  function dropped(line) { return comment != "" && index(line, comment) == 1 }
  {
    lines[NR] = $0
    if (index($0, comment " ------------------------ >8 ------------------------") == 1) below = 1
    if (below || dropped($0)) next
    if ($0 ~ /\[[^]\[]*#[0-9][^]\[]*\]/) has = 1
    if (!subject && $0 ~ /^(fixup|squash|amend)! ./) has = 1
    if (!subject && $0 ~ /[^ \t\r]/ && $0 !~ /^[A-Z][A-Za-z-]*-by: /) subject = NR
  }
  END {
    if (has) exit 1
    if (!subject && (NR == 0 || lines[1] ~ /[^ \t\r]/)) print " " marker "\n"
    for (i = 1; i <= NR; i++) {
      line = lines[i]
      if (i == subject || (!subject && i == 1 && line !~ /[^ \t\r]/)) {
        cr = line ~ /\r$/ ? "\r" : ""
        sub(/[ \t\r]+$/, "", line)
        line = line " " marker cr
      }
      print line
    }
  }
' "$1" >"$made" 2>/dev/null && mv -f "$made" "$1" || rm -f "$made"
exit 0
`;
